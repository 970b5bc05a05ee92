"""zeroth/api/printers.hpp and .cpp: constant tables of every enumerator and member, for runtime/describe.cpp to walk."""
import textwrap

from ctext import NOTICE
from model import SpecError, base_type

BUILTIN = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64", "size_t": "u64", "uintptr_t": "u64",
           "int8_t": "i8", "int16_t": "i16", "int32_t": "i32", "int64_t": "i64", "int": "i32", "float": "f32",
           "double": "f64", "ze_bool_t": "boolean", "char": "character"}
INCLUDES = ("level_zero/layers/zel_tracing_api.h", "level_zero/loader/ze_loader.h", "level_zero/ze_api.h",
            "level_zero/zes_api.h", "level_zero/zet_api.h")


def printers(api):
    names = list(api.enums) + list(api.structs)
    includes = "".join(f"#include <{name}>\n" for name in INCLUDES)
    declarations = "".join(f"template <> const TypeInfo& type_of<{n}>();\n" for n in names)
    yield "zeroth/api/printers.hpp", (f"{NOTICE}\n#pragma once\n\n{includes}#include <zeroth/api/describe.hpp>\n\n"
                                      f"namespace zeroth {{\n\n{declarations}\n}} // namespace zeroth\n")
    flags = [e["flags_typedef"] for e in api.enums.values() if "flags_typedef" in e]
    text = [HEAD.format(notice=NOTICE)]
    text += [f"[[maybe_unused]] extern const TypeInfo info_{n};" for n in names + flags]
    text += [enum_table(e) for e in api.enums.values()] + [struct_table(api, s) for s in api.structs.values()]
    text += ["", "} // namespace", ""]
    text += [f"template <> const TypeInfo& type_of<{n}>() {{ return info_{n}; }}" for n in names]
    yield "zeroth/api/printers.cpp", "\n".join(text + ["", "} // namespace zeroth", ""])


HEAD = """{notice}
#include <cstddef>
#include <zeroth/api/printers.hpp>

#define M(member, count, info) {{#member, offsetof(Type, member), count, &info}}

namespace zeroth {{
namespace {{
"""


def packed(items):
    return textwrap.fill(items, 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def enum_table(entry):
    name, is_flags = entry["name"], "flags_typedef" in entry
    etors = [e for e in entry["etors"] if not e.get("role") and not e.get("alias")]
    items = ", ".join(f'{{"{e["name"]}", {e["value"]}}}' for e in etors)
    values = (f"constexpr NamedValue values_of_{name}[] = {{\n{packed(items)}}};\n" if etors
              else f"constexpr std::span<const NamedValue> values_of_{name}{{}};\n")
    kinds = [(name, "Enum")] + ([(entry["flags_typedef"], "Flags")] if is_flags else [])
    return values + "\n".join(f'constinit const TypeInfo info_{n}{{TypeInfo::Kind::{kind}, 4, "{n}", values_of_{name}}};'
                              for n, kind in kinds)


def struct_table(api, entry):
    name, kind = entry["name"], entry["kind"].capitalize()
    rows = ", ".join(f'M({m["name"]}, {m.get("dim", 0)}, {info_of(api, entry, m)})'
                     for m in entry["members"])
    return (f"struct Of_{name} {{\n  using Type = {name};\n"
            f"  static constexpr MemberInfo members[] = {{\n{packed(rows)}}};\n}};\n"
            f"constinit const TypeInfo info_{name}{{TypeInfo::Kind::{kind}, sizeof({name}), \"{name}\", {{}},\n"
            f"                                    Of_{name}::members}};")


def info_of(api, entry, member):
    """Name of the TypeInfo of a member. Text is followed only where the program gives it to us."""
    name, stars = base_type(member["type"])
    if stars or name in api.handles or name in api.callbacks:
        is_text = stars == 1 and name == "char" and member.get("dir") == "in"
        return "types::string" if is_text else "types::pointer"
    if name in BUILTIN:
        return "types::" + BUILTIN[name]
    if name in api.enums or name in api.structs or name in api.flags:
        return "info_" + name
    if name in api.typedefs:
        return info_of(api, entry, {"type": api.typedefs[name]["type"]})
    raise SpecError(entry["family"] + ".json", entry["name"], f"member {member['name']} has unknown type '{member['type']}'")
