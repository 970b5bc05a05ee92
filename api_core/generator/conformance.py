#!/usr/bin/env python3
"""Writes the conformance page: every function × device, and what rests on assumed facts.

  conformance.py --spec DIR --plugins DIR --tests DIR --out FILE

--tests is tests/conformance: checked.json says which function a device test checks, refusals.json why functions are
refused. A device serves a function when its sources, or those of an overlay, override the method that the function calls
(see interfaces.py); that alone does not make it work.
"""
import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

from coverage import assumed_about, full_name
from ctext import write_if_changed
from functions import method_name, qualified_class, receiver
from model import FAMILIES, Api, SpecError
from slots import all_slots

FAMILY_TITLE = {"ze": "Core (ze)", "zes": "Sysman (zes)", "zet": "Tools (zet)", "zer": "Runtime (zer)"}


class Sources:
    """Which device classes a plugin derives from, and which methods it overrides there."""

    def __init__(self, folder):
        self.bases, self.overrides, self.is_overlay = {}, {}, False
        for path in sorted(folder.rglob("*.[hc]pp")):
            if not path.stem.endswith("_test"):
                self._read(path.read_text(errors="replace"))

    def _read(self, text):
        self.is_overlay |= "sdk/overlay.hpp" in text
        text = re.sub(r"//.*", "", text)
        for found in re.finditer(r"\b(?:class|struct)\s+(\w+)(?:\s+final)?\s*:\s*([^{};]+)\{", text):
            body = text[found.end():self._end(text, found.end())]
            listed = re.sub(r"\b(public|virtual)\b", "", found.group(2).strip())
            bases = re.findall(r"(?:zeroth::)?(?:device::)?((?:sysman::|tools::)?\w+)\s*(?:,|$)", listed)
            methods = re.findall(r"\b(\w+)\s*\([^;{}]*\)[\w\s]*\boverride\b", body)
            self.bases.setdefault(found.group(1), set()).update(bases)
            self.overrides.setdefault(found.group(1), set()).update(methods)

    @staticmethod
    def _end(text, start):
        depth = 1
        for place in range(start, len(text)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if not depth:
                return place
        return len(text)

    def served(self):
        """(class of the device interface, method) pairs."""
        return {(root, method) for name, methods in self.overrides.items()
                for method in methods for root in self._roots(name, set())}

    def _roots(self, name, seen):
        if name in seen:
            return set()
        own = self.bases.get(name, set())
        return own | {r for base in own for r in self._roots(base, seen | {name})}


class Tests:
    """What tests know: the test that checks a function of a device, and the reasons of refusals."""

    def __init__(self, folder=None):
        read = lambda name: json.loads((folder / name).read_text()) if folder else {}
        self.checked = read("checked.json")
        self.refusals = read("refusals.json").get("refusals", [])
        self.hints = read("refusals.json").get("hints", [])

    def check_of(self, device, function):
        return self.checked.get(device, {}).get(function)

    def hint(self, function):
        """Why nothing can be seen of a function's work, or None."""
        return next((h["why"] for h in self.hints if re.search(h["match"], function)), None)

    def reason(self, function):
        return next((r for r in self.refusals if re.search(r["match"], function)), {"kind": "gap", "why": "no reason is known"})


def devices(folder):
    """Plugins that implement the first calls and are no overlays are devices; what all others override serves every device."""
    sources = {plugin.name: Sources(plugin) for plugin in sorted(p for p in folder.iterdir() if p.is_dir())}
    own = {name for name, s in sources.items() if not s.is_overlay and any("Entry" in bases for bases in s.bases.values())}
    overlays = {pair for name, s in sources.items() if name not in own for pair in s.served()}
    return {name: sources[name].served() | overlays for name in sorted(own)}


WORKS, ACCEPTED, UNCHECKED, REFUSED, GAP = "works", "accepted", "not checked", "refused", "not built"


def is_refused(api, function, served):
    """True when neither the core nor the device answers it."""
    target = receiver(api, function)
    if function["family"] == "zer" or not target:
        return False
    return (qualified_class(api, target.handle), method_name(api, function)) not in served


def state(api, function, device, served, tests):
    """(word, what stands behind it)"""
    test = tests.check_of(device, function["name"])
    if test:
        return WORKS, test
    if not is_refused(api, function, served):
        hint = tests.hint(function["name"])
        return (ACCEPTED, hint) if hint else (UNCHECKED, "")
    reason = tests.reason(function["name"])
    return (REFUSED if reason["kind"] == "rule" else GAP), reason["why"]


def page(api, plugins, tests):
    parts, counts = [], {name: Counter() for name in plugins}
    for family in FAMILIES:
        parts.append(f"\n## {FAMILY_TITLE[family]}\n")
        for table in api.tables_of(family):
            parts.append(section(api, table, plugins, tests, counts))
    return HEAD.format(summary=summary(plugins, counts, len(all_slots(api)))) + "\n".join(parts) + assumed_section(api)


def section(api, table, plugins, tests, counts):
    lines = [f"### {table['name']}\n", f"| function | since | {''.join(name + ' | ' for name in plugins)}rests on |",
             f"| --- | --- | {'--- | ' * len(plugins)}--- |"]
    for slot in table["entries"]:
        function, states = api.functions[slot["function"]], []
        for name, served in plugins.items():
            word, behind = state(api, function, name, served, tests)
            states.append(f"{word}: {behind}" if behind else word)
            counts[name][word] += 1
        basis = "; ".join(sorted({f"{f['kind']} assumed: {f['basis']}" for f in assumed_about(api, function, slot)}))
        lines.append(f"| {function['name']} | {function['since']} | {''.join(s + ' | ' for s in states)}{basis} |")
    return "\n".join(lines) + "\n"


def summary(plugins, counts, total):
    words = (WORKS, ACCEPTED, UNCHECKED, REFUSED, GAP)
    lines = [f"| device | {' | '.join(words)} | of |", "| --- " * (len(words) + 2) + "|"]
    lines += [f"| {name} | {' | '.join(str(counts[name][word]) for word in words)} | {total} |" for name in plugins]
    return "\n".join(lines) if plugins else "No device plugin is in this tree."


def assumed_section(api):
    lines = ["\n## Assumed facts\n", "No public document states these; they are corrected in `api_core/spec/assumed.json`.\n",
             "| kind | name | basis |", "| --- | --- | --- |"]
    lines += [f"| {f['kind']} | {full_name(f)} | {f['basis']} |" for f in api.assumed]
    return "\n".join(lines) + "\n"


HEAD = """# Conformance

Generated by `api_core/generator/conformance.py` from the API data, the plugins' sources and `tests/conformance`. The API is Level
Zero 1.20. The target `conformance` examines the device tests anew and refreshes this page.

- **works**: the named test fails when this function does nothing but return the codes that it returns in that test: so the test
  checks a result, not a success code. There may be more such tests; one is named.
- **accepted**: a hint; there is nothing of it that a test could see.
- **not checked**: the device or the core answers it, and no device test would notice if it did nothing.
- **refused**: for the given reason the device refuses it with the code that the specification lists for it. Every argument check is
  made first. A test calls each of them with objects of the device.
- **not built**: refused in the same way, and tested so, because Zeroth lacks it.
- **rests on**: the function, its place in the table or a type it takes is not stated by any public document known to us.
  A program that was built with other headers may see it differently. `zeroth doctor` lists the same facts.

{summary}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--spec", "--plugins", "--tests", "--out"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    try:
        api = Api(options.spec)
    except SpecError as error:
        sys.exit(f"error: {error}")
    write_if_changed(options.out, page(api, devices(Path(options.plugins)), Tests(Path(options.tests))))


if __name__ == "__main__":
    main()
