#!/usr/bin/env python3
"""Writes everything that repeats per API entry from the data in api_core/spec.

  generate.py --spec DIR --include DIR --generated DIR    write the outputs (only files whose content changed)
  generate.py --spec DIR ... --list                       print the paths of the outputs instead
"""
import argparse
import sys
from pathlib import Path

from asserts import asserts
from bindings import bindings
from check import check
from commands import commands
from coverage import coverage
from ctext import write_if_changed
from ddi_headers import ddi_headers
from exports import exports
from foreign import foreign
from glue import glue
from headers import api_headers
from interfaces import interfaces
from loader_headers import loader_headers
from model import Api, SpecError
from printers import printers
from slots import slots
from tables import tables_header

PUBLIC = (api_headers, ddi_headers, loader_headers)
INTERNAL = (tables_header, slots, exports, interfaces, glue, printers, foreign, commands, asserts, coverage, bindings)


def outputs(api, include, generated):
    for folder, writers in ((include, PUBLIC), (generated, INTERNAL)):
        for writer in writers:
            for path, text in writer(api):
                yield Path(folder) / path, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spec", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--generated", required=True)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    try:
        api = Api(options.spec)
        check(api)
        files = list(outputs(api, options.include, options.generated))
    except SpecError as error:
        sys.exit(f"error: {error}")
    for path, text in files:
        if options.list:
            print(path)
        else:
            write_if_changed(path, text)


if __name__ == "__main__":
    main()
