"""The part of the exam that is short enough for every run; exam.py takes the whole."""

import unittest

import environment
import exam


class Exam(unittest.TestCase):
    def take(self, name, adapter):
        self.assertTrue(exam.take(name, exam.suites()[name], adapter, limit=800))

    def test_dpctl_through_the_first_adapter(self):
        self.take("dpctl", "v1")

    def test_dpctl_through_the_second_adapter(self):
        self.take("dpctl", "v2")

    def test_a_part_of_dpnp_through_the_first_adapter(self):
        self.take("dpnp-part", "v1")

    def test_a_part_of_dpnp_through_the_second_adapter(self):
        self.take("dpnp-part", "v2")


if __name__ == "__main__":
    environment.require()
    unittest.main(verbosity=2)
