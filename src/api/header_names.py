#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""header_names.py OUTPUT HEADER…: the names that OpenCL's headers give to error codes and to queries, as lines of C++.

Error codes are negative. Names of queries, properties and the like are numbers of four hexadecimal digits that the registry gives out once,
from 0x0900 on; what is written in another way, as flags are, is neither.
"""
import pathlib
import re
import sys

FORMS = (r"#define\s+(CL_\w+)\s+\(?(-\d+|0x[0-9A-Fa-f]{4})\)?\s*(?:/[/*].*)?$", r"constexpr \w+ (CL_\w+) = (0x[0-9A-Fa-f]{4});")
LEAST_QUERY = 0x0900


def main(output, *headers):
    codes, queries = {}, {}
    for header in headers:
        for line in pathlib.Path(header).read_text().splitlines():
            for form in FORMS:
                if match := re.match(form, line.strip()):
                    value = int(match[2], 0)
                    if value < 0:
                        codes.setdefault(value, match[1])
                    elif value >= LEAST_QUERY:
                        queries.setdefault(value, match[1])
    lines = [f'CODE({value}, "{name}")' for value, name in sorted(codes.items(), reverse=True)]
    lines += [f'QUERY(0x{value:04X}, "{name}")' for value, name in sorted(queries.items())]
    pathlib.Path(output).write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
