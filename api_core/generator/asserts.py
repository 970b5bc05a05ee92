"""zeroth/test/abi.c: compile-time assertions of every size, offset, enumerator, numeric macro and table position."""
import re

from ctext import NOTICE
from layout import struct_layout
from model import FAMILIES

HEADERS = ("ze_ddi.h", "zes_ddi.h", "zet_ddi.h", "zer_ddi.h", "zer_api.h", "loader/ze_loader.h",
           "layers/zel_tracing_ddi.h")


def asserts(api):
    text = [NOTICE, "// Valid C11 and C++. The numbers come from the data by api_core/generator/layout.py, not from a compiler.",
            "#include <assert.h>", "#include <stddef.h>"]
    text += [f"#include <level_zero/{h}>" for h in HEADERS] + [MACROS]
    for entry in api.structs.values():
        offsets, size, _ = struct_layout(api, entry)
        text.append(f"SIZE({entry['name']}, {size});")
        text += [f"OFFSET({entry['name']}, {member}, {offset});" for member, offset in offsets]
    for entry in api.enums.values():
        text += [f"VALUE({etor['name']}, {etor['value']});" for etor in entry["etors"]]
    for macro in api.macros.values():
        if re.fullmatch(r"\d+", macro["value"]):
            text.append(f"VALUE({macro['name']}, {macro['value']});")
    text += tables(api) + tracing(api)
    yield "zeroth/test/abi.c", "\n".join(text) + "\n"


def tables(api):
    text = []
    for table in api.tables + api.families["zel"]["ddi"]:
        text += [f"OFFSET({table['table']}, {slot['entry']}, {8 * i});" for i, slot in enumerate(table["entries"])]
        text.append(f"SIZE({table['table']}, {8 * len(table['entries'])});")
    for family in FAMILIES:
        offset, members = 0, api.tables_of(family)
        for i, table in enumerate(members):
            text.append(f"OFFSET({family}_dditable_t, {table['name']}, {offset});")
            text.append(f"OFFSET({family}_dditable_driver_t, {table['name']}, {8 + 8 * i});")
            offset += 8 * len(table["entries"])
        text.append(f"SIZE({family}_dditable_t, {offset});")
        text.append(f"SIZE({family}_dditable_driver_t, {8 + 8 * len(members)});")
    prefix = api.families["zel"]["handle_prefix"]
    text += [f"OFFSET({prefix['name']}, {name}, {8 * i});" for i, (_, name) in enumerate(prefix["members"])]
    return text


def tracing(api):
    zel = api.families["zel"]
    sizes, text = {}, []
    for entry in zel["callback_params"]:
        text += [f"OFFSET({entry['params_struct']}, {name}, {8 * i});" for i, (_, name) in enumerate(entry["members"])]
    for table in zel["callback_tables"]:
        offset = 0
        for kind, name in table["members"]:
            text.append(f"OFFSET({table['name']}, {name}, {offset});")
            offset += sizes.get(kind, 8)
        sizes[table["name"]] = offset
        text.append(f"SIZE({table['name']}, {offset});")
    return text


MACROS = """
#define SIZE(type, size) static_assert(sizeof(type) == (size), #type)
#define OFFSET(type, member, offset) static_assert(offsetof(type, member) == (offset), #type "." #member)
#define VALUE(name, value) static_assert((name) == (value), #name)
"""
