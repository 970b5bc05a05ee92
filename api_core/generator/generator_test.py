"""Rules of the generator: same data, same bytes; a new entry is a change of the data alone; wrong data is refused by name."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from glue import reason

HERE = Path(__file__).resolve().parent
SPEC = HERE.parent / "spec"


def generate(spec, out, **environment):
    command = [sys.executable, "-B", HERE / "generate.py", "--spec", spec, "--include", out / "include", "--generated",
               out / "generated"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class SpecCopy:
    """A copy of the data in a folder of its own, to be changed."""

    def __init__(self, add_cleanup):
        folder = tempfile.TemporaryDirectory()
        add_cleanup(folder.cleanup)
        self.path = Path(folder.name)
        self.spec, self.out = self.path / "spec", self.path / "out"
        shutil.copytree(SPEC, self.spec)

    def change(self, file, edit):
        path = self.spec / file
        path.chmod(0o644)
        data = json.loads(path.read_text())
        edit(data)
        path.write_text(json.dumps(data))

    def generate(self, **environment):
        return generate(self.spec, self.out, **environment)

    def read(self, path):
        return (self.out / path).read_text()


def named(entries, name, key="name"):
    return next(e for e in entries if e[key] == name)


class Output(unittest.TestCase):
    def test_two_runs_write_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = Path(folder) / "1", Path(folder) / "2"
            self.assertEqual(generate(SPEC, first, PYTHONHASHSEED="1").returncode, 0)
            self.assertEqual(generate(SPEC, second, PYTHONHASHSEED="2").returncode, 0)
            self.assertGreater(len(contents(first)), 50)
            self.assertEqual(contents(first), contents(second))

    def test_a_run_without_change_touches_no_file(self):
        copy = SpecCopy(self.addCleanup)
        self.assertEqual(copy.generate().returncode, 0)
        times = {p: p.stat().st_mtime_ns for p in copy.out.rglob("*")}
        copy.change("ze.json", lambda data: None)
        self.assertEqual(copy.generate().returncode, 0)
        self.assertEqual(times, {p: p.stat().st_mtime_ns for p in copy.out.rglob("*")})


def invent(data):
    """A handle, a struct, a flag, a result code and two functions that no specification has."""
    data["handles"].append({"name": "ze_invention_handle_t", "class": "zeInvention", "since": "1.20", "region": "common"})
    data["structs"].append({"name": "ze_invented_properties_t", "kind": "struct", "base": "plain", "since": "1.20", "members": [
        {"name": "size", "type": "size_t"}, {"name": "flags", "type": "ze_init_flags_t"}]})
    data["functions"].append({
        "name": "zeDeviceGetInvention", "class": "zeDevice", "method": "GetInvention", "group": "core", "since": "1.20",
        "return": "ze_result_t", "returns": {"ZE_RESULT_ERROR_INVALID_NULL_HANDLE": ["hDevice"],
                                             "ZE_RESULT_ERROR_INVALID_NULL_POINTER": ["pProperties"]},
        "params": [{"name": "hDevice", "type": "ze_device_handle_t", "dir": "in"},
                   {"name": "pProperties", "type": "ze_invented_properties_t*", "dir": "out"}]})
    data["functions"].append({
        "name": "zeInventionDestroy", "class": "zeInvention", "method": "Destroy", "group": "core", "since": "1.20",
        "return": "ze_result_t", "returns": {"ZE_RESULT_ERROR_INVALID_NULL_HANDLE": ["hInvention"]},
        "params": [{"name": "hInvention", "type": "ze_invention_handle_t", "dir": "in"}]})
    data["decl_order"] += [["handle", "ze_invention_handle_t"], ["struct", "ze_invented_properties_t"],
                           ["function", "zeDeviceGetInvention"], ["function", "zeInventionDestroy"]]
    named(data["enums"], "ze_init_flag_t")["etors"].insert(0, {"name": "ZE_INIT_FLAG_INVENTED", "value": 1 << 20, "since": "1.20"})
    named(data["enums"], "ze_result_t")["etors"].insert(0, {"name": "ZE_RESULT_ERROR_INVENTED", "value": 0x7ffe1234, "since": "1.20"})
    named(data["ddi"], "Device")["entries"].append({"entry": "pfnGetInvention", "function": "zeDeviceGetInvention",
                                                    "pfn_type": "ze_pfnDeviceGetInvention_t", "since": "1.20"})
    data["ddi"].append({"table": "ze_invention_dditable_t", "name": "Invention", "class": "zeInvention", "since": "1.20",
                        "getter": "zeGetInventionProcAddrTable", "pfn_getter_type": "ze_pfnGetInventionProcAddrTable_t",
                        "entries": [{"entry": "pfnDestroy", "function": "zeInventionDestroy",
                                     "pfn_type": "ze_pfnInventionDestroy_t", "since": "1.20"}]})


class Reasons(unittest.TestCase):
    def test_are_words_not_expressions(self):
        self.assertEqual(reason("(nullptr == phWaitEvents) && (0 < numWaitEvents)"), "phWaitEvents is null, but numWaitEvents is not 0")
        self.assertEqual(reason("0x3 < uint32_t(desc->flags)"), "desc->flags has a bit that means nothing")
        self.assertEqual(reason("ZE_MODULE_FORMAT_NATIVE < desc->format"), "desc->format is none of the values up to ZE_MODULE_FORMAT_NATIVE")
        self.assertEqual(reason("nullptr == desc->pNext && (0 == desc->inputSize)"), "desc->inputSize is 0, and desc->pNext is null")


class InventedEntries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = SpecCopy(cls.addClassCleanup)
        cls.copy.change("ze.json", invent)
        result = cls.copy.generate()
        assert result.returncode == 0, result.stderr

    def expect(self, path, *texts):
        content = self.copy.read(path)
        for text in texts:
            self.assertIn(text, content, path)

    def test_stand_in_the_header(self):
        self.expect("include/level_zero/ze_api.h", "typedef struct _ze_invention_handle_t* ze_invention_handle_t;",
                    "struct _ze_invented_properties_t", "zeDeviceGetInvention(", "ZE_INIT_FLAG_INVENTED", "ZE_RESULT_ERROR_INVENTED")

    def test_are_exported(self):
        self.expect("generated/zeroth/api/ze_loader.map", "zeDeviceGetInvention;", "zeGetInventionProcAddrTable;")
        self.expect("generated/zeroth/api/exports.txt", "zeDeviceGetInvention\n")
        self.expect("generated/zeroth/api/exports.cpp", "ze_result_t ZE_APICALL zeDeviceGetInvention(")

    def test_stand_in_the_tables(self):
        self.expect("include/level_zero/ze_ddi.h", "ze_pfnDeviceGetInvention_t pfnGetInvention;", "ze_invention_dditable_t* Invention;")
        self.expect("generated/zeroth/api/tables.hpp", '{"zeDeviceGetInvention", ze_api_version_t(0x10014)}')
        self.expect("generated/zeroth/api/slots.inc", "ZEROTH_SLOT(ze, Device, pfnGetInvention, zeDeviceGetInvention,",
                    "ZEROTH_TABLE(ze, Invention, core_container)")

    def test_are_printed(self):
        self.expect("generated/zeroth/api/printers.cpp", '{"ZE_INIT_FLAG_INVENTED", 1048576}', '"ZE_RESULT_ERROR_INVENTED"',
                    "M(flags, 0, info_ze_init_flags_t)")

    def test_are_methods_of_the_device_classes(self):
        self.expect("generated/zeroth/device/device.hpp", "virtual ze_result_t get_invention(ze_invented_properties_t* pProperties);")
        self.expect("generated/zeroth/device/invention.hpp", "class Invention : public Handle", "virtual ze_result_t destroy();")
        self.expect("generated/zeroth/device/glue.cpp", '"zeDeviceGetInvention", "pProperties is null"',
                    "object<Device>(hDevice).get_invention(pProperties)")

    def test_compile(self):
        out, runtime = self.copy.out, HERE / "runtime"
        include = [f"-I{out}/include", f"-I{out}/generated", f"-I{runtime}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
        for command in (["cc", "-std=c11", *include, f"{out}/generated/zeroth/test/abi.c"],
                        ["c++", "-std=c++20", *include, f"{out}/generated/zeroth/api/printers.cpp"],
                        ["c++", "-std=c++20", *include, f"{out}/generated/zeroth/device/interfaces.cpp"],
                        ["c++", "-std=c++20", *include, f"{runtime}/default_tables.cpp"]):
            result = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)


class WrongData(unittest.TestCase):
    def refused(self, file, edit, *texts):
        copy = SpecCopy(self.addCleanup)
        copy.change(file, edit)
        result = copy.generate()
        self.assertEqual(result.returncode, 1)
        for text in texts:
            self.assertIn(text, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertFalse(copy.out.exists(), "wrong data must write nothing")

    def test_unknown_type_of_a_member(self):
        def edit(data):
            named(data["structs"], "ze_context_desc_t")["members"][2]["type"] = "ze_nothing_t"
        self.refused("ze.json", edit, "ze.json: ze_context_desc_t:", "unknown type 'ze_nothing_t'")

    def test_unknown_type_of_a_parameter(self):
        def edit(data):
            named(data["functions"], "zesFanGetState")["params"][1]["type"] = "zes_nothing_t"
        self.refused("zes.json", edit, "zes.json: zesFanGetState:", "unknown type 'zes_nothing_t'")

    def test_duplicate_value(self):
        def edit(data):
            named(data["enums"], "ze_result_t")["etors"][3]["value"] = 1
        self.refused("ze.json", edit, "ze.json: ze_result_t: duplicate value 0x1 of ZE_RESULT_NOT_READY")

    def test_duplicate_name(self):
        def edit(data):
            data["functions"].append(dict(named(data["functions"], "zetMetricGet")))
        self.refused("zet.json", edit, "zet.json: zetMetricGet:", "defined twice")

    def test_missing_table_position(self):
        def edit(data):
            del named(data["ddi"], "Fence")["entries"][1]
        self.refused("ze.json", edit, "ze.json: zeFenceDestroy: missing table position")

    def test_missing_position_of_an_assumed_entry(self):
        def edit(data):
            del named(data["facts"], "pfnVisitExt")["set"]["position"]
        self.refused("assumed.json", edit, "assumed.json: pfnVisitExt: missing table position")

    def test_table_entry_of_an_unknown_function(self):
        def edit(data):
            named(data["ddi"], "Fence")["entries"][1]["function"] = "zeFenceBurn"
        self.refused("ze.json", edit, "ze.json: Fence.pfnDestroy: entry of unknown function 'zeFenceBurn'")

    def test_young_entry_before_an_older_one(self):
        def edit(data):
            named(data["ddi"], "Fence")["entries"][1]["since"] = "1.9"
        self.refused("ze.json", edit, "ze.json: Fence.pfn", "grows at its end only")

    def test_unknown_result_code(self):
        def edit(data):
            named(data["functions"], "zeFenceReset")["returns"]["ZE_RESULT_ERROR_TIRED"] = []
        self.refused("ze.json", edit, "ze.json: zeFenceReset: lists unknown result code ZE_RESULT_ERROR_TIRED")

    def test_unknown_dimension(self):
        def edit(data):
            named(data["structs"], "zes_uuid_t")["members"][0]["dim"] = "ZES_NO_SIZE"
        self.refused("zes.json", edit, "zes.json: zes_uuid_t:", "unknown dimension 'ZES_NO_SIZE'")

    def test_declaration_order_without_an_entry(self):
        def edit(data):
            data["decl_order"].remove(["struct", "ze_context_desc_t"])
        self.refused("ze.json", edit, "ze.json: ze_context_desc_t: struct is missing in decl_order")

    def test_failure_value_missing(self):
        def edit(data):
            del named(data["functions"], "zerGetDefaultContext")["failure_value"]
        self.refused("zer.json", edit, "zer.json: zerGetDefaultContext:", "failure_value")

    def test_assumed_fact_about_nothing(self):
        def edit(data):
            data["facts"][0]["name"] = "ZE_NOTHING"
        self.refused("assumed.json", edit, "assumed.json: ZE_NOTHING: no entry")

    def test_broken_json(self):
        copy = SpecCopy(self.addCleanup)
        (copy.spec / "zet.json").write_text("{")
        result = copy.generate()
        self.assertEqual(result.returncode, 1)
        self.assertIn("zet.json: file:", result.stderr)


class AssumedFacts(unittest.TestCase):
    def test_are_corrected_in_one_place(self):
        def edit(data):
            named(data["facts"], "ZE_STRUCTURE_TYPE_EVENT_EXT_FLAGS_DESC")["set"]["value"] = 0x20077
        copy = SpecCopy(self.addCleanup)
        copy.change("assumed.json", edit)
        self.assertEqual(copy.generate().returncode, 0)
        self.assertIn("ZE_STRUCTURE_TYPE_EVENT_EXT_FLAGS_DESC = 0x20077", copy.read("include/level_zero/ze_api.h"))


if __name__ == "__main__":
    unittest.main()
