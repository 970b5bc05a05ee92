"""The loader's and the tracing layer's headers."""
from ctext import c_header
from ddi_headers import table
from headers import callbacks_of, declarations

HEADERS = {
    "loader/ze_loader.h": ("_ZE_LOADER_H", ["<stdbool.h>", '"../ze_api.h"']),
    "layers/zel_tracing_register_cb.h": ("zel_tracing_register_cb_H", ['"../ze_api.h"']),
    "layers/zel_tracing_api.h": ("_ZEL_TRACING_API_H", ['"../ze_api.h"', '"zel_tracing_register_cb.h"']),
}


def loader_headers(api):
    data = api.families["zel"]
    for path, order in data["decl_order"].items():
        guard, includes = HEADERS[path]
        body = declarations(api, "zel", order)
        if "register" in path:
            body += callbacks_of(api, "register") + "\n" + registrations(data["registrations"])
        yield f"level_zero/{path}", c_header(guard, includes, body)
    body = "\n".join(table(api, t) for t in data["ddi"]) + container(data["ddi"])
    yield "level_zero/layers/zel_tracing_ddi.h", c_header("_ZEL_TRACING_DDI_H", ['"zel_tracing_api.h"'], body)


def registrations(data):
    params = ", ".join(data["params"])
    return "".join(f"{r['export']} ze_result_t ZE_APICALL\n{r['name']}({params}, {r['callback_type']} {r['param']});\n\n"
                   for r in data["list"])


def container(tables):
    members = "".join(f"    {t['table']} {t['name']};\n" for t in tables)
    return f"\ntypedef struct _zel_tracing_dditable_t\n{{\n{members}}} zel_tracing_dditable_t;\n"
