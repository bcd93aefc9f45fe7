#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what compare.py measured: plot.py MEASUREMENTS.jsonl PICTURE.svg [FIRST]

For each case a bar for every other implementation, as long as it is slower (right of 1) or faster (left) than the first one,
on a logarithmic axis."""
import html
import json
import math
import statistics
import sys

from compare import results_of

COLOURS = ["#4c78a8", "#f58518", "#54a24b", "#b279a2"]
LEFT, WIDTH, BAR, GAP, SPAN = 200, 520, 9, 8, 3.0  # SPAN: the axis goes from 1/SPAN to SPAN


def medians(lines):
    """{case: {implementation: cost}}, in the order of the measurements."""
    samples = {}
    for line in lines:
        samples.setdefault(line["case"], {}).setdefault(line["implementation"], []).append(line["cost"])
    return {case: {name: statistics.median(costs) for name, costs in by_name.items()} for case, by_name in samples.items()}


def place(ratio):
    return LEFT + WIDTH / 2 * (1 + math.log(max(1 / SPAN, min(SPAN, ratio))) / math.log(SPAN))


def bars(case, by_name, first, others, top):
    yield f'<text x="{LEFT - 8}" y="{top + len(others) * BAR / 2 + 4}" text-anchor="end">{html.escape(case)}</text>'
    for index, name in enumerate(others):
        if first not in by_name or name not in by_name:
            continue
        ratio = by_name[name] / by_name[first]
        start, end, y = sorted([place(1), place(ratio)]) + [top + index * BAR]
        colour = COLOURS[index % len(COLOURS)]
        yield f'<rect x="{start:.1f}" y="{y}" width="{max(end - start, 1):.1f}" height="{BAR - 1}" fill="{colour}"/>'
        yield f'<text x="{LEFT + WIDTH + 8 + 48 * index}" y="{y + BAR - 1}" fill="{colour}">{ratio:.2f}</text>'


def picture(cases, first, others, devices):
    row = len(others) * BAR + GAP
    height = 70 + row * len(cases)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 120}" height="{height}" '
           'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>')
    title = "Time of " + ", ".join(others) + f" divided by that of {first} ({devices})"
    yield f'<text x="{LEFT}" y="16" font-size="13">{html.escape(title)}</text>'
    for index, name in enumerate(others):
        yield f'<text x="{LEFT + 120 * index}" y="34" fill="{COLOURS[index % len(COLOURS)]}">■ {html.escape(name)}</text>'
    for tick in (1 / 3, 0.5, 0.8, 1, 1.25, 2, 3):
        x = place(tick)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="46" y2="{height - 16}" stroke="{"#333" if tick == 1 else "#ccc"}"/>'
        yield f'<text x="{x:.1f}" y="{height - 4}" text-anchor="middle">{tick:.3g}</text>'
    for index, (case, by_name) in enumerate(cases.items()):
        yield from bars(case, by_name, first, others, 50 + index * row)
    yield "</svg>"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = list(results_of(map(json.loads, file)))
    names = list(dict.fromkeys(line["implementation"] for line in lines))
    first = sys.argv[3] if len(sys.argv) > 3 else names[0]
    devices = ", ".join(sorted({line["device"] for line in lines}))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(picture(medians(lines), first, [name for name in names if name != first], devices)) + "\n")


if __name__ == "__main__":
    main()
