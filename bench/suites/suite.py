# SPDX-License-Identifier: Apache-2.0
"""What the runners of other authors' benchmark suites share: options, implementations, running a program, and the table.

A suite is a folder that the user names; it is built unchanged, in a folder of its own. An implementation is NAME=FOLDER, where
FOLDER holds the .icd file of an OpenCL library, or NAME=cuda: the suite's own CUDA programs, those that this machine's nvcc
compiles. Every round runs all implementations, in an order that turns with the rounds. A run whose own check of its result
fails, that ends with an error or that takes too long is reported and has no figures.
"""
import argparse
import dataclasses
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import compare  # noqa: E402 (the folder is on the path only now)


@dataclasses.dataclass(frozen=True)
class Figure:
    """One number that a program printed. A rate is better when larger, anything else is a time or another cost."""
    case: str
    unit: str
    value: float

    @property
    def cost(self):
        return 1 / self.value if "/s" in self.unit or self.unit.lower().endswith("flops") else self.value


@dataclasses.dataclass(frozen=True)
class Implementation:
    name: str
    folder: str  # "cuda": no OpenCL

    @property
    def is_cuda(self):
        return self.folder == "cuda"

    def environment(self):
        environment = dict(os.environ)
        if not self.is_cuda:
            environment["OCL_ICD_VENDORS"] = os.path.abspath(self.folder)
            environment.pop("OCL_ICD_FILENAMES", None)
        return environment


class Failed(Exception):
    """A program that did not build, did not end well or found its result wrong; the text says which."""


def parser_of(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("implementations", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the suite's folder, which stays as it is")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a folder to build in; kept, and used again")
    parser.add_argument("--programs", default="", help="only these, separated by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one program")
    parser.add_argument("--output", type=pathlib.Path, help="file for the figures, a line of JSON for each")
    parser.add_argument("--markdown", action="store_true", help="the tables in Markdown")
    return parser


def parse(parser):
    options = parser.parse_args()
    options.implementations = [Implementation(*word.split("=", 1)) for word in options.implementations]
    options.source, options.build = options.source.resolve(), options.build.resolve()
    options.build.mkdir(parents=True, exist_ok=True)
    return options


def chosen(programs, options):
    """Those of a dictionary by name that --programs names."""
    names = options.programs.split(",") if options.programs else list(programs)
    if unknown := [name for name in names if name not in programs]:
        sys.exit(f"no such program: {', '.join(unknown)}; there are {', '.join(programs)}")
    return {name: programs[name] for name in names}


def run(words, folder, environment=None, timeout=None):
    """What a command printed on either output."""
    try:
        done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(str(error)) from error
    if done.returncode:
        raise Failed(f"exit status {done.returncode}: {done.stdout.strip()[-600:]}")
    return done.stdout


def need(tool):
    if not shutil.which(tool):
        sys.exit(f"{tool} is needed, and not on the path")


def measure(programs, measure_one, options):
    """measure_one(name, program, implementation) gives the figures of one run. Returns compare.py's dictionaries, and how many
    runs failed."""
    results, failed = [], 0
    everyone = options.implementations
    for (name, program), turn in itertools.product(programs.items(), range(options.rounds)):
        first = turn % max(1, len(everyone))
        for implementation in everyone[first:] + everyone[:first]:
            print(f"{name}: round {turn + 1}: {implementation.name}", file=sys.stderr, flush=True)
            try:
                figures = list(measure_one(name, program, implementation))
            except Failed as problem:
                failed += 1
                print(f"{implementation.name}: {name}: {problem}", file=sys.stderr, flush=True)
                continue
            results += [{"program": name, "case": figure.case, "implementation": implementation.name, "round": turn,
                         "unit": figure.unit, "value": figure.value, "cost": figure.cost}
                        for figure in figures if figure.value > 0]
    return results, failed


def report(results, failed, options):
    """Prints a table for each program and the geometric means; the exit status: 1 if a run failed."""
    if options.output:
        options.output.write_text("".join(json.dumps(line) + "\n" for line in results))
    names = [implementation.name for implementation in options.implementations]
    for program in dict.fromkeys(line["program"] for line in results):
        own = [line for line in results if line["program"] == program]
        print(f"\n### {program}\n" if options.markdown else f"\n{program}")
        compare.print_table(compare.make_table(names, own), options.markdown)
    if results:
        whole = [dict(line, case=f"{line['program']} {line['case']}") for line in results]
        print("\n" + compare.geometric_means(names, whole))
    print(f"{failed} runs failed")
    return 1 if failed else 0
