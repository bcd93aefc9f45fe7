#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks with several implementations in turn and prints a table of ratios for each.

An implementation is NAME=FOLDER, where FOLDER holds the .icd file of an OpenCL library, or NAME=cuda:FOLDER, where FOLDER
holds the bench_cuda_* programs. Every round runs all of them, in an order that turns with the rounds, so that a device that
slows down or warms up treats them alike; a value in the table is the median of its rounds. Ratios are of time, the first
implementation's to another's: 1.00 is equal, below 1 the first one is faster; behind ± is half of how far the rounds' own
ratios lie apart.

  bench/compare.py --programs build/release/bench clcuda=build/release/vendors pocl=/etc/OpenCL/vendors
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("implementations", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--programs", type=pathlib.Path, help="folder of the bench_* programs")
    parser.add_argument("--benches", default="launch_latency,transfer,shared_memory,queues:1,threads:1,two_devices:1,build_time:1,kernels,workloads",
                        help="names of benchmarks; NAME:ROUNDS where one needs fewer or more rounds than --rounds")
    parser.add_argument("--device", default="", help="gpu, cpu or a part of a name; empty: the first")
    parser.add_argument("--only", default="", help="only cases whose name has this part")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", default="0.3", help="for each case")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one program")
    parser.add_argument("--output", type=pathlib.Path, help="file that gets every measurement as a JSON line")
    parser.add_argument("--input", type=pathlib.Path, help="such a file: nothing is measured, its table is printed again")
    parser.add_argument("--markdown", action="store_true", help="the table in Markdown")
    return parser.parse_args()


def command(bench, folder, options):
    """The program and environment of one benchmark with one implementation."""
    arguments = ["--seconds", options.seconds] + (["--only", options.only] if options.only else [])
    environment = dict(os.environ)
    if folder.startswith("cuda:"):
        return [str(pathlib.Path(folder[5:], "bench_cuda_" + bench))] + arguments, environment
    environment["OCL_ICD_VENDORS"] = os.path.abspath(folder)
    environment.pop("OCL_ICD_FILENAMES", None)
    if options.device:
        arguments += ["--device", options.device]
    return [str(options.programs / ("bench_" + bench))] + arguments, environment


def measure(bench, name, folder, options):
    """The measurements of one run, as dictionaries; an error is reported and leaves what came before it."""
    words, environment = command(bench, folder, options)
    try:
        run = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=options.timeout)
        output, problem = run.stdout, run.stderr.strip() or (f"exit status {run.returncode}" if run.returncode else "")
        failed = run.returncode != 0
    except (OSError, subprocess.TimeoutExpired) as error:
        output, problem, failed = (getattr(error, "stdout", None) or b"").decode(), str(error), True
    if failed:
        print(f"{name}: {bench}: {problem}", file=sys.stderr)
    lines = [line for line in output.splitlines() if line.startswith("{") and line.endswith("}")]
    return [dict(json.loads(line), implementation=name) for line in lines]


def measure_all(implementations, options):
    results = []
    for word in options.benches.split(","):
        bench, _, rounds = word.partition(":")
        for turn in range(int(rounds or options.rounds)):
            first = turn % len(implementations)
            for name, folder in implementations[first:] + implementations[:first]:
                print(f"{bench}: round {turn + 1}: {name}", file=sys.stderr, flush=True)
                results += [dict(line, round=turn) for line in measure(bench, name, folder, options)]
    return results


def ratio(first, other):
    """Of the times of two implementations by round: the ratio of their medians, and half the range of the rounds' ratios."""
    if not first or not other:
        return "-"
    rounds = [first[turn] / other[turn] for turn in first if turn in other]
    spread = (max(rounds) - min(rounds)) / 2 if rounds else 0
    return f"{statistics.median(first.values()) / statistics.median(other.values()):.3f} ±{spread:.2f}"


def make_table(names, results):
    """The rows of the table, the head first."""
    seconds, values, units = {}, {}, {}
    for line in results:
        case, name = (line["program"], line["case"]), line["implementation"]
        units[case] = line["unit"]
        seconds.setdefault(case, {}).setdefault(name, {})[line["round"]] = line["seconds"]
        values.setdefault(case, {}).setdefault(name, []).append(line["value"])
    first, others = names[0], names[1:]
    rows = [["case", "unit"] + names + [f"{first}/{name}" for name in others]]
    for case, by_name in seconds.items():
        found = [f"{statistics.median(values[case][name]):.4g}" if name in by_name else "-" for name in names]
        rows.append([case[1], units[case]] + found + [ratio(by_name.get(first), by_name.get(name)) for name in others])
    return rows


def print_table(rows, markdown):
    if markdown:
        rows = rows[:1] + [["---"] * 2 + ["---:"] * (len(rows[0]) - 2)] + rows[1:]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if column < 1 else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths))]
        print("| " + " | ".join(row) + " |" if markdown else "  ".join(cells))


def geometric_means(names, results):
    """A line of the geometric means of the ratios of times, over the cases that both implementations have."""
    medians = {}
    for line in results:
        medians.setdefault(line["implementation"], {}).setdefault(line["case"], []).append(line["seconds"])
    medians = {name: {case: statistics.median(times) for case, times in cases.items()} for name, cases in medians.items()}
    first = medians.get(names[0], {})
    means = []
    for name in names[1:]:
        ratios = [first[case] / time for case, time in medians.get(name, {}).items() if first.get(case) and time]
        if ratios:
            means.append(f"{names[0]}/{name} {statistics.geometric_mean(ratios):.3f} ({len(ratios)} cases)")
    return "Geometric mean: " + ", ".join(means) if means else ""


def main():
    options = parse_arguments()
    implementations = [tuple(word.split("=", 1)) for word in options.implementations]
    if options.input:
        results = [json.loads(line) for line in options.input.read_text().splitlines()]
    else:
        results = measure_all(implementations, options)
    if options.output:
        options.output.write_text("".join(json.dumps(line) + "\n" for line in results))
    for name, device in sorted({(line["implementation"], line["device"]) for line in results}):
        print(f"{name}: {device}")
    names = [name for name, _ in implementations] or list(dict.fromkeys(line["implementation"] for line in results))
    for program in dict.fromkeys(line["program"] for line in results):
        own = [line for line in results if line["program"] == program]
        print(f"\n### {program}\n" if options.markdown else f"\n{program}")
        print_table(make_table(names, own), options.markdown)
        print(("\n" if options.markdown else "") + geometric_means(names, own))
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
