#!/usr/bin/env python3
"""The shipped schema, the examples, the reader and the documentation say the same.

schema_test.py SCHEMA EXAMPLES DOCS CHECKER

CHECKER is a program that reads a configuration on its standard input, prints its problems and exits with 1 when there are any.
"""
import copy
import pathlib
import subprocess
import sys
import unittest

import jsonschema
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import schema_rules  # noqa: E402

SCHEMA, EXAMPLES, DOCS, CHECKER = (pathlib.Path(a) for a in sys.argv[1:5])
SOURCE = schema_rules.Schema(SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(SOURCE.root)


class Yaml12(yaml.SafeLoader):
    """PyYAML reads YAML 1.1, where `off` is a boolean; the configuration is YAML 1.2."""


Yaml12.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def files():
    return sorted(EXAMPLES.glob("*.yaml")) + [EXAMPLES.parent / "default.yaml"]


def reader_problems(text):
    return subprocess.run([CHECKER], input=text, capture_output=True, text=True).stdout.splitlines()


class SchemaTest(unittest.TestCase):
    def test_the_schema_is_a_schema(self):
        VALIDATOR.check_schema(SOURCE.root)

    def test_every_key_is_documented(self):
        for name in SOURCE.maps:
            for key, value in SOURCE.root["$defs"][name]["properties"].items():
                self.assertIn("description", SOURCE.resolve(value)[0], f"{name}.{key}")

    def test_the_documentation_holds_the_table_of_this_schema(self):
        self.assertIn(schema_rules.table(SOURCE).strip(), DOCS.read_text(encoding="utf-8"),
                      "docs/config.md: replace its key tables by the output of schema_rules.py table")

    def test_examples_are_right_for_schema_and_reader(self):
        self.assertGreater(len(files()), 3)
        for path in files():
            text = path.read_text(encoding="utf-8")
            with self.subTest(path.name):
                self.assertEqual([e.message for e in VALIDATOR.iter_errors(yaml.load(text, Yaml12))], [])
                self.assertEqual(reader_problems(text), [])

    def test_schema_and_reader_refuse_the_same(self):
        """Each example with each of its values replaced by each kind of value: same verdict."""
        wrong = [None, True, 7, 2.5, "word", "", [], ["word"], [5], {}, {"word": 1}]
        verdicts = set()
        for path in files():
            root = yaml.load(path.read_text(encoding="utf-8"), Yaml12)
            for place in list(places(root)):
                if "options" in place or "devices" in place:
                    continue
                batch = [replaced(root, place, value) for value in wrong] + [with_extra_key(root, place)]
                for document in filter(lambda d: d is not None, batch):
                    accepted = VALIDATOR.is_valid(document)
                    problems = reader_problems(yaml.safe_dump(document))
                    fits = [p for p in problems if "unknown overlay" not in p and " are called " not in p]
                    self.assertEqual(accepted, fits == [], f"{path.name} {place}: {document}\n{problems}")
                    verdicts.add(accepted)
        self.assertEqual(verdicts, {True, False})


def places(node, at=()):
    """Paths of all values inside of node."""
    if at:
        yield at
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else []
    for key, value in items:
        yield from places(value, at + (key,))


def replaced(root, place, value):
    root = copy.deepcopy(root)
    node = root
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    return root


def with_extra_key(root, place):
    root = copy.deepcopy(root)
    node = root
    for key in place:
        node = node[key]
    if not isinstance(node, dict):
        return None
    node["surprise"] = 1
    return root


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
