"""zeroth/api/slots.inc: every dispatch table entry as a macro call, for code that needs something per entry."""
from ctext import NOTICE, argument_names, parameters
from exports import core_callbacks, tracing_order
from functions import NULL_HANDLE, NULL_POINTER, receiver, returns_result, unsupported_code
from model import FAMILY_NAME
from tables import CONTAINER


def slots(api):
    text = [NOTICE, "// First define ZEROTH_SLOT(family, table, entry, function, index) or ZEROTH_TABLE(family, name, container).",
            "#ifdef ZEROTH_TABLE"]
    text += [f"ZEROTH_TABLE({t['family']}, {t['name']}, {CONTAINER[t['family']]})" for t in api.tables]
    text += ["#endif", "#ifdef ZEROTH_SLOT"]
    index = 0
    for table in api.tables:
        for slot in table["entries"]:
            text.append(f"ZEROTH_SLOT({table['family']}, {table['name']}, {slot['entry']}, {slot['function']}, {index})")
            index += 1
    text += ["#endif", "#undef ZEROTH_TABLE", "#undef ZEROTH_SLOT", ""]
    yield "zeroth/api/slots.inc", "\n".join(text)
    yield "zeroth/api/getters.inc", NOTICE + "\n" + "".join(f"ZEROTH_GETTER({t['getter']}, {t['table']}, {i})\n"
                                                            for i, t in enumerate(api.tables))
    yield "zeroth/api/refusals.inc", refusals(api)
    yield "zeroth/api/walk.inc", walk(api)
    yield "zeroth/api/calls.inc", calls(api)
    yield "zeroth/api/tracing.hpp", tracing(api)


def all_slots(api):
    return [slot for table in api.tables for slot in table["entries"]]


def refusals(api):
    """The unsupported code of each entry, in the order of slots.inc."""
    lines = [f'{{"{s["function"]}", {unsupported_code(api.functions[s["function"]])}}},' for s in all_slots(api)]
    return "\n".join([NOTICE] + lines) + "\n"


def walk(api):
    lines = [NOTICE, "// ZEROTH_FUNCTION(name, family, has_receiver, returns_result, needs_handle, needs_pointer)"]
    for f in api.public_functions():
        listed, target = f.get("returns", {}), receiver(api, f)
        facts = (bool(target) and not target.is_array, returns_result(f), bool(listed.get(NULL_HANDLE)),
                 bool(listed.get(NULL_POINTER)))
        words = ", ".join(str(fact).lower() for fact in facts)
        lines.append(f"ZEROTH_FUNCTION({f['name']}, {FAMILY_NAME[f['family']]}, {words})")
    return "\n".join(lines) + "\n"


def calls(api):
    lines = [NOTICE, "// ZEROTH_CALL(return type, name, (parameters), (arguments))"]
    lines += [f"ZEROTH_CALL({f['return']}, {f['name']}, ({parameters(f['params'])}), ({argument_names(f['params'])}))"
              for f in api.public_functions()]
    return "\n".join(lines) + "\n"


def tracing(api):
    order, core = tracing_order(api), core_callbacks(api)
    rows = "".join(f'    {{"{r["api"]}", "{r["name"]}"}},\n' for r in order)
    return f"""{NOTICE}
#pragma once

#include <cstdint>

namespace zeroth {{

/// A function that tracers can observe. Its place in the list is the index of its callback.
struct TracedFunction {{
  const char* function;
  const char* registration;
}};

/// The first callbacks are those of zel_core_callbacks_t, in the order of its pointers.
inline constexpr uint32_t core_callback_count = {len(core)};
inline constexpr TracedFunction traced_functions[] = {{
{rows}}};

}} // namespace zeroth
"""
