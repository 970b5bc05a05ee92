"""Seeds and words for the fuzz targets that read text: seeds.py FOLDER SCHEMA.json MACHINE.tree...

Every different content of a file in the recorded machines (tests/sysman/machine.hpp tells their form) becomes a seed in
FOLDER/sysman, every line that a log could hold one in FOLDER/cper. The texts that no machine has a file for (netlink, firmware
tables, the log) are listed here. FOLDER/config.dict holds the words of the configuration's format; FOLDER/made says that all is done."""

import hashlib
import json
import pathlib
import sys

NOTICES = [b"change@/devices/pci0000:00/0000:00:01.0/0000:03:00.0/drm/card0\0SUBSYSTEM=drm\0WEDGED=rebind,bus-reset\0",
           b"remove@/devices/pci0000:00/0000:03:00.0\0ACTION=remove\0SUBSYSTEM=pci\0"]
MODULE = bytes([17, 0x54]) + bytes(10) + b"\1\x40" + bytes(2) + b"\1" + bytes(6) + b"\2" + bytes(20) + b"\x80\xce" + bytes(0x26)
TABLES = [MODULE + b"P0_A\0Samsung\0\0", MODULE[:0x28] + b"DIMM 0\0 Hynix \0\0"]
ERRORS = [b"RxErr 0\nBadTLP 1\nBadDLLP 0\nRollover 3\nTimeout 2\n"]
LINES = [b"6,339,5140900,-;mce: [Hardware Error]: Corrected error, no action required.",
         b"4,1,2,-;EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#0_DIMM#0",
         b"3,1,2,-;EDAC MC0: 1 UE Fatal uncorrected error", b"4,1,2,-;CPU3: Core temperature above threshold, cpu clock throttled",
         b"corrected some text", b"fatal x", b" SUBSYSTEM=pci"]


def contents(tree):
    """The texts of the files in a recording."""
    lines = iter(tree.read_text().splitlines())
    for line in lines:
        if line.endswith(" <<"):
            text = []
            for more in lines:
                if more == ".":
                    break
                text.append(more)
            yield ("\n".join(text) + "\n").encode()
        elif line.startswith("/") and " = " in line:
            yield (line.split(" = ", 1)[1] + "\n").encode()


def words(schema):
    """Names of keys and the texts that values may be, anywhere in a JSON schema."""
    if isinstance(schema, list):
        return {word for item in schema for word in words(item)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {})) | {value for value in schema.get("enum", []) if isinstance(value, str)}
    return own.union(*[words(value) for value in schema.values()])


def write(folder, texts):
    folder.mkdir(parents=True, exist_ok=True)
    for text in texts:
        (folder / hashlib.sha1(text).hexdigest()).write_bytes(text)


def main():
    folder, schema, *trees = [pathlib.Path(name) for name in sys.argv[1:]]
    write(folder / "sysman", [text for tree in trees for text in contents(tree)] + NOTICES + TABLES + ERRORS + LINES)
    write(folder / "cper", LINES)
    (folder / "config.dict").write_text("".join(f'"{word}"\n' for word in sorted(words(json.loads(schema.read_text())))))
    (folder / "made").touch()


if __name__ == "__main__":
    main()
