#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How examples/heat scales: strongly (one plane for all ranks) and weakly (a tile of the same size for each rank), as a table and a plot.

    scripts/with-clcuda examples/heat/scaling.py build/release/examples/heat/heat --ranks 1 2 4 --plot scaling.svg

--mpirun has what starts the ranks, with its options, such as a list of machines; on CPU devices set CLCUDA_CPU_THREADS=1 besides, or each
rank takes all cores. The plot needs matplotlib (python3-matplotlib).
"""
import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys

LINES = {"rate": "rate", "step": "step", "kernels": "the kernels alone", "exchange": "the exchange alone", "halos": "share of halos, not hidden"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--strong", type=int, default=2048, metavar="N", help="the plane has N x N cells (%(default)s)")
    parser.add_argument("--weak", type=int, default=1024, metavar="N", help="each rank has N x N cells (%(default)s)")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5, help="the median of so many runs counts (%(default)s)")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--no-check", action="store_true", help="the host does not compute the same, which takes long for large planes")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1")
    parser.add_argument("--plot", metavar="FILE")
    return parser.parse_args()


def measure(options, ranks, size):
    """What one run prints, as {name: number}; ends the program if its check fails."""
    words = [*shlex.split(options.mpirun), "-n", str(ranks), options.program, "--steps", str(options.steps), "--method", options.method, *size]
    words += ["--no-check"] if options.no_check else []
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{shlex.join(words)}\n{done.stdout}{done.stderr}")
    return {name: float(re.search(rf"^  {text} +([0-9.]+)", done.stdout, re.MULTILINE)[1]) for name, text in LINES.items()}


def curve(options, size):
    """{ranks: medians}; the rounds go through all numbers of ranks in turn."""
    rounds = [{ranks: measure(options, ranks, size) for ranks in options.ranks} for _ in range(options.rounds)]
    return {ranks: {name: statistics.median(each[ranks][name] for each in rounds) for name in LINES} for ranks in options.ranks}


def efficiency(points, ranks):
    """The rate over that of the fewest ranks, and over the ratio of ranks."""
    fewest = min(points)
    return points[ranks]["rate"] / points[fewest]["rate"] * fewest / ranks


def print_table(title, points):
    print(f"\n| {title}: ranks | million cells/s | step, us | kernels alone | exchange alone | halos not hidden | efficiency |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for ranks, point in points.items():
        print(f"| {ranks} | {point['rate']:.0f} | {point['step']:.0f} | {point['kernels']:.0f} | {point['exchange']:.0f} "
              f"| {point['halos']:.1f} % | {efficiency(points, ranks):.2f} |")


def plot(path, curves):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for title, points in curves.items():
        ranks = list(points)
        axes.plot(ranks, [points[each]["rate"] for each in ranks], marker="o", label=title)
        axes.plot(ranks, [points[ranks[0]]["rate"] * each / ranks[0] for each in ranks], linestyle=":", color="gray")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(ranks, [str(each) for each in ranks])
    axes.set_xlabel("ranks")
    axes.set_ylabel("million cells per second (dotted: ideal)")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def main():
    options = parse_arguments()
    os.environ.setdefault("CLCUDA_CACHE", "0")
    print(f"{os.cpu_count()} cores on this machine; {options.steps} steps, median of {options.rounds} runs, halos by {options.method}")
    curves = {
        f"strong, {options.strong}² cells in all": curve(options, ["--size", str(options.strong), str(options.strong)]),
        f"weak, {options.weak}² cells for each rank": curve(options, ["--size", str(options.weak), str(options.weak), "--per-rank"]),
    }
    for title, points in curves.items():
        print_table(title, points)
    if options.plot:
        plot(options.plot, curves)


if __name__ == "__main__":
    main()
