"""python/level_zero.py: ctypes bindings of the whole API, for tests and scripts."""
from ctext import NOTICE
from layout import callback_types, dimension
from model import base_type

BUILTIN = {"char": "c_char", "bool": "c_bool", "int": "c_int", "unsigned int": "c_uint", "float": "c_float",
           "double": "c_double", "size_t": "c_size_t", "uintptr_t": "c_size_t", "int8_t": "c_int8", "int16_t": "c_int16",
           "int32_t": "c_int32", "int64_t": "c_int64", "uint8_t": "c_uint8", "uint16_t": "c_uint16",
           "uint32_t": "c_uint32", "uint64_t": "c_uint64"}


def bindings(api):
    text = [HEAD.format(notice=NOTICE.replace("//", "#"))]
    for entry in api.enums.values():
        text += [f"{etor['name']} = {etor['value']}" for etor in entry["etors"]]
    text += [f"{m['name']} = {m['value']}" for m in api.macros.values()
             if "params" not in m and (m["value"].isdigit() or m["value"].startswith('"'))]
    text.append("\n")
    text += [f"class {s['name']}({s['kind'].capitalize().replace('Struct', 'Structure')}): pass" for s in api.structs.values()]
    text.append("\n")
    text += [fields(api, s) for s in in_layout_order(api)]
    text.append("\n# name: (result, parameters)\nFUNCTIONS = {")
    text += [function(api, f) for f in api.functions.values()]
    text.append("}\n")
    yield "python/level_zero.py", "\n".join(text) + TAIL


def function(api, entry):
    types = ", ".join(ctype(api, p["type"]) for p in entry["params"])
    return f"    \"{entry['name']}\": ({result(api, entry)}, [{types}]),"


def in_layout_order(api):
    """ctypes wants a struct complete before another holds it by value."""
    done = []

    def add(entry):
        if entry in done:
            return
        for member in entry["members"]:
            name, stars = base_type(member["type"])
            if not stars and name in api.structs:
                add(api.structs[name])
        done.append(entry)

    for entry in api.structs.values():
        add(entry)
    return done


def fields(api, entry):
    rows = []
    for m in entry["members"]:
        kind = ctype(api, m["type"])
        rows.append(f'("{m["name"]}", {kind}{" * " + str(dimension(api, m["dim"])) if "dim" in m else ""})')
    return f"{entry['name']}._fields_ = [{', '.join(rows)}]"


def ctype(api, type_text):
    name, stars = base_type(type_text)
    if name in api.handles or name in api.callbacks or name in callback_types(api):
        text = "c_void_p"
    elif name in api.enums:
        text = "c_int"
    elif name in api.flags:
        text = "c_uint32"
    elif name in api.typedefs:
        text = ctype(api, api.typedefs[name]["type"])
    else:
        text = BUILTIN.get(name, name)
    if stars and name in ("void", "char"):
        text, stars = {"void": "c_void_p", "char": "c_char_p"}[name], stars - 1
    return "POINTER(" * stars + text + ")" * stars


def result(api, function):
    return "None" if function["return"] == "void" else ctype(api, function["return"])


HEAD = '''"""Level Zero for Python: every constant, structure and function of the API, over ctypes.

    import level_zero as ze
    lib = ze.load()                      # libze_loader.so.1
    assert lib.zeInit(0) == ze.ZE_RESULT_SUCCESS
"""
{notice}
from ctypes import *
'''

TAIL = '''

def load(library="libze_loader.so.1"):
    """Opens the library and declares the types of every function that it has."""
    lib = CDLL(library)
    for name, (result, parameters) in FUNCTIONS.items():
        function = getattr(lib, name, None)
        if function is not None:
            function.restype, function.argtypes = result, parameters
    return lib
'''
