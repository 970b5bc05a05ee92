"""zeroth/api/tables.hpp: one struct that owns every dispatch table, and a constant list that describes each of them."""
from ctext import NOTICE
from model import FAMILIES, FAMILY_NAME, slot_version, version_number

# DispatchTables' member with the tables of a family, and the one with the pointers to them.
TABLES = {f: f for f in FAMILIES}
CONTAINER = {f: FAMILY_NAME[f].lower() + "_container" for f in FAMILIES}


def tables_header(api):
    parts = [HEAD.format(notice=NOTICE), dispatch_tables(api), connect(api)]
    parts += [slot_list(t) for t in api.tables]
    parts.append(table_list(api))
    parts.append("} // namespace zeroth\n")
    yield "zeroth/api/tables.hpp", "\n".join(parts)


def member_of(table):
    return f"{TABLES[table['family']]}.{table['name']}"


def dispatch_tables(api):
    lines = [f"  {f}_dditable_t {TABLES[f]};" for f in FAMILIES]
    lines += [f"  {f}_dditable_driver_t {CONTAINER[f]};" for f in FAMILIES]
    return ("/// Every table of the API and the four containers that a handle's prefix points at. Standard layout.\n"
            "struct DispatchTables {\n" + "\n".join(lines) + "\n};\n")


def connect(api):
    versions = "".join(f"  tables.{CONTAINER[f]}.version = ZE_API_VERSION_CURRENT;\n  tables.{CONTAINER[f]}.isValidFlag = 1;\n"
                       for f in FAMILIES)
    pointers = "".join(f"  tables.{CONTAINER[t['family']]}.{t['name']} = &tables.{member_of(t)};\n" for t in api.tables)
    return ("constexpr void set_versions(DispatchTables& tables) {\n" + versions + "}\n\n"
            "/// Points the containers at the tables beside them.\n"
            "constexpr void connect(DispatchTables& tables) {\n  set_versions(tables);\n" + pointers + "}\n")


def slots_name(table):
    return f"slots_of_{table['family']}_{table['name']}"


def slot_list(table):
    entries = "".join(f'    {{"{s["function"]}", ze_api_version_t({slot_version(s):#x})}},\n' for s in table["entries"])
    return f"inline constexpr SlotInfo {slots_name(table)}[] = {{\n{entries}}};"


def table_list(api):
    entries = ""
    for t in api.tables:
        entries += (f'    {{"{t["getter"]}", Family::{FAMILY_NAME[t["family"]]}, offsetof(DispatchTables, {member_of(t)}),\n'
                    f'     offsetof({t["family"]}_dditable_driver_t, {t["name"]}), {len(t["entries"])}, {slots_name(t)}, '
                    f'ze_api_version_t({version_number(t["since"]):#x})}},\n')
    return f"\ninline constexpr TableInfo all_tables[] = {{\n{entries}}};\n"


HEAD = """{notice}
#pragma once

#include <cstddef>
#include <level_zero/ze_ddi.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>
#include <zeroth/api/table_info.hpp>

namespace zeroth {{

struct DispatchTables;

/// Every slot refuses with the code that the specification lists for it and notes it once (zeroth::note_unsupported).
const DispatchTables& unsupported_tables();
/// Every slot answers ZE_RESULT_ERROR_DEVICE_LOST, or the failure value of a function without a result code.
const DispatchTables& device_lost_tables();
/// Every slot holds the exported entry point. Defined in the loader library only.
const DispatchTables& exported_tables();
"""
