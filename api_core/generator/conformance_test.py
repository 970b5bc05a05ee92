"""The conformance page tells what tests check, what a device's sources override and what the data assumes; the one in docs/
is of this data and claims no more than tests check."""
import json
import re
import tempfile
import unittest
from pathlib import Path

import conformance
from model import Api

HERE = Path(__file__).resolve().parent
API = Api(HERE.parent / "spec")
DOCS = HERE.parent.parent / "docs" / "conformance.md"
TESTS = HERE.parent.parent / "tests" / "conformance"

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
"""
OVERLAY = """
#include <sdk/overlay.hpp>
class Last final : public device::Entry {};
template <class T> class Part : public T {};
class Meter : public device::sysman::Power { ze_result_t get_properties(zes_power_properties_t*) override; };
"""
CHECKED = {"mine": {"zeCommandListClose": "Lists.Close", "zeInit": "Lists.Close"}}
REFUSALS = {"hints": [{"match": "Barrier", "why": "all is in order"}],
            "refusals": [{"match": "Fan", "kind": "rule", "why": "no fans"}, {"match": "Reset", "kind": "gap", "why": "resets"}]}


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
        (Path(folder.name) / "helper" / "meter.hpp").write_text(OVERLAY)
        self.plugins = conformance.devices(Path(folder.name))
        tests = tempfile.TemporaryDirectory()
        self.addCleanup(tests.cleanup)
        (Path(tests.name) / "checked.json").write_text(json.dumps(CHECKED))
        (Path(tests.name) / "refusals.json").write_text(json.dumps(REFUSALS))
        self.rows = rows(conformance.page(API, self.plugins, conformance.Tests(Path(tests.name))))

    def test_has_every_public_function(self):
        self.assertEqual(sorted(self.rows), sorted(f["name"] for f in API.public_functions()))

    def test_says_that_a_function_works_only_where_a_test_checks_it(self):
        expected = {"zeCommandListClose": "works: Lists.Close", "zeInit": "works: Lists.Close",
                    "zeCommandListAppendBarrier": "accepted: all is in order", "zesPowerGetProperties": "not checked",
                    "zerGetDefaultContext": "not checked"}
        self.assertEqual({name: self.rows[name][1] for name in expected}, expected)

    def test_tells_why_others_are_refused(self):
        expected = {"zeCommandListReset": "not built: resets", "zesFanGetProperties": "refused: no fans",
                    "zeImageCreate": "not built: no reason is known"}
        self.assertEqual({name: self.rows[name][1] for name in expected}, expected)

    def test_counts_overlays_with_every_device(self):
        self.assertEqual(list(self.plugins), ["mine"])
        self.assertIn(("sysman::Power", "get_properties"), self.plugins["mine"])

    def test_marks_what_rests_on_assumed_facts(self):
        self.assertIn("slot assumed", self.rows["zeGraphVisitExt"][-1])
        self.assertIn("slot assumed", self.rows["zesDriverGetProperties"][-1])
        self.assertEqual(self.rows["zeDriverGetProperties"][-1], "")
        self.assertEqual(self.rows["zeInit"][-1], "")


class CommittedPage(unittest.TestCase):
    def test_is_of_this_data(self):
        self.assertEqual({name: (cells[0], cells[-1]) for name, cells in rows(DOCS.read_text()).items()},
                         {name: (cells[0], cells[-1]) for name, cells in rows(conformance.page(API, {}, conformance.Tests())).items()},
                         "refresh docs/conformance.md: cmake --build build/release -t conformance")

    def test_claims_no_more_than_tests_check(self):
        tests = conformance.Tests(TESTS)
        for name, cells in rows(DOCS.read_text()).items():
            if cells[1].startswith("works"):
                self.assertEqual(cells[1], f"works: {tests.check_of('cpu', name)}", name)


if __name__ == "__main__":
    unittest.main()
