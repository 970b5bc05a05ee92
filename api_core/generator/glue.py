"""zeroth/device/glue.cpp: the functions behind a device plugin's dispatch tables. Each checks what its arguments alone
can tell, then calls the object's method; whatever is thrown becomes a result code at this edge."""
import re

from ctext import NOTICE, argument_names, parameters
from functions import checks, method_name, method_parameters, qualified_class, receiver, returns_result
from model import SpecError


def glue(api):
    parts = [HEAD.format(notice=NOTICE)] + [function_text(api, f) for f in api.public_functions()] + [TABLES]
    yield "zeroth/device/glue.cpp", "\n".join(parts)


def function_text(api, function):
    name = function["name"]
    lines = [f"{function['return']} ZE_APICALL {name}({parameters(function['params'])}) noexcept try {{"]
    lines += [f"  if ({condition}) return rejected({code}, \"{name}\", \"{reason(condition)}\");"
              for code, condition in checks(api, function)] if returns_result(function) else null_checks(api, function)
    arguments = argument_names(method_parameters(api, function))
    lines.append(f"  return {target(api, function)}{method_name(api, function)}({arguments});")
    caught = f'record_current_exception("{name}")'
    answer = f"return {caught};" if returns_result(function) else f"{caught}; return {function['failure_value']};"
    lines.append(f"}} catch (...) {{ {answer} }}")
    return "\n".join(lines) + "\n"


def null_checks(api, function):
    found = receiver(api, function)
    return [f"  if (!{found.param['name']}) return {function['failure_value']};"] if found else []


# Conditions of the specification, and what a person is told when they hold.
NAME = r"([\w>-]+)"
REASONS = [
    (rf"\(?nullptr == {NAME}\)?", r"\1 is null"),
    (rf"(?:0|0x0) == {NAME}", r"\1 is 0"),
    (rf"\(nullptr == {NAME}\) && \(0 < {NAME}\)", r"\1 is null, but \2 is not 0"),
    (rf"\(nullptr != {NAME}\) && \(nullptr == {NAME}\)", r"\2 is null, but \1 is not"),
    (rf"nullptr == {NAME} && \(nullptr == {NAME}\)", r"\2 is null, and so is \1"),
    (rf"nullptr == {NAME} && \(0 == {NAME}\)", r"\2 is 0, and \1 is null"),
    (rf"0x[0-9a-f]+ < {NAME}", r"\1 has a bit that means nothing"),
    (rf"([A-Z]\w+) < {NAME}", r"\2 is none of the values up to \1"),
    (rf"0 == {NAME} \|\| {NAME} % \1 != 0", r"\2 is no multiple of \1, or that is 0"),
]


def reason(condition):
    words = re.sub(r"uint32_t\(([\w>-]+)\)", r"\1", condition)
    for pattern, told in REASONS:
        if found := re.fullmatch(pattern, words):
            return found.expand(told)
    return words.replace('"', '\\"')


def target(api, function):
    """Expression of the object that the call goes to."""
    found = receiver(api, function)
    if not found:
        return "entry()."
    name = found.param["name"]
    if found.is_array:
        count = re.fullmatch(r"\w+", found.param["range"][1])
        if not count:
            raise SpecError(function["family"] + ".json", function["name"], "the count of its handles is no parameter")
        return f"object<{qualified_class(api, found.handle)}>(first(\"{function['name']}\", {name}, {count.group(0)}))."
    return f"object<{qualified_class(api, found.handle)}>({name})."


HEAD = """{notice}
#include <zeroth/api/tables.hpp>
#include <zeroth/device/all.hpp>
#include <zeroth/device/glue.hpp>

#include "sdk/error.hpp"

namespace zeroth::device {{
namespace {{
"""

TABLES = """
constexpr DispatchTables filled(DispatchTables& self) {
  DispatchTables tables{};
#define ZEROTH_SLOT(family, table, entry, function, index) tables.family.table.entry = &function;
#define ZEROTH_TABLE(family, name, container) tables.container.name = &self.family.name;
#include <zeroth/api/slots.inc>
  set_versions(tables);
  return tables;
}

constinit DispatchTables own_tables = filled(own_tables);

} // namespace

DispatchTables& tables() noexcept { return own_tables; }

} // namespace zeroth::device

extern "C" {
#define ZEROTH_GETTER(getter, type, index) \\
  ZE_DLLEXPORT ze_result_t ZE_APICALL getter(ze_api_version_t version, type* table) { \\
    return zeroth::device::fill_table(index, version, table); \\
  }
#include <zeroth/api/getters.inc>
} // extern "C"
"""
