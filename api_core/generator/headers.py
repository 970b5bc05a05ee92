"""The public headers ze_api.h, zes_api.h, zet_api.h, zer_api.h: every declaration in the order of the data."""
from ctext import c_header, declare, remark, tags
from model import FAMILIES, SpecError


def api_headers(api):
    for family in FAMILIES:
        body = declarations(api, family, api.families[family]["decl_order"])
        if family == "ze":
            body += callbacks_of(api, "ze_api") + callback_tables(api)
        includes = ["<stdint.h>", "<stddef.h>"] if family == "ze" else ['"ze_api.h"']
        yield f"level_zero/{family}_api.h", c_header(f"_{family.upper()}_API_H", includes, body)


def declarations(api, family, order):
    data, seen, text, forwarded = api.families[family], {}, [], False
    for kind, name in order:
        if kind in ("struct", "union", "function", "callback") and not forwarded:
            text.append(forward_declarations(data, order))
            forwarded = True
        entry = find(data, family, kind, name, seen)
        text.append(EMIT[kind](entry))
    return "\n".join(text) + "\n"


def find(data, family, kind, name, seen):
    """The definition that a decl_order item names; a name listed twice takes its definitions one after the other."""
    plural = {"default": "defaults", "union": "structs"}.get(kind, kind + "s")
    matches = [e for e in data[plural] if e["name"] == name]
    count = seen[kind, name] = seen.get((kind, name), 0) + 1
    if count > len(matches):
        raise SpecError(family + ".json", name, f"decl_order names a {kind} that is not defined")
    return matches[count - 1]


def tag(entry):
    return entry.get("tag", "_" + entry["name"])


def forward_declarations(data, order):
    names = {name for kind, name in order}
    return "".join(f"typedef {s['kind']} {tag(s)} {s['name']};\n" for s in data["structs"] if s["name"] in names)


def macro(entry):
    name = entry["name"] + (f"({', '.join(entry['params'])})" if "params" in entry else "")
    define = f"#define {name} {entry['value']}".rstrip()
    if "condition" in entry:
        other = f"#else\n#define {name} {entry['altvalue']}".rstrip() + "\n" if "altvalue" in entry else ""
        define = f"#if {entry['condition']}\n{define}\n{other}#endif"
    return f"#ifndef {entry['name']}\n{define}\n#endif // {entry['name']}\n"


def handle(entry):
    target = entry.get("alias", f"struct _{entry['name']}*")
    return f"{remark(entry)}typedef {target} {entry['name']};\n"


def typedef(entry):
    return f"{remark(entry)}typedef {entry['type']} {entry['name']};\n"


def enumerator(etor):
    value = etor.get("expr") or (str(etor["value"]) if etor["value"] < 0x10000 else hex(etor["value"]))
    note = "" if etor.get("since", "1.0") == "1.0" else f" ///< since {etor['since']}"
    return f"    {etor['name']} = {value},{note}\n"


def enum(entry):
    flags = f"typedef {entry['flags_type']} {entry['flags_typedef']};\n" if "flags_typedef" in entry else ""
    body = "".join(enumerator(e) for e in entry["etors"])
    return f"{remark(entry)}{flags}typedef enum _{entry['name']}\n{{\n{body}}} {entry['name']};\n"


def struct(entry):
    members = "".join(f"    {declare(m['type'], m['name'], m.get('dim'))};{tags(m)}\n" for m in entry["members"])
    return f"{remark(entry)}{entry['kind']} {tag(entry)}\n{{\n{members}}};\n"


def callback(entry):
    params = ", ".join(declare(p["type"], p["name"]) for p in entry["params"]) or "void"
    convention = entry["convention"] + " " if "convention" in entry else ""
    return f"{remark(entry)}typedef {entry['return']} ({convention}*{entry['name']})({params});\n"


def function(entry):
    last = len(entry["params"]) - 1
    params = "".join(f"    {declare(p['type'], p['name'])}{',' if i < last else ''}{tags(p)}\n"
                     for i, p in enumerate(entry["params"])) or "    void\n"
    export = entry.get("export", "ZE_APIEXPORT")
    return f"{remark(entry)}{export} {entry['return']} ZE_APICALL\n{entry['name']}(\n{params}    );\n"


def default(entry):
    values = "".join(f"    {value}, ///< {name}\n" for name, value in entry["values"])
    return f"{remark(entry)}static const {entry['type']} {entry['name']} = {{\n{values}}};\n"


EMIT = {"macro": macro, "handle": handle, "typedef": typedef, "enum": enum, "struct": struct, "union": struct,
        "callback": callback, "function": function, "default": default}


def callbacks_of(api, header):
    """Parameter struct and callback type of each traced function whose tracing declarations live in this header."""
    return "".join(traced(c) for c in api.families["zel"]["callback_params"] if c["header"] == header)


def traced(entry):
    struct_name = entry["params_struct"]
    members = "".join(f"    {kind} {name};\n" for kind, name in entry["members"]) or "    char unused;\n"
    return (f"\n/// Pointers to the parameters of {entry['api']}, for tracers\n"
            f"typedef struct _{struct_name}\n{{\n{members}}} {struct_name};\n"
            f"typedef void (ZE_APICALL *{entry['callback']})({struct_name}* params, {entry['result']} result, "
            f"void* pTracerUserData, void** ppTracerInstanceUserData);\n")


def callback_tables(api):
    text = "\n"
    for table in api.families["zel"]["callback_tables"]:
        members = "".join(f"    {kind} {name};\n" for kind, name in table["members"])
        text += f"typedef struct _{table['name']}\n{{\n{members}}} {table['name']};\n\n"
    return text
