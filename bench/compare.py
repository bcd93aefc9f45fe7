#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks with several implementations in turn and prints a table of ratios for each.

An implementation is NAME=FOLDER, where FOLDER holds the .icd file of an OpenCL library; NAME=il:MODULES:FOLDER, which takes the
kernels as SPIR-V, where MODULES holds FAMILY.spv for each bench/kernels/FAMILY.cl, as clcuda-compile makes them; or
NAME=cuda:FOLDER, where FOLDER holds the bench_cuda_* programs. Every round runs all of them, in an order that turns with the
rounds, so that a device that slows down or warms up treats them alike. Within a program, Google Benchmark repeats each case,
mixed at random with the others. A value in the table is the median of its rounds, each of which is the median of its repetitions. Ratios are of time, the first
implementation's to another's: 1.00 is equal, below 1 the first one is faster; behind ± is half of how far the rounds' own
ratios lie apart.

With --fast-math, OpenCL programs build their kernels with -cl-fast-relaxed-math, and CUDA's programs are those that were
compiled with --use_fast_math.

  bench/compare.py --programs build/release/bench clcuda=build/release/vendors pocl=/etc/OpenCL/vendors
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

BENCHES = "launch_latency,transfer,shared_memory,unified_memory:1,queues:1,threads:1,two_devices:1,build_time:1,kernels,workloads"
FAST_MATH_BENCHES = "kernels,workloads,functions"  # those whose kernels are the same for OpenCL and CUDA


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("implementations", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--programs", type=pathlib.Path, help="folder of the bench_* programs")
    parser.add_argument("--benches", help="names of benchmarks; NAME:ROUNDS where one needs fewer or more rounds than --rounds; "
                        f"default: {BENCHES}, with --fast-math {FAST_MATH_BENCHES}")
    parser.add_argument("--fast-math", action="store_true", help="with -cl-fast-relaxed-math, and CUDA with --use_fast_math")
    parser.add_argument("--build-options", default="", help="for the OpenCL programs of kernels, workloads and functions")
    parser.add_argument("--device", default="", help="gpu, cpu or a part of a name; empty: the first")
    parser.add_argument("--filter", default="", help="only cases whose name this regular expression matches")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repetitions", default="11", help="of each case in a round")
    parser.add_argument("--min-time", default="0.02", help="seconds for one repetition")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one program")
    parser.add_argument("--output", type=pathlib.Path, help="file for what Google Benchmark writes, a line of JSON for each run")
    parser.add_argument("--input", type=pathlib.Path, help="such a file: nothing is measured, its table is printed again")
    parser.add_argument("--markdown", action="store_true", help="the table in Markdown")
    options = parser.parse_args()
    options.benches = options.benches or (FAST_MATH_BENCHES if options.fast_math else BENCHES)
    if options.fast_math:
        options.build_options += " -cl-fast-relaxed-math"
    return options


def command(bench, folder, options):
    """The program and environment of one benchmark with one implementation."""
    arguments = ["--benchmark_repetitions=" + options.repetitions, "--benchmark_min_time=" + options.min_time,
                 "--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true",
                 "--benchmark_out_format=json", "--benchmark_filter=" + (options.filter or ".")]
    environment = dict(os.environ)
    if folder.startswith("cuda:"):
        programs = pathlib.Path(folder[5:]) / ("fast_math" if options.fast_math else "")
        return [str(programs / ("bench_cuda_" + bench))] + arguments, environment
    if folder.startswith("il:"):
        modules, folder = folder[3:].split(":")
        arguments += ["--modules", modules]
    environment["OCL_ICD_VENDORS"] = os.path.abspath(folder)
    environment.pop("OCL_ICD_FILENAMES", None)
    if options.device:
        arguments += ["--device", options.device]
    if options.build_options:
        arguments += ["--build-options", options.build_options]
    return [str(options.programs / ("bench_" + bench))] + arguments, environment


def measure(bench, name, folder, options):
    """What Google Benchmark wrote in one run, in a list; an empty one if it wrote nothing. Errors are reported."""
    words, environment = command(bench, folder, options)
    with tempfile.TemporaryDirectory() as place:
        output = pathlib.Path(place, "run.json")
        try:
            run = subprocess.run(words + [f"--benchmark_out={output}"], env=environment, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, timeout=options.timeout, check=False)
            document = json.loads(output.read_text())
        except (OSError, subprocess.TimeoutExpired) as error:
            print(f"{name}: {bench}: {error}", file=sys.stderr)
            return []
        except json.JSONDecodeError:
            print(f"{name}: {bench}: exit status {run.returncode}: {run.stderr.strip()}", file=sys.stderr)
            return []
    failed = {case_of(entry): entry["error_message"] for entry in document["benchmarks"] if "error_message" in entry}
    for case, problem in failed.items():
        print(f"{name}: {bench}: {case}: {problem}", file=sys.stderr)
    document["context"].update(implementation=name, program=bench + (" (fast math)" if options.fast_math else ""))
    return [document]


def case_of(entry):
    """The name without what Google Benchmark adds to it ("/real_time", "/iterations:1")."""
    return entry["run_name"].partition("/")[0]


def results_of(documents):
    """From what Google Benchmark wrote: a dictionary for each case of each run, in the order of the programs."""
    for document in documents:
        context = document["context"]
        for entry in sorted(document["benchmarks"], key=lambda entry: entry["family_index"]):
            if "error_message" in entry or entry.get("aggregate_name", "median") != "median":
                continue
            unit = entry.get("label", "us")  # of times, all of which are in microseconds; or the name of a counter
            value = entry.get(unit, entry["real_time"])
            yield {"program": context["program"], "case": case_of(entry), "implementation": context["implementation"],
                   "round": context["round"], "device": context["device"], "unit": unit, "value": value,
                   "cost": value if unit == "MiB" else entry["real_time"]}


def measure_all(implementations, options):
    for word in options.benches.split(","):
        bench, _, rounds = word.partition(":")
        for turn in range(int(rounds or options.rounds)):
            first = turn % len(implementations)
            for name, folder in implementations[first:] + implementations[:first]:
                print(f"{bench}: round {turn + 1}: {name}", file=sys.stderr, flush=True)
                for document in measure(bench, name, folder, options):
                    document["context"]["round"] = turn
                    yield document


def written(documents, path):
    """The documents, each of which is in the file as soon as it is measured: a run that is stopped loses no others."""
    with path.open("w") as output:
        for document in documents:
            print(json.dumps(document), file=output, flush=True)
            yield document


def ratio(first, other):
    """Of the costs of two implementations by round: the ratio of their medians, and half the range of the rounds' ratios."""
    if not first or not other:
        return "-"
    rounds = [first[turn] / other[turn] for turn in first if turn in other]
    spread = f" ±{(max(rounds) - min(rounds)) / 2:.2f}" if len(rounds) > 1 else ""
    return f"{statistics.median(first.values()) / statistics.median(other.values()):.3f}{spread}"


def make_table(names, results):
    """The rows of the table, the head first."""
    costs, values, units = {}, {}, {}
    for line in results:
        case, name = (line["program"], line["case"]), line["implementation"]
        units[case] = line["unit"]
        costs.setdefault(case, {}).setdefault(name, {})[line["round"]] = line["cost"]
        values.setdefault(case, {}).setdefault(name, []).append(line["value"])
    first, others = names[0], names[1:]
    rows = [["case", "unit"] + names + [f"{first}/{name}" for name in others]]
    for case, by_name in costs.items():
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
        medians.setdefault(line["implementation"], {}).setdefault(line["case"], []).append(line["cost"])
    medians = {name: {case: statistics.median(costs) for case, costs in cases.items()} for name, cases in medians.items()}
    first = medians.get(names[0], {})
    means = []
    for name in names[1:]:
        ratios = [first[case] / cost for case, cost in medians.get(name, {}).items() if first.get(case) and cost]
        if ratios:
            means.append(f"{names[0]}/{name} {statistics.geometric_mean(ratios):.3f} ({len(ratios)} cases)")
    return "Geometric mean: " + ", ".join(means) if means else ""


def main():
    options = parse_arguments()
    implementations = [tuple(word.split("=", 1)) for word in options.implementations]
    if options.input:
        documents = [json.loads(line) for line in options.input.read_text().splitlines()]
    else:
        documents = measure_all(implementations, options)
    if options.output:
        documents = written(documents, options.output)
    results = list(results_of(documents))
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
