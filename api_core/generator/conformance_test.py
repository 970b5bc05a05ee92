"""The conformance page tells what a device's sources override and what the data assumes, and the one in docs/ is of this data."""
import re
import tempfile
import unittest
from pathlib import Path

import conformance
from model import Api

HERE = Path(__file__).resolve().parent
API = Api(HERE.parent / "spec")
DOCS = HERE.parent.parent / "docs" / "conformance.md"

DEVICE = """
class MyEntry final : public zeroth::device::Entry { ze_result_t init(ze_init_flags_t) override; };
class ListBase : public device::CommandList {
public:
  // ze_result_t reset() override;
  ze_result_t close() noexcept override { if (true) { return ZE_RESULT_SUCCESS; } }
};
class Immediate final : public ListBase {
  ze_result_t append_barrier(ze_event_handle_t event, uint32_t count, ze_event_handle_t* events) override;
};
class Meter : public device::sysman::Power { ze_result_t get_properties(zes_power_properties_t*) override; };
"""


def rows(page):
    """function → further cells of its row in the family tables"""
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 4 and re.match(r"ze[str]?[A-Z]", cells[1]):
            found[cells[1]] = cells[2:-1]
    return found


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "mine").mkdir()
        (Path(folder.name) / "mine" / "objects.hpp").write_text(DEVICE)
        (Path(folder.name) / "helper").mkdir()
        self.rows = rows(conformance.page(API, conformance.devices(Path(folder.name))))

    def test_has_every_public_function(self):
        self.assertEqual(sorted(self.rows), sorted(f["name"] for f in API.public_functions()))

    def test_tells_overridden_methods_from_refused_functions(self):
        expected = {"zeCommandListClose": "yes", "zeCommandListReset": "–", "zeCommandListAppendBarrier": "yes", "zeInit": "core",
                    "zesPowerGetProperties": "yes", "zesFanGetProperties": "–", "zerGetDefaultContext": "core"}
        self.assertEqual({name: self.rows[name][1] for name in expected}, expected)

    def test_marks_what_rests_on_assumed_facts(self):
        self.assertIn("slot assumed", self.rows["zeGraphVisitExt"][-1])
        self.assertIn("slot assumed", self.rows["zesDriverGetProperties"][-1])
        self.assertEqual(self.rows["zeDriverGetProperties"][-1], "")
        self.assertEqual(self.rows["zeInit"][-1], "")


class CommittedPage(unittest.TestCase):
    def test_is_of_this_data(self):
        self.assertEqual({name: (cells[0], cells[-1]) for name, cells in rows(DOCS.read_text()).items()},
                         {name: (cells[0], cells[-1]) for name, cells in rows(conformance.page(API, {})).items()},
                         "refresh docs/conformance.md from the build's docs/conformance.md")


if __name__ == "__main__":
    unittest.main()
