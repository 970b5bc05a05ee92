"""Loads the API data of a spec folder into one Api object: plain JSON entries, indexed by name.

Facts that no public document states live in assumed.json; they are laid over the entries here, so the rest of the
generator sees complete data and can still ask what rests on an assumption.
"""
import json
import re
from pathlib import Path

FAMILIES = ("ze", "zes", "zet", "zer")
FILES = FAMILIES + ("zel",)
LISTS = {"macro": "macros", "handle": "handles", "typedef": "typedefs", "enum": "enums", "struct": "structs",
         "union": "structs", "callback": "callbacks", "function": "functions", "default": "defaults", "table": "ddi"}
# A family's part of the handle prefix (ze_handle_t) and the words for it inside Zeroth.
PREFIX_MEMBER = {"ze": "pCore", "zet": "pTools", "zes": "pSysman", "zer": "pRuntime"}
FAMILY_NAME = {"ze": "Core", "zet": "Tools", "zes": "Sysman", "zer": "Runtime"}


class SpecError(Exception):
    """Wrong data. The text names the file and the entry."""

    def __init__(self, file, entry, text):
        super().__init__(f"{file}: {entry}: {text}")


class Api:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.families = {name: self._read(name + ".json") for name in FILES}
        self.exports = self._read("exports.json")
        self.assumed = self._read("assumed.json")["facts"]
        for fact in self.assumed:
            self._lay_over(fact)
        self._index()

    def _read(self, file):
        try:
            return json.loads((self.folder / file).read_text())
        except (OSError, ValueError) as error:
            raise SpecError(file, "file", error) from error

    def _lay_over(self, fact):
        data = self.families[fact["family"]]
        if fact["kind"] == "slot":
            entries = self._named(data["ddi"], fact["of"], fact)["entries"]
            values = dict(fact["set"], entry=fact["name"], assumed=fact["basis"])
            if "position" not in values:
                raise SpecError("assumed.json", fact["name"], "missing table position")
            entries.insert(values.pop("position"), values)
            return
        if fact["kind"] == "enumerator":
            entry = self._named(self._named(data["enums"], fact["of"], fact)["etors"], fact["name"], fact)
        else:
            entry = self._named(data[LISTS[fact["kind"]]], fact["name"], fact)
        entry.update(fact["set"])
        entry["assumed"] = "; ".join(filter(None, (entry.get("assumed"), fact["basis"])))

    @staticmethod
    def _named(entries, name, fact):
        for entry in entries:
            if entry["name"] == name:
                return entry
        raise SpecError("assumed.json", fact["name"], f"no entry '{name}' in {fact['family']}.json")

    def _index(self):
        self.macros, self.handles, self.typedefs, self.enums, self.flags = {}, {}, {}, {}, {}
        self.structs, self.callbacks, self.functions, self.tables = {}, {}, {}, []
        for family, data in self.families.items():
            for kind in ("macro", "handle", "typedef", "enum", "struct", "callback", "function"):
                index = getattr(self, LISTS[kind])
                for entry in data.get(LISTS[kind], []):
                    entry["family"] = family
                    if entry["name"] in index and kind != "macro":
                        raise SpecError(family + ".json", entry["name"], f"{kind} defined twice")
                    index[entry["name"]] = entry
            for table in data["ddi"]:
                table["family"] = family
                if family != "zel":
                    self.tables.append(table)
        self.flags = {e["flags_typedef"]: e for e in self.enums.values() if "flags_typedef" in e}
        self.slots = {slot["function"]: (table, slot) for table in self.tables for slot in table["entries"]}

    def public_functions(self):
        """Functions of the four families, in declaration order (zel's loader functions are not among them)."""
        return [f for f in self.functions.values() if f["family"] != "zel"]

    def handle_class(self, type_name):
        """The handle entry that a parameter type stands for, aliases resolved; None if it is no handle."""
        entry = self.handles.get(type_name)
        while entry and "alias" in entry:
            entry = self.handles[entry["alias"]]
        return entry

    def tables_of(self, family):
        return [t for t in self.tables if t["family"] == family]


def base_type(type_text):
    """('ze_x_t', number of stars) of a C type text such as 'const ze_x_t*'."""
    return re.sub(r"\bconst\b|\*", "", type_text).strip(), type_text.count("*")


def version_number(text):
    major, minor = text.split(".")[:2]
    return int(major) << 16 | int(minor)


def slot_version(slot):
    """The first version whose headers hold this table entry."""
    return max(version_number(slot["since"]), version_number(slot.get("published", "0.0")))


def snake(name):
    """CamelCase to snake_case; digits stay with their word: GetP2PProperties -> get_p2p_properties."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z]|[0-9][a-z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[0-9])(?=[A-Z][a-z])", "_", name)
    return name.lower()


def family_of(function):
    return function["family"]


def without_family(function):
    """Function name without its family prefix."""
    return function["name"][len(function["family"]):]
