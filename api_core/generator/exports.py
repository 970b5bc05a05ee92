"""What libze_loader.so.1 exports: entry points, table getters, tracing registrations; and the list of their names."""
from ctext import NOTICE, argument_names, parameters
from functions import receiver, returns_result
from model import FAMILY_NAME, PREFIX_MEMBER, base_type


def exports(api):
    functions = [f for f in api.public_functions() if is_dispatched(api, f)]
    parts = [HEAD.format(notice=NOTICE)] + [entry_point(api, f) for f in functions]
    parts += [GETTERS, registrations(api)]
    yield "zeroth/api/exports.cpp", "\n".join(parts) + '\n} // extern "C"\n'
    yield "zeroth/api/ze_loader.map", version_script(export_names(api))
    yield "zeroth/api/exports.txt", "".join(name + "\n" for name in export_names(api))
    yield "zeroth/api/exports_absent.txt", "".join(name + "\n" for name in sorted(api.exports["absent"]))


def is_dispatched(api, function):
    """True for functions whose first parameter is the object: the core writes the others by hand."""
    target = receiver(api, function)
    return bool(target) and not target.is_array and function["family"] != "zer"


def entry_point(api, function):
    text = plain_entry_point(api, function)
    if passes_registers_only(api, function) or not returns_result(function):
        return text
    return f"#if ZEROTH_X86_64\n{assembly_entry_point(api, function)}#else\n{text}#endif\n"


def passes_registers_only(api, function):
    """True when a tail call leaves every argument where it is. Compilers copy arguments that lie on the stack, and take
    structures passed by value apart."""
    types = [base_type(p["type"]) for p in function["params"]]
    return len(types) <= 6 and not any(name in api.structs and not stars for name, stars in types)


def assembly_entry_point(api, function):
    """The same call as five instructions that do not touch the arguments. Offsets are those asserted in abi.c."""
    table, slot = api.slots[function["name"]]
    prefix = [name for _, name in api.families["zel"]["handle_prefix"]["members"]]
    container = 8 * prefix.index(PREFIX_MEMBER[function["family"]])
    place = 8 + 8 * api.tables_of(function["family"]).index(table)
    entry = 8 * table["entries"].index(slot)
    return f"ZEROTH_ENTRY({function['name']}, {FAMILY_NAME[function['family']]}, {container}, {place}, {entry})\n"


def plain_entry_point(api, function):
    table, slot = api.slots[function["name"]]
    family, name = function["family"], function["name"]
    handle = function["params"][0]["name"]
    return (f"{function['return']} ZE_APICALL {name}({parameters(function['params'])}) {{\n"
            f"  if (!{handle}) [[unlikely]] return {null_handle(function)};\n"
            f"  const auto* container = load(prefix({handle})->{PREFIX_MEMBER[family]});\n"
            f"  return load(container->{table['name']})->{slot['entry']}({argument_names(function['params'])});\n}}\n")


def null_handle(function):
    call = f"zeroth::entry::null_handle(zeroth::Family::{FAMILY_NAME[function['family']]})"
    return call if returns_result(function) else f"(static_cast<void>({call}), {function['failure_value']})"


def registrations(api):
    rows = "".join(f"ZEROTH_REGISTRATION({r['name']}, {r['callback_type']}, {index})\n"
                   for index, r in enumerate(tracing_order(api)))
    return REGISTRATION.format(params=", ".join(api.families["zel"]["registrations"]["params"])) + rows


def core_callbacks(api):
    """Callback types of zel_core_callbacks_t in the order of its pointers."""
    tables = {t["name"]: t["members"] for t in api.families["zel"]["callback_tables"]}
    return [kind for table, _ in tables["ze_callbacks_t"] for kind, _ in tables[table]]


def tracing_order(api):
    """Registrations by callback index: those inside zel_core_callbacks_t at their pointer's place, then the rest."""
    data = api.families["zel"]["registrations"]["list"]
    by_type = {r["callback_type"]: r for r in data}
    core = [by_type[kind] for kind in core_callbacks(api)]
    return core + [r for r in data if r not in core]


def export_names(api):
    names = [f["name"] for f in api.functions.values()]
    names += [r["name"] for r in api.families["zel"]["registrations"]["list"]]
    names += [t["getter"] for t in api.tables + api.families["zel"]["ddi"]]
    return sorted(set(names + api.exports["internal"]))


def version_script(names):
    return "{\n  global:\n" + "".join(f"    {name};\n" for name in names) + "  local:\n    *;\n};\n"


HEAD = """{notice}
// An exported call is: null check, container in the handle's prefix, table, slot, tail call. Prefix and container are
// read as relaxed atomics because tracing, overlays and fork swap their pointers while others call. Any container that a
// handle points at is complete, of our version and has every slot filled: the registry sees to that.
#include <level_zero/layers/zel_tracing_api.h>
#include <zeroth/api/tables.hpp>

#include "entry/cold.hpp"
#include "entry/getters.hpp"
#include "layers/tracers.hpp"

namespace {{

inline const ze_handle_t* prefix(const void* handle) {{ return static_cast<const ze_handle_t*>(handle); }}

template <class T> T* load(T* const& pointer) {{ return __atomic_load_n(&pointer, __ATOMIC_RELAXED); }}

}} // namespace

extern "C" {{

#if defined(__x86_64__) && defined(__linux__)
#define ZEROTH_X86_64 1
[[gnu::used]] ze_result_t zeroth_null_handle_Core() {{ return zeroth::entry::null_handle(zeroth::Family::Core); }}
[[gnu::used]] ze_result_t zeroth_null_handle_Tools() {{ return zeroth::entry::null_handle(zeroth::Family::Tools); }}
[[gnu::used]] ze_result_t zeroth_null_handle_Sysman() {{ return zeroth::entry::null_handle(zeroth::Family::Sysman); }}
#define ZEROTH_ENTRY(name, family, container, table, slot) \\
  asm(".pushsection .text\\n.p2align 4\\n.globl " #name "\\n.type " #name ", @function\\n" \\
      #name ":\\n.cfi_startproc\\n" \\
      "  test %rdi, %rdi\\n  je 1f\\n  mov " #container "(%rdi), %rax\\n" \\
      "  mov " #table "(%rax), %rax\\n  jmp *" #slot "(%rax)\\n" \\
      "1: jmp zeroth_null_handle_" #family "\\n" \\
      ".cfi_endproc\\n.size " #name ", . - " #name "\\n.popsection\\n");
#endif
"""

GETTERS = """#define ZEROTH_GETTER(getter, type, index) \\
  ze_result_t ZE_APICALL getter(ze_api_version_t version, type* table) { \\
    return zeroth::entry::fill_exported(index, version, table); \\
  }
#include <zeroth/api/getters.inc>
"""

REGISTRATION = """#define ZEROTH_REGISTRATION(name, type, index) \\
  ze_result_t ZE_APICALL name({params}, type callback) {{ \\
    return zeroth::layers::set_callback(hTracer, callback_type, index, reinterpret_cast<void (*)()>(callback)); \\
  }}
"""
