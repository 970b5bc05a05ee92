"""The libraries export the names that programs link against, no more and no less.

  exports_test.py LOADER EXPORTS_TXT ABSENT_TXT DEVICE_PLUGIN
"""
import subprocess
import sys
import unittest
from pathlib import Path

PLUGIN, ABSENT, EXPORTS, LOADER = (Path(sys.argv.pop()) for _ in range(4))


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in lines.splitlines()}


class Exports(unittest.TestCase):
    wanted = set(EXPORTS.read_text().split())

    def test_the_loader_exports_exactly_the_list(self):
        found = exported(LOADER)
        self.assertEqual(sorted(self.wanted - found), [], "missing")
        self.assertEqual(sorted(found - self.wanted), [], "exported beyond the list")

    def test_names_that_static_loaders_probe_for_are_absent(self):
        absent = set(ABSENT.read_text().split())
        self.assertEqual(len(absent), 3)
        self.assertEqual(absent & exported(LOADER), set())

    def test_the_list_holds_what_static_loaders_take_by_name(self):
        for name in ("zeLoaderInit", "zelLoaderGetVersionsInternal", "zeLoaderGetTracingHandle",
                     "zelGetTracerApiProcAddrTable", "zelLoaderTranslateHandleInternal", "zerGetGlobalProcAddrTable",
                     "zelTracerCommandListAppendLaunchKernelRegisterCallback", "zesGetDriverProcAddrTable",
                     "zetGetDebugProcAddrTable", "zeInit", "zelSetDriverTeardown"):
            self.assertIn(name, self.wanted)

    def test_a_device_plugin_exports_every_table_getter(self):
        getters = {name for name in self.wanted if name.endswith("ProcAddrTable") and not name.startswith("zel")}
        self.assertEqual(len(getters), 78)
        self.assertEqual(sorted(getters - exported(PLUGIN)), [])


if __name__ == "__main__":
    unittest.main()
