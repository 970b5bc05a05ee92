"""Refuses wrong data before anything is written. Every error names the file and the entry."""
from collections import Counter

from functions import by_class
from layout import struct_layout, type_layout
from model import FAMILIES, SpecError, slot_version, version_number

FAILURE_VALUES = {"nullptr", "UINT32_MAX"}


def check(api):
    for family, data in api.families.items():
        check_order(family, data)
    for entry in api.enums.values():
        check_enum(entry)
    for entry in api.structs.values():
        struct_layout(api, entry)
    for entry in api.functions.values():
        check_function(api, entry)
    for table in api.tables:
        check_table(api, table)
    check_positions(api)
    by_class(api)


def fail(entry, text, name=None):
    raise SpecError(entry["family"] + ".json", name or entry["name"], text)


def check_order(family, data):
    """Each entry stands exactly once in the declaration order."""
    order = data["decl_order"]
    items = [tuple(i) for part in (order.values() if isinstance(order, dict) else [order]) for i in part]
    plural = {"default": "defaults", "union": "structs"}
    defined = Counter()
    for kind in ("macro", "handle", "typedef", "enum", "struct", "callback", "function", "default"):
        for entry in data.get(plural.get(kind, kind + "s"), []):
            defined[entry.get("kind") if kind == "struct" else kind, entry["name"]] += 1
    for (kind, name), count in (defined - Counter(items)).items():
        raise SpecError(family + ".json", name, f"{kind} is missing in decl_order ({count}×)")
    for (kind, name), count in (Counter(items) - defined).items():
        raise SpecError(family + ".json", name, f"decl_order names a {kind} that is not defined, or too often ({count}×)")


def check_enum(entry):
    names, values = set(), {}
    for etor in entry["etors"]:
        if "value" not in etor:
            fail(entry, f"enumerator {etor['name']} has no value")
        if etor["name"] in names:
            fail(entry, f"enumerator {etor['name']} is defined twice")
        names.add(etor["name"])
        if etor.get("role") or etor.get("deprecated") or etor.get("alias"):
            continue
        other = values.setdefault(etor["value"], etor["name"])
        if other != etor["name"]:
            fail(entry, f"duplicate value {etor['value']:#x} of {other} and {etor['name']}")
        if not -2**31 <= etor["value"] < 2**31:
            fail(entry, f"enumerator {etor['name']} does not fit an int")


def check_function(api, function):
    if function["return"] != "ze_result_t" and function["family"] in FAMILIES:
        if function.get("failure_value") not in FAILURE_VALUES:
            fail(function, f"returns no result code and has no failure_value out of {sorted(FAILURE_VALUES)}")
    for param in function["params"]:
        if not type_layout(api, param["type"]):
            fail(function, f"parameter {param['name']} has unknown type '{param['type']}'")
    codes = {etor["name"] for etor in api.enums["ze_result_t"]["etors"]}
    for code in function.get("returns", {}):
        if code not in codes:
            fail(function, f"lists unknown result code {code}")


def check_table(api, table):
    last = 0
    for slot in table["entries"]:
        name = f"{table['name']}.{slot['entry']}"
        if slot["function"] not in api.functions:
            fail(table, f"entry of unknown function '{slot['function']}'", name)
        if slot_version(slot) < last:
            fail(table, "younger entries stand before it: a table grows at its end only", name)
        last = slot_version(slot)
        if last > version_number(api.families[table["family"]]["through"]):
            fail(table, f"since {slot['since']} is later than the data's last version", name)


def check_positions(api):
    """Each public function has one position in one table."""
    count = Counter(slot["function"] for table in api.tables for slot in table["entries"])
    for function in api.public_functions():
        if count[function["name"]] == 0:
            fail(function, "missing table position: no dispatch table has an entry for it")
        if count[function["name"]] > 1:
            fail(function, "has several table positions")
