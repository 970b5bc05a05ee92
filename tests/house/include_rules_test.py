"""Who may include whom (docs/architecture.md): plugins see the SDK and generated headers, never each other; the core
knows no plugin."""

import pathlib
import re
import unittest

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
ROOTS = ["", "api_core", "plugins", "plugins/kernel_compiler"]
PLUGIN_NAMES = re.compile(r"zeroth_(cpu|sysman|vulkan|mutable_commands|command_visit)\b")


def resolve(includer, name):
    """The file of the tree that an include means, or None for one from outside (system, generated)."""
    for folder in [str(includer.parent)] + ROOTS:
        candidate = tree.ROOT / folder / name
        if candidate.is_file():
            return candidate.resolve().relative_to(tree.ROOT)
    return None


def part(path):
    """'api_core/sdk', 'plugins/cpu', … the unit that rules speak of; tools, bench and tests are one each."""
    return "/".join(path.parts[:2]) if path.parts[0] in ("api_core", "plugins") else path.parts[0]


def includes():
    for source in tree.sources():
        if source.suffix not in (".cpp", ".hpp", ".h", ".c"):
            continue
        for number, line in enumerate(tree.lines(source), 1):
            match = INCLUDE.match(line)
            target = match and resolve(source, match.group(1))
            if target:
                yield source, number, target


def allowed(source, target):
    mine, theirs = part(source), part(target)
    if mine == theirs or mine in ("tools", "bench", "tests"):
        return True
    if mine.startswith("plugins/"):
        shared_compiler = theirs == "plugins/kernel_compiler" and mine in ("plugins/cpu", "plugins/vulkan")
        return theirs == "api_core/sdk" or shared_compiler
    if mine == "api_core/sdk":
        return False
    return theirs.startswith("api_core/")


class IncludeRules(unittest.TestCase):
    maxDiff = None

    def test_includes_follow_the_house_rules(self):
        bad = [f"{s}:{n}: {part(s)} includes {t}" for s, n, t in includes() if not allowed(s, t)]
        self.assertEqual([], bad)

    def test_the_rules_see_includes_at_all(self):
        self.assertGreater(len(list(includes())), 0)

    def test_the_core_names_no_plugin(self):
        core = [f for f in tree.sources() if f.parts[0] == "api_core" and not f.stem.endswith("_test") and f.suffix in (".cpp", ".hpp", ".h")]
        named = [f"{f}:{n}" for f in core for n, line in enumerate(tree.lines(f), 1) if PLUGIN_NAMES.search(line)]
        self.assertEqual([], named)

    def test_forbidden_includes_are_recognised(self):
        path = pathlib.Path
        self.assertFalse(allowed(path("plugins/cpu/a.cpp"), path("plugins/sysman/b.hpp")))
        self.assertFalse(allowed(path("plugins/cpu/a.cpp"), path("api_core/registry/b.hpp")))
        self.assertFalse(allowed(path("api_core/entry/a.cpp"), path("plugins/cpu/b.hpp")))
        self.assertTrue(allowed(path("plugins/cpu/a.cpp"), path("plugins/kernel_compiler/client/b.hpp")))


if __name__ == "__main__":
    unittest.main()
