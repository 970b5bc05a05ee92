"""The functions that clang's opencl-c.h declares, and a kernel for each overload that calls it with values from memory."""

import re

# What has no place in a kernel of ours: device-side queues, pipes, media, and calls that need an object of their own.
LEFT_OUT = re.compile(
    r"enqueue|ndrange|queue|kernel|pipe|reserve|clk_event|event_t|avc|intel_ime|amd_|arm_|__builtin|get_default|create_|capture"
    r"|image|sampler|msaa|mbarrier|block_"
)
WIDE = re.compile(r"(char|short|int|long|float|double|half)(4|8|16)\b")  # as vectors of 2 and 3, by component
DECLARATION = re.compile(r"([\w ]+?)\s+__ovld((?:\s+__\w+)*)\s+(\w+)\s*\(([^()]*)\)\s*;")
QUALIFIERS = re.compile(r"\b(const|volatile|__constant|__global|__local|__private|__generic|restrict)\b")
KEYWORDS = {"int", "char", "short", "long", "unsigned"}
ROW = 256  # bytes of the buffer for each argument


def overloads(text):
    """(result, name, parameters) of each function in the text of the header, once."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S).replace("\\\n", " ")
    text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))
    found = {}
    for result, _, name, parameters in DECLARATION.findall(text):
        words = tuple(" ".join(p.split()) for p in parameters.split(","))
        words = () if words in (("void",), ("",)) else words
        result = result.strip().split("\n")[-1].strip()
        said = " ".join((result, name, *words))
        if not LEFT_OUT.search(said) and not WIDE.search(said):
            found.setdefault((name, words), result)
    return [(result, name, words) for (name, words), result in found.items()]


def plain_type(parameter):
    """Without qualifiers, pointer and the parameter's name."""
    if "*" in parameter:
        return QUALIFIERS.sub("", parameter[: parameter.index("*")]).strip()
    words = QUALIFIERS.sub("", parameter).split()
    if len(words) > 1 and words[-1] not in KEYWORDS:
        words = words[:-1]
    return "unsigned int" if words == ["unsigned"] else " ".join(words)


class Call:
    """One call: what it needs before, around and after it."""

    def __init__(self, parameters):
        self.before, self.arguments, self.after, self.pointers = [], [], [], []
        for number, parameter in enumerate(parameters):
            self.add(number, parameter, plain_type(parameter))

    def add(self, number, parameter, kind):
        space = next((s for s in ("__global", "__local", "__constant") if s in parameter), None)
        if "*" in parameter and not space and "atomic_" not in kind:
            self.add_private(number, parameter, kind)
        elif "*" in parameter:
            self.pointers.append(f"{space or '__global'} {kind}* q{number}")
            self.arguments.append(f"q{number}" if "atomic" in kind else f"q{number} + get_local_id(0)")
        elif kind.startswith("memory_"):
            self.arguments.append("memory_order_relaxed" if "order" in kind else "memory_scope_device")
        elif kind == "cl_mem_fence_flags":
            self.arguments.append("CLK_LOCAL_MEM_FENCE")
        elif kind == "bool":
            self.arguments.append("true")
        else:
            self.before.append(f"{kind} v{number} = *(global {kind}*)(in + {number * ROW} + id * sizeof({kind}));")
            self.arguments.append(f"v{number}")

    def add_private(self, number, parameter, kind):
        self.before.append(f"{kind} v{number} = *(global {kind}*)(in + {number * ROW});")
        self.arguments.append(f"&v{number}")
        if "const" not in parameter:
            self.after.append(f"*(global {kind}*)(out + {(number + 1) * 4096} + id * sizeof({kind})) = v{number};")


def kernel(number, result, name, parameters):
    """In one line, so that what a compiler says of it tells which one it is."""
    call = Call(parameters)
    what = f"{name}({', '.join(call.arguments)})"
    if result != "void":
        kind = "int" if result == "bool" else result
        what = f"*(global {kind}*)(out + id * sizeof({kind})) = {what}"
    head = ", ".join(["global uchar* in", "global uchar* out", *call.pointers])
    body = " ".join(["size_t id = get_global_id(0);", *call.before, f"{what};", *call.after])
    return f"kernel void k{number}_{name}({head}) {{ {body} }}"
