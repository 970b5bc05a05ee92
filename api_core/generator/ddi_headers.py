"""The dispatch table headers ze_ddi.h, zes_ddi.h, zet_ddi.h, zer_ddi.h and what they share, ze_ddi_common.h."""
from ctext import c_header
from model import FAMILIES


def ddi_headers(api):
    yield "level_zero/ze_ddi_common.h", c_header("_ZE_DDI_COMMON_H", ['"ze_api.h"'], common(api))
    for family in FAMILIES:
        body = "\n".join(table(api, t) for t in api.tables_of(family)) + containers(api, family)
        includes = [f'"{family}_api.h"', '"ze_ddi_common.h"']
        yield f"level_zero/{family}_ddi.h", c_header(f"_{family.upper()}_DDI_H", includes, body)


def common(api):
    forward = "".join(f"typedef struct _{f}_dditable_driver_t {f}_dditable_driver_t;\n" for f in FAMILIES)
    prefix = api.families["zel"]["handle_prefix"]
    members = "".join(f"    {kind} {name};\n" for kind, name in prefix["members"])
    return (f"{forward}\n/// What every handle of a driver with DDI handles points at\n"
            f"typedef struct _{prefix['name']}\n{{\n{members}}} {prefix['name']};\n")


def pfn(api, slot):
    function = api.functions[slot["function"]]
    types = ", ".join(p["type"] for p in function["params"]) or "void"
    return f"typedef {function['return']} (ZE_APICALL *{slot['pfn_type']})({types});\n"


def table(api, entry):
    pfns = "".join(pfn(api, slot) for slot in entry["entries"])
    members = "".join(f"    {slot['pfn_type']} {slot['entry']};\n" for slot in entry["entries"])
    name = entry["table"]
    return (f"{pfns}\ntypedef struct _{name}\n{{\n{members}}} {name};\n\n"
            f"ZE_DLLEXPORT ze_result_t ZE_APICALL\n{entry['getter']}(\n"
            f"    ze_api_version_t version, ///< [in]\n    {name}* pDdiTable ///< [in,out]\n    );\n"
            f"typedef ze_result_t (ZE_APICALL *{entry['pfn_getter_type']})(ze_api_version_t, {name}*);\n")


def containers(api, family):
    tables = api.tables_of(family)
    values = "".join(f"    {t['table']} {t['name']};\n" for t in tables)
    pointers = "".join(f"    {t['table']}* {t['name']};\n" for t in tables)
    return (f"\n/// All tables of the family\ntypedef struct _{family}_dditable_t\n{{\n{values}}} {family}_dditable_t;\n\n"
            f"/// What a handle's prefix points at\nstruct _{family}_dditable_driver_t\n{{\n"
            f"    ze_api_version_t version;\n    uint8_t isValidFlag;\n{pointers}}};\n")
