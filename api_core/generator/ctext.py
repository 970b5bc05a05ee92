"""Small pieces of C text that several outputs share."""
from pathlib import Path

NOTICE = "// Generated from the API data (api_core/spec); do not edit."


def write_if_changed(path, text):
    """Rewrites a file only when its content changes, so that dependents are not rebuilt for nothing."""
    path = Path(path)
    data = text.encode()
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def c_header(guard, includes, body):
    """A public C header: guarded, usable from C99 and C++."""
    lines = [NOTICE, f"#ifndef {guard}", f"#define {guard}", ""]
    lines += [f"#include {name}" for name in includes]
    lines += ["", "#if defined(__cplusplus)", 'extern "C" {', "#endif", ""]
    lines += [body.rstrip("\n"), ""]
    lines += ["#if defined(__cplusplus)", '} // extern "C"', "#endif", "", f"#endif // {guard}", ""]
    return "\n".join(lines)


def declare(type_text, name, dim=None):
    return f"{type_text} {name}" + (f"[{dim}]" if dim else "")


def parameters(params):
    """'type name, type name' of a parameter list, 'void' when it is empty."""
    return ", ".join(declare(p["type"], p["name"]) for p in params) or "void"


def argument_names(params):
    return ", ".join(p["name"] for p in params)


def tags(entry):
    """'///< [in][optional]' remark of a member or parameter; empty when nothing is known."""
    words = [entry["dir"]] if entry.get("dir") else []
    words += [word for word in ("optional", "release", "nocheck", "mbz") if entry.get(word)]
    text = "".join(f"[{word}]" for word in words)
    if "range" in entry:
        text += f"[range({entry['range'][0]}, {entry['range'][1]})]"
    return f" ///< {text}" if text else ""


def remark(entry):
    """'/// since 1.4; deprecated since 1.10' line above a declaration."""
    words = [f"since {entry['since']}"] if "since" in entry else []
    if "deprecated" in entry:
        words.append("deprecated" + (f" since {entry['deprecated']['since']}" if "since" in entry["deprecated"] else ""))
    if "assumed" in entry:
        words.append("assumed")
    return f"/// {'; '.join(words)}\n" if words else ""
