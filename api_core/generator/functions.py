"""What the outputs ask about one API function: which handle dispatches it, its C++ class and method, its checks."""
import re

from model import SpecError, base_type, snake, without_family

KEYWORDS = {"and", "auto", "break", "case", "catch", "class", "const", "continue", "default", "delete", "do", "explicit",
            "export", "extern", "for", "goto", "if", "import", "inline", "module", "new", "not", "operator", "or",
            "private", "public", "register", "return", "signed", "static", "switch", "template", "this", "throw", "try",
            "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor"}
NULL_HANDLE = "ZE_RESULT_ERROR_INVALID_NULL_HANDLE"
NULL_POINTER = "ZE_RESULT_ERROR_INVALID_NULL_POINTER"
# Listed conditions that the glue tests, in this order. All others need the device's state.
CHECKED = (NULL_HANDLE, NULL_POINTER, "ZE_RESULT_ERROR_INVALID_ENUMERATION", "ZE_RESULT_ERROR_INVALID_SIZE")

# Listed conditions that are not tested: programs and other drivers pass null for the device of physical host memory.
TOLERATED = {("zePhysicalMemCreate", NULL_HANDLE, "hDevice")}


class Receiver:
    """The object that a function is called on: `param` of handle type, or the first item of an array of handles."""

    def __init__(self, api, param, is_array):
        self.param, self.is_array = param, is_array
        self.handle = api.handle_class(base_type(param["type"])[0])


def receiver(api, function):
    """Receiver of a function; None for the first calls, which have no object yet."""
    params = function["params"]
    if params and params[0]["type"] in api.handles:
        return Receiver(api, params[0], False)
    for param in params:
        if base_type(param["type"])[0] in api.handles and param["dir"] == "in" and "range" in param:
            return Receiver(api, param, True)
    return None


def class_name(api, handle):
    """C++ class of a handle type: its API class, with the Exp or Ext of the handle where two handles share one."""
    stem = handle["class"][len(handle["family"]):]
    shared = [h for h in api.handles.values() if h.get("class") == handle["class"]]
    if len(shared) < 2:
        return stem
    suffix = re.search(r"_(exp|ext)_handle_t$", handle["name"])
    return stem + suffix.group(1).capitalize() if suffix else stem


NAMESPACE = {"ze": "", "zet": "tools", "zes": "sysman", "zer": "runtime"}


def qualified_class(api, handle):
    """Class name with its namespace, as seen from zeroth::device."""
    namespace = NAMESPACE[handle["family"]]
    return (namespace + "::" if namespace else "") + class_name(api, handle)


def method_name(api, function):
    """API name without the family and its own class, in snake_case; calls of a younger family on a core object keep
    the family: zeCommandListAppendBarrier -> append_barrier, zetDeviceGetDebugProperties -> zet_get_debug_properties."""
    name, target = without_family(function), receiver(api, function)
    family = function["family"]
    if target:
        stem = target.handle["class"][len(target.handle["family"]):]
        if function["class"][len(family):] == stem and name.startswith(stem):
            name = name[len(stem):]
    owner = target.handle["family"] if target else "ze"
    name = snake(name) if owner == family else f"{family}_{snake(name)}"
    return name + "_" if name in KEYWORDS else name


def method_parameters(api, function):
    """Parameters of the method: those of the function without the handle it is called on."""
    target = receiver(api, function)
    return function["params"] if not target or target.is_array else function["params"][1:]


def by_class(api):
    """(handle, functions) for every handle type, in declaration order; functions with no object are not among them."""
    classes = {name: [] for name, h in api.handles.items() if h["family"] != "zel" and "alias" not in h}
    for function in api.public_functions():
        target = receiver(api, function)
        if target:
            classes[target.handle["name"]].append(function)
    for name, functions in classes.items():
        methods = [method_name(api, f) for f in functions]
        for function, method in zip(functions, methods):
            if methods.count(method) > 1:
                raise SpecError(function["family"] + ".json", function["name"], f"method {method} of {name} named twice")
    return [(api.handles[name], functions) for name, functions in classes.items()]


def static_functions(api):
    return [f for f in api.public_functions() if not receiver(api, f)]


def returns_result(function):
    return function["return"] == "ze_result_t"


def unsupported_code(function):
    """The listed code that comes nearest to 'this function does not exist here'."""
    listed = function.get("returns", {})
    for code in ("UNSUPPORTED_FEATURE", "UNSUPPORTED_VERSION", "NOT_AVAILABLE", "UNKNOWN"):
        if "ZE_RESULT_ERROR_" + code in listed:
            return "ZE_RESULT_ERROR_" + code
    return "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE"


def checks(api, function):
    """(code, C++ condition that is true when the code is due) in the order of CHECKED."""
    params = {p["name"]: p for p in function["params"]}
    listed, found = function.get("returns", {}), []
    for code in CHECKED:
        for text in listed.get(code, []):
            if (function["name"], code, text) in TOLERATED:
                continue
            condition = condition_of(api, params, code, text)
            pointer = re.search(r"(\w+)->", text)
            if condition and pointer and pointer.group(1) not in listed.get(NULL_POINTER, []):
                condition = f"nullptr != {pointer.group(1)} && ({condition})"
            if condition:
                found.append((code, condition))
    return found


def condition_of(api, params, code, text):
    """A listed condition as C++; None where it needs more than the arguments (state, what a chain may replace)."""
    if code in (NULL_HANDLE, NULL_POINTER) and re.fullmatch(r"\w+(->\w+)?", text):
        text = f"nullptr == {text}"
    names = set(re.findall(r"(?<![>.\w])[A-Za-z_]\w*", text)) - {"nullptr"}
    known = all(n in params or n.isupper() for n in names)
    if not known or any(params[n].get("optional") for n in names if n in params and "->" in text):
        return None
    owner = re.search(r"(\w+)->(\w+)", text)
    if owner and code != "ZE_RESULT_ERROR_INVALID_ENUMERATION" and has_chain(api, params[owner.group(1)]):
        text = f"nullptr == {owner.group(1)}->pNext && ({text})"
    # An enumeration is compared as a signed number, and a program may pass any.
    text = re.sub(r"^(ZE\w+) < ([\w>-]+)$", r"uint32_t(\1) < uint32_t(\2)", text)
    divisor = re.search(r"% (\w+)", text)
    return f"0 == {divisor.group(1)} || {text}" if divisor else text


def has_chain(api, param):
    struct = api.structs.get(base_type(param["type"])[0], {"members": []})
    return any(m["name"] == "pNext" for m in struct["members"])
