"""zeroth/registry/adopt.cpp and wrap.cpp: what stands between programs and drivers whose handles the core did not make.

  adopt   the driver's objects start with a prefix: functions that hand out objects point it at the core's tables
  wrap    they do not: every function takes and gives objects of the core, which know the driver's own

Handles are translated in parameters, arrays and structures that a parameter points at; not in pNext chains and in what an
untyped pointer leads to: the structures that carry handles there are younger than drivers without a prefix.
"""
from ctext import NOTICE, argument_names, parameters
from functions import receiver, returns_result
from model import base_type

# Arrays of handles whose length the data does not state.
LENGTHS = {("zetDeviceGetConcurrentMetricGroupsExp", "phMetricGroups"): "metricGroupCount",
           ("zetDeviceCreateMetricGroupsFromMetricsExp", "phMetrics"): "metricCount",
           ("zetCommandListAppendMetricQueryEnd", "phWaitEvents"): "numWaitEvents"}


def foreign(api):
    functions = [f for f in api.public_functions() if receiver(api, f)]
    yield "zeroth/registry/adopt.cpp", source(api, "adopt", adopting, [f for f in functions if given(api, f)])
    yield "zeroth/registry/wrap.cpp", source(api, "wrap", wrapping, functions)


def source(api, verb, thunk, functions):
    parts = [HEAD.format(notice=NOTICE, verb=verb)] + [thunk(api, f) for f in functions]
    parts.append(f"constexpr DispatchTables {verb}_tables() {{\n  DispatchTables tables{{}};")
    for f in functions:
        table, slot = api.slots[f["name"]]
        parts.append(f"  tables.{f['family']}.{table['name']}.{slot['entry']} = {f['name']}_;")
    return "\n".join(parts) + TAIL.format(verb=verb)


def handles(api, function):
    """(parameter, is pointer) of all parameters that are handles or point at handles."""
    for p in function["params"]:
        name, stars = base_type(p["type"])
        if name in api.handles:
            yield p, stars == 1


def given(api, function):
    """Parameters through which the function hands out objects; the function itself when it returns one."""
    found = [p for p, pointer in handles(api, function) if pointer and "out" in p["dir"]]
    return found + ([function] if function["return"] in api.handles else [])


def length(function, param):
    """How many handles an array holds; None for a pointer to one."""
    if "range" in param:
        return param["range"][1]
    return LENGTHS.get((function["name"], param["name"]))


def own_call(api, function, arguments):
    table, slot = api.slots[function["name"]]
    return f"backend.own_tables().{function['family']}.{table['name']}.{slot['entry']}({arguments})"


def backend_of(api, function):
    """The exports call with an object; of an array of objects the first one is there too."""
    target = receiver(api, function)
    return f"  Backend& backend = backend_of({target.param['name']}{'[0]' if target.is_array else ''});"


def before_call(function, outs):
    """Remembers how much room arrays have, and clears single handles so that only written ones are taken."""
    for p in outs:
        if p is function:
            continue
        count = length(function, p)
        name = p["name"]
        if count is None:
            yield f"  clear({name});"
        else:
            yield f"  const Room room_{name}({name}, {count.lstrip('*')});"


def after_call(function, outs):
    for p in outs:
        if p is function:
            yield "  take(backend, result);"
        elif length(function, p) is None:
            yield f"  take(backend, {p['name']});"
        else:
            yield f"  take(backend, {p['name']}, room_{p['name']}.filled());"


def thunk_head(function):
    return f"{function['return']} ZE_APICALL {function['name']}_({parameters(function['params'])}) {{"


def adopting(api, function):
    outs = given(api, function)
    lines = [thunk_head(function), backend_of(api, function), *before_call(function, outs)]
    lines.append(f"  auto result = {own_call(api, function, argument_names(function['params']))};")
    lines += [*guard(function), *after_call(function, outs), "  return result;", "}\n"]
    return "\n".join(lines)


def guard(function):
    if returns_result(function):
        yield "  if (!hands_out(result)) return result;"


def wrapping(api, function):
    """noexcept: an allocation for a long wait list may fail; then the code says so."""
    outs = given(api, function)
    released = [p["name"] for p in function["params"] if p.get("release") and p["type"] in api.handles]
    failure = "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY" if returns_result(function) else function["failure_value"]
    lines = [thunk_head(function)[:-1] + "try {", backend_of(api, function)]
    arguments = [argument(api, function, p, lines) for p in function["params"]]
    lines += before_call(function, outs)
    lines += [f"  Release release(backend, {name});" for name in released]
    lines.append(f"  auto result = {own_call(api, function, ', '.join(arguments))};")
    lines += [f"  release.done(result);" for _ in released]
    lines += [*(guard(function) if outs else ()), *after_call(function, outs), "  return result;"]
    lines.append(f"}} catch (const std::bad_alloc&) {{\n  return {failure};\n}}\n")
    return "\n".join(lines)


def argument(api, function, param, lines):
    """What the driver gets for a parameter; arrays of handles need a line of their own first."""
    name, (kind, stars) = param["name"], base_type(param["type"])
    if kind in api.structs and stars == 1 and any(m["type"] in api.handles for m in api.structs[kind]["members"]):
        lines.append(f"  Unwrapped<{kind}> own_{name}({name});")
        return f"own_{name}.get()"
    if kind not in api.handles:
        return name
    if not stars:
        return f"unwrap({name})"
    if "in" not in param["dir"].split(",") or param["dir"] == "in,out" and (function["name"], name) not in LENGTHS:
        return name
    if "out" in param["dir"]:
        lines.append(f"  unwrap_in_place({name}, {length(function, param)});")
        return name
    lines.append(f"  UnwrappedList own_{name}({name}, {length(function, param)});")
    return f"own_{name}.get()"


HEAD = """{notice}
#include <registry/{verb}.hpp>
#include <registry/{verb}_glue.hpp>

namespace zeroth::registry {{
namespace {{

using namespace {verb}_glue;
"""

TAIL = """
  return tables;
}}

}} // namespace

void {verb}_in(TableSet& layer) {{
  static constexpr DispatchTables tables = {verb}_tables();
  replace_present(layer, tables);
}}

}} // namespace zeroth::registry
"""
