"""The Python bindings agree with the data's layout and call the library.

  bindings_test.py PYTHON_DIR LOADER
"""
import ctypes
import os
import sys
import unittest
from pathlib import Path

LOADER, FOLDER = sys.argv.pop(), sys.argv.pop()
sys.path.insert(0, FOLDER)
import level_zero as ze  # noqa: E402
from layout import struct_layout  # noqa: E402
from model import Api  # noqa: E402

API = Api(Path(__file__).resolve().parent.parent / "spec")


class Bindings(unittest.TestCase):
    def test_every_structure_has_the_layout_of_the_data(self):
        for entry in API.structs.values():
            kind = getattr(ze, entry["name"])
            offsets, size, _ = struct_layout(API, entry)
            self.assertEqual(ctypes.sizeof(kind), size, entry["name"])
            for member, offset in offsets:
                self.assertEqual(getattr(kind, member).offset, offset, f"{entry['name']}.{member}")

    def test_every_enumerator_has_its_value(self):
        for entry in API.enums.values():
            for etor in entry["etors"]:
                self.assertEqual(getattr(ze, etor["name"]), etor["value"])

    def test_every_function_can_be_called_by_name(self):
        lib = ze.load(LOADER)
        self.assertEqual([f for f in API.functions if not hasattr(lib, f)], [])

    def test_the_library_answers(self):
        lib = ze.load(LOADER)
        count = ctypes.c_size_t(0)
        self.assertEqual(lib.zelLoaderGetVersions(ctypes.byref(count), None), ze.ZE_RESULT_SUCCESS)
        versions = (ze.zel_component_version_t * count.value)()
        self.assertEqual(lib.zelLoaderGetVersions(ctypes.byref(count), versions), ze.ZE_RESULT_SUCCESS)
        self.assertIn(b"loader", [v.component_name for v in versions])
        self.assertEqual(lib.zeDeviceGetProperties(None, None), ze.ZE_RESULT_ERROR_UNINITIALIZED)


if __name__ == "__main__":
    os.environ["ZE_ENABLE_ALT_DRIVERS"] = "/nonexistent"
    unittest.main()
