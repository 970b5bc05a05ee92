"""Finds the SPIR-V modules inside shared objects by their magic word and writes each to a file of its own."""

import pathlib
import struct
import sys

MAGIC = struct.pack("<I", 0x07230203)
FUNCTION_END = 56


def module_end(data, start):
    """End of the module at `start`: after its last function. 0 when it is none."""
    if start + 20 > len(data):
        return 0
    version = struct.unpack_from("<I", data, start + 4)[0]
    if version >> 16 != 1 or version & 0xFF or version >> 8 & 0xFF > 6:
        return 0
    at, end = start + 20, 0
    while at + 4 <= len(data):
        word = struct.unpack_from("<I", data, at)[0]
        count, opcode = word >> 16, word & 0xFFFF
        # The next module, padding or anything else that is no instruction ends this one.
        if count == 0 or opcode > 8191 or data[at : at + 4] == MAGIC or at + 4 * count > len(data):
            break
        at += 4 * count
        if opcode == FUNCTION_END:
            end = at
    return end


def modules(data):
    start = data.find(MAGIC)
    while start >= 0:
        end = module_end(data, start)
        if end:
            yield data[start:end]
        start = data.find(MAGIC, end or start + 1)


def extract(source, target):
    """Writes all modules of the shared objects under `source` to `target`; how many."""
    target.mkdir(parents=True, exist_ok=True)
    number = 0
    for library in sorted(source.rglob("*.so")):
        for module in modules(library.read_bytes()):
            (target / f"{number:05}.spv").write_bytes(module)
            number += 1
    return number


if __name__ == "__main__":
    print(extract(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])), "modules")
