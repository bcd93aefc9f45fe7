#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clpeak with several OpenCL libraries in turn and prints the medians and their ratios.

NAME=FOLDER is a library, by the folder of its .icd file. Everything after -- goes to clpeak. Ratios are the first library's
performance to another's: above 1 the first one is faster (also for the launch latency, which is turned round).

  bench/compare_clpeak.py clcuda=build/release/vendors vendor=/etc/OpenCL/vendors -- --global-bandwidth --compute-sp
"""
import argparse
import collections
import os
import re
import statistics
import subprocess
import sys


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run")
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    return parser.parse_args(words[:cut]), words[cut + 1:]


def parse_output(text):
    """{(test, case): value} of one run. A heading ends with its unit; each line below it is a case and its number."""
    values, heading = {}, ""
    for line in text.splitlines():
        if match := re.match(r"^    (\S.*) \((\w+)\)\s*$", line):
            heading = f"{match[1]} {match[2]}"
        elif match := re.match(r"^    Kernel launch latency : ([\d.]+) us", line):
            values["Kernel launch latency us", ""] = float(match[1])
        elif match := re.match(r"^ {6,}(\S.*?)\s*: ([\d.]+)\s*$", line):
            values[heading, match[1]] = float(match[2])
    return values


def run_clpeak(folder, arguments, timeout):
    environment = dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(folder))
    environment.pop("OCL_ICD_FILENAMES", None)
    run = subprocess.run(["clpeak", *arguments], env=environment, capture_output=True, text=True, timeout=timeout, check=False)
    if run.returncode != 0:
        raise OSError(f"exit status {run.returncode}: {run.stdout[-500:]}{run.stderr[-500:]}")
    return parse_output(run.stdout)


def main():
    options, arguments = parse_arguments()
    libraries = [tuple(word.split("=", 1)) for word in options.libraries]
    measured, failed = collections.defaultdict(lambda: collections.defaultdict(list)), False
    for turn in range(options.rounds):
        first = turn % len(libraries)
        for name, folder in libraries[first:] + libraries[:first]:
            print(f"clpeak: round {turn + 1} of {options.rounds}: {name}", file=sys.stderr, flush=True)
            try:
                for case, value in run_clpeak(folder, arguments, options.timeout).items():
                    measured[case][name].append(value)
            except (OSError, subprocess.TimeoutExpired) as error:
                print(f"{name}: {error}", file=sys.stderr)
                failed = True
    names = [name for name, _ in libraries]
    print(f"{'clpeak':64}" + "".join(f"{name:>11}" for name in names) +
          "".join(f"{names[0] + '/' + name:>16}" for name in names[1:]))
    for (heading, case), by_name in measured.items():
        median = {name: statistics.median(values) for name, values in by_name.items()}
        row = f"{heading + ' ' + case:64}" + "".join(f"{median[n]:11.5g}" if n in median else f"{'-':>11}" for n in names)
        for name in names[1:]:
            ratio = median[names[0]] / median[name] if median.get(name) and median.get(names[0]) else None
            if ratio and heading.endswith(" us"):
                ratio = 1 / ratio
            row += f"{ratio:16.3f}" if ratio else f"{'-':>16}"
        print(row)
    return 1 if failed or not measured else 0


if __name__ == "__main__":
    sys.exit(main())
