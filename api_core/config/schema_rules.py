#!/usr/bin/env python3
"""Writes what the config reader knows about the format from its single source, config/zeroth.schema.json.

    schema_rules.py rules SCHEMA DEFAULT_YAML    C++: the rule tables and the embedded texts
    schema_rules.py table SCHEMA                 Markdown: the key table of docs/config.md
"""
import json
import sys

TYPES = {"boolean": "Boolean", "integer": "Integer", "number": "Number", "string": "String", "array": "List", "object": "Map"}


class Schema:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.root = json.loads(self.text)
        self.maps = [name for name, node in self.root["$defs"].items() if node.get("properties")]

    def resolve(self, node):
        """The node itself, with what its $ref names filled in, and the name of the map type it refers to."""
        name = node.get("$ref", "").removeprefix("#/$defs/")
        if not name:
            return node, None
        target, deeper = self.resolve(self.root["$defs"][name])
        return {**target, **{k: v for k, v in node.items() if k != "$ref"}}, name if name in self.maps else deeper

    def facts(self, node):
        """(types, map name, item types, item map name) of a value."""
        node, map_name = self.resolve(node)
        if "anyOf" in node:
            parts = [self.facts(part) for part in node["anyOf"]]
            return sum((p[0] for p in parts), []), next((p[1] for p in parts if p[1]), None), [], None
        types = node.get("type", "string")
        types = [types] if isinstance(types, str) else types
        items = self.facts(node["items"]) if "items" in node else ([], None)
        return types, map_name, items[0], items[1]


def cpp_types(names):
    return " | ".join("Type::" + TYPES[n] for n in names) or "Type::None"


def cpp_string(text):
    return json.dumps(text, ensure_ascii=True)


def cpp_raw(name, text):
    """A string literal in pieces, since compilers bound the length of one."""
    pieces = "\n".join(cpp_string(line) for line in text.splitlines(keepends=True))
    return f"constexpr std::string_view {name} =\n{pieces};\n"


def rules(schema, default_path):
    out = []
    for name in schema.maps:
        out.append(f"extern const MapRule map_{name};")
    for name in schema.maps:
        node = schema.root["$defs"][name]
        rows = []
        for key, value in node["properties"].items():
            types, map_name, item_types, item_map = schema.facts(value)
            resolved, _ = schema.resolve(value)
            enum = resolved.get("enum", [])
            if enum:
                out.append(f"constexpr std::string_view enum_{name}_{key}[] = {{{', '.join(cpp_string(e) for e in enum)}}};")
            rows.append("{%s, %s, %s, %s, %s, %s, %d, %s}" % (
                cpp_string(key), cpp_types(types), f"enum_{name}_{key}" if enum else "{}",
                f"&map_{map_name}" if map_name else "nullptr", cpp_types(item_types),
                f"&map_{item_map}" if item_map else "nullptr", resolved.get("minLength", 0),
                cpp_string(resolved.get("format", ""))))
        out.append(f"constexpr KeyRule keys_{name}[] = {{\n  " + ",\n  ".join(rows) + "};")
        out.append(f"const MapRule map_{name}{{{cpp_string(name)}, keys_{name}}};")
    with open(default_path, encoding="utf-8") as file:
        out.append(cpp_raw("embedded_default", file.read()))
    out.append(cpp_raw("embedded_schema", schema.text))
    return "\n".join(out)


def cell(types, item_types, enum):
    if enum:
        return ", ".join(f"`{e}`" for e in enum)
    names = ["map" if t == "object" else "list" if t == "array" else t for t in types]
    text = " or ".join(names)
    if "list" in names and item_types:
        text = text.replace("list", "list of " + " or ".join({"object": "map"}.get(t, t) + "s" for t in item_types))
    return text


def table(schema):
    out = []
    for name in schema.maps:
        out += [f"### {name}", "", "| key | value | default | meaning |", "| --- | --- | --- | --- |"]
        for key, value in schema.root["$defs"][name]["properties"].items():
            types, _, item_types, _ = schema.facts(value)
            node, _ = schema.resolve(value)
            default = f"`{json.dumps(node['default'])}`" if "default" in node else ""
            out.append(f"| `{key}` | {cell(types, item_types, node.get('enum'))} | {default} | {node['description']} |")
        out.append("")
    return "\n".join(out)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("rules", "table"):
        sys.exit(__doc__)
    schema = Schema(sys.argv[2])
    sys.stdout.write(rules(schema, sys.argv[3]) if sys.argv[1] == "rules" else table(schema))


if __name__ == "__main__":
    main()
