"""Sizes and offsets of every structure as the x86-64 System V ABI lays them out, computed from the data alone.

The compile-time assertions compare these numbers with what the compiler makes of the generated headers.
"""
import re

from model import SpecError, base_type

POINTER = (8, 8)
BUILTIN = {"char": (1, 1), "uint8_t": (1, 1), "int8_t": (1, 1), "bool": (1, 1), "uint16_t": (2, 2), "int16_t": (2, 2),
           "uint32_t": (4, 4), "int32_t": (4, 4), "int": (4, 4), "unsigned int": (4, 4), "float": (4, 4),
           "uint64_t": (8, 8), "int64_t": (8, 8), "size_t": (8, 8), "uintptr_t": (8, 8), "double": (8, 8)}


def dimension(api, text):
    """Number of an array dimension: a literal or the name of a macro."""
    if re.fullmatch(r"\d+", str(text)):
        return int(text)
    if text in api.macros and re.fullmatch(r"\d+", api.macros[text]["value"]):
        return int(api.macros[text]["value"])
    return None


def type_layout(api, type_text):
    """(size, alignment) of a type; None if the data does not define it."""
    name, stars = base_type(type_text)
    if name in BUILTIN and not stars:
        return BUILTIN[name]
    known = name in BUILTIN or name == "void" or any(
        name in index for index in (api.handles, api.enums, api.flags, api.structs, api.typedefs, api.callbacks)
    ) or name in callback_types(api)
    if not known or (name == "void" and not stars):
        return None
    if stars or name in api.handles or name in api.callbacks or name in callback_types(api):
        return POINTER
    if name in api.enums or name in api.flags:
        return (4, 4)
    if name in api.typedefs:
        return type_layout(api, api.typedefs[name]["type"])
    return struct_layout(api, api.structs[name])[1:]


def callback_types(api):
    """Types that only zel.json's tracing lists define."""
    if not hasattr(api, "_callback_types"):
        zel = api.families["zel"]
        api._callback_types = {c["callback"] for c in zel["callback_params"]} | {t["name"] for t in zel["callback_tables"]}
    return api._callback_types


def struct_layout(api, entry):
    """([(member, offset)], size, alignment) of a struct or union."""
    offsets, size, alignment = [], 0, 1
    for member in entry["members"]:
        layout = type_layout(api, member["type"])
        if not layout:
            raise SpecError(entry["family"] + ".json", entry["name"],
                            f"member {member['name']} has unknown type '{member['type']}'")
        count = dimension(api, member["dim"]) if "dim" in member else 1
        if count is None:
            raise SpecError(entry["family"] + ".json", entry["name"],
                            f"member {member['name']} has unknown dimension '{member['dim']}'")
        start = 0 if entry["kind"] == "union" else -(-size // layout[1]) * layout[1]
        offsets.append((member["name"], start))
        size, alignment = max(size, start + layout[0] * count), max(alignment, layout[1])
    return offsets, -(-size // alignment) * alignment, alignment
