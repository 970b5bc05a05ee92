"""Rules for every file of the tree: it stands alone, and what is in it is finished."""

import re
import unittest

import tree

# Assembled from pieces, so that this file does not find itself.
MACHINE_PATHS = re.compile(r"(?<![\w.$}/-])/(" + "|".join(["work", "root", "farm", "tmp/[a-z]"]) + r")[/\w]")
REGISTRY_HOSTS = re.compile("|".join([r"deb\.deb" + r"ian\.org", r"pypi\." + "org", r"files\.python" + "hosted", r"archive\.ub" + "untu"]))
UNFINISHED = re.compile(r"\b(TO" + "DO|FIX" + "ME|XX" + r"X|HA" + r"CK)\b|\bfor n" + r"ow\b|place" + "holder")
LONGEST_FILE = 450


def hits(pattern, paths):
    return [f"{path}:{number}: {line.strip()[:100]}" for path in paths for number, line in enumerate(tree.lines(path), 1) if pattern.search(line)]


def prose(page):
    """A document without its blocks of code, where brackets mean other things."""
    return re.sub(r"^```.*?^```$", "", "\n".join(tree.lines(page)), flags=re.M | re.S)


class House(unittest.TestCase):
    maxDiff = None

    def test_no_file_refers_to_a_path_of_one_machine(self):
        self.assertEqual([], hits(MACHINE_PATHS, tree.files()))

    def test_no_file_names_a_package_registry_host(self):
        self.assertEqual([], hits(REGISTRY_HOSTS, tree.files()))

    def test_nothing_refers_to_the_shared_folder_outside_the_tree(self):
        self.assertEqual([], hits(re.compile(r"\.\./sha" + "red/"), tree.files()))

    def test_no_words_of_unfinished_work(self):
        self.assertEqual([], hits(UNFINISHED, tree.sources()))

    def test_links_in_documents_lead_to_files(self):
        link = re.compile(r"\]\(([^)#:]+)(#[^)]*)?\)")
        pages = [f for f in tree.files() if f.suffix == ".md"]
        dead = [f"{page}: {m[1]}" for page in pages for m in link.finditer(prose(page)) if not (tree.ROOT / page.parent / m[1]).exists()]
        self.assertEqual([], dead)

    def test_files_can_be_held_in_the_head(self):
        long = {str(f): len(tree.lines(f)) for f in tree.sources()}
        self.assertEqual({}, {f: n for f, n in long.items() if n > LONGEST_FILE})


if __name__ == "__main__":
    unittest.main()
