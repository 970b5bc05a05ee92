"""zeroth/device/*.hpp: one abstract class per handle type, which a device plugin derives from, and the Entry hook."""
from ctext import NOTICE, parameters
from functions import (NAMESPACE, by_class, class_name, method_name, method_parameters, qualified_class, returns_result,
                       static_functions)
from model import snake


def interfaces(api):
    index = {slot["function"]: i for i, slot in enumerate(s for t in api.tables for s in t["entries"])}
    classes = by_class(api)
    for handle, functions in classes:
        yield file_of(api, handle), class_header(api, handle, functions)
    yield "zeroth/device/entry.hpp", entry_header(api)
    yield "zeroth/device/all.hpp", all_header(api, classes)
    yield "zeroth/device/interfaces.cpp", definitions(api, classes, index)


def file_of(api, handle):
    folder = NAMESPACE[handle["family"]]
    return f"zeroth/device/{folder + '/' if folder else ''}{snake(class_name(api, handle))}.hpp"


def namespace_of(handle):
    inner = NAMESPACE[handle["family"]]
    return "zeroth::device" + ("::" + inner if inner else "")


def class_header(api, handle, functions):
    name = class_name(api, handle)
    methods = declarations(api, functions)
    return CLASS.format(notice=NOTICE, namespace=namespace_of(handle), name=name, type=handle["name"], methods=methods)


def declarations(api, functions):
    return "".join(f"  /// {f['name']}\n  virtual {f['return']} {method_name(api, f)}({signature(api, f)});\n"
                   for f in functions)


def signature(api, function):
    params = method_parameters(api, function)
    return parameters(params) if params else ""


def entry_header(api):
    return ENTRY.format(notice=NOTICE, methods=declarations(api, static_functions(api)))


def all_header(api, classes):
    files = sorted([file_of(api, handle) for handle, _ in classes] + ["zeroth/device/entry.hpp"])
    return "\n".join([NOTICE, "#pragma once", ""] + [f"#include <{f}>" for f in files] + [""])


def definitions(api, classes, index):
    """Default methods: the unsupported code of the data, noted once."""
    text = [NOTICE, "#include <cstdint>", "#include <zeroth/api/refuse.hpp>", "#include <zeroth/device/all.hpp>", "",
            "namespace zeroth::device {", ""]
    for handle, functions in classes:
        text += [default_method(api, qualified_class(api, handle), f, index) for f in functions]
    text += [default_method(api, "Entry", f, index) for f in static_functions(api)]
    return "\n".join(text + ["", "} // namespace zeroth::device", ""])


def default_method(api, owner, function, index):
    types = ", ".join(p["type"] for p in method_parameters(api, function))
    refuse = f"refuse({index[function['name']]})"
    body = f"return {refuse};" if returns_result(function) else f"{refuse}; return {function['failure_value']};"
    return f"{function['return']} {owner}::{method_name(api, function)}({types}) {{ {body} }}"


CLASS = """{notice}
#pragma once

#include <zeroth/device/handle.hpp>

namespace {namespace} {{

/// The object behind a {type}. A method that is not overridden refuses with the code that the specification
/// lists. Handle, pointer, enumerator and size checks that need only the arguments are done before a method is called.
class {name} : public Handle {{
public:
{methods}}};

inline {type} to_handle({name}* object) {{
  return reinterpret_cast<{type}>(static_cast<ze_handle_t*>(object));
}}

}} // namespace {namespace}
"""

ENTRY = """{notice}
#pragma once

#include <zeroth/device/handle.hpp>

namespace zeroth::device {{

/// The calls that come before any object: a device plugin derives from this class and returns its one instance from
/// entry(). Methods may be called at any time and from many threads at once.
class Entry {{
public:
  virtual ~Entry() = default;
{methods}}};

/// Defined by the plugin. Must not fail; the object lives as long as the process.
Entry& entry();

}} // namespace zeroth::device
"""
