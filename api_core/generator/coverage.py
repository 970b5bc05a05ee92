"""coverage.json: where each function stands, for tools; assumed.hpp: what rests on assumed facts, for zeroth doctor."""
import json

from ctext import NOTICE
from functions import method_name, qualified_class, receiver
from model import base_type
from slots import all_slots


def coverage(api):
    rows = [json.dumps(row(api, i, slot), separators=(",", ":")) for i, slot in enumerate(all_slots(api))]
    yield "zeroth/api/coverage.json", '{"functions":[\n' + ",\n".join(rows) + "\n]}\n"
    yield "zeroth/api/assumed.hpp", assumed_header(api)


def row(api, index, slot):
    table, _ = api.slots[slot["function"]]
    function = api.functions[slot["function"]]
    target = receiver(api, function)
    owner = qualified_class(api, target.handle) if target else "Entry"
    facts = sorted({f["basis"] for f in assumed_about(api, function, slot)})
    return {"function": function["name"], "since": function["since"], "group": function["group"], "table": table["name"],
            "family": table["family"], "slot": index, "class": owner, "method": method_name(api, function), "assumed": facts}


def assumed_about(api, function, slot):
    """Assumed facts that a call of the function rests on: itself, its table entry, the structures that it takes."""
    table = api.slots[function["name"]][0]
    names = {function["name"]}
    for param in function["params"]:
        names |= type_names(api, base_type(param["type"])[0])
    here = {("slot", slot["entry"], table["name"]), ("table", table["name"], None)}
    return [f for f in api.assumed if (f["kind"] not in ("slot", "table") and f["name"] in names)
            or (f["family"] == table["family"] and (f["kind"], f["name"], f.get("of")) in here)]


def type_names(api, name):
    """A type, and of a struct its structure type and the types of its members."""
    names = {name}
    struct = api.structs.get(name)
    if struct:
        names.add(struct.get("stype"))
        for member in struct["members"]:
            inner = base_type(member["type"])[0]
            names |= {inner} if inner in api.structs else type_names(api, inner)
    return names


def full_name(fact):
    return (fact["of"] + "." if "of" in fact else "") + fact["name"]


def assumed_header(api):
    rows = "".join(f'    {{"{f["kind"]}", "{full_name(f)}", "{f["basis"]}"}},\n' for f in api.assumed)
    return f"""{NOTICE}
#pragma once

namespace zeroth {{

/// A fact of the API that no public document states. Programs built for the real one may disagree with it.
struct AssumedFact {{
  const char* kind; ///< macro, enum, enumerator, struct, callback, function, slot or table
  const char* name;
  const char* basis;
}};

inline constexpr AssumedFact assumed_facts[] = {{
{rows}}};

}} // namespace zeroth
"""
