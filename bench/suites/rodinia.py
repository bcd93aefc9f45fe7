#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs OpenCL programs of Rodinia with several implementations and compares the times that they print.

Inputs are made here, by a fixed seed, since Rodinia's own come apart from its source. What a program tells of its result must
agree between implementations, number by number: all are compared with the first run of the first one. Bfs and lud check
themselves; backprop, dwt2d, gaussian, hybridsort, lavaMD, nw and pathfinder tell nothing of it. "Exec" is the time that a program
counts as its kernels', "Total" that of its work with the device; one that prints neither has the time of its process. Programs
that need data which is not made here (heartwall, leukocyte, myocyte, cfd, mummergpu) are left out.

  bench/suites/rodinia.py --source ~/rodinia --build /tmp/rodinia clcuda=build/release/vendors vendor=/etc/OpenCL/vendors
"""
import dataclasses
import os
import pathlib
import random
import re
import shutil
import sys
import time

import suite

# The compilers that the makefiles call are these, so that the sources compile unchanged with today's.
COMPILERS = {"g++": ["-std=gnu++14", "-fcommon", "-w"], "gcc": ["-std=gnu11", "-fcommon", "-w"]}


@dataclasses.dataclass(frozen=True)
class Program:
    command: str            # run in the program's folder; {data}: the folder of inputs
    result: str = ""        # the file with its result; empty: the lines that it prints
    keep: str = "$^"        # ... and that this matches
    tolerance: float = 0.0  # relative to the largest number of the result
    folder: str = ""        # where it differs from the program's name
    flags: str = ""         # for the compilers, after those of the makefile


# For programs with functions that lack a return statement, which optimised code runs past.
UNOPTIMISED = "-O0"


PROGRAMS = {
    "b+tree": Program("./b+tree.out file {data}/keys.txt command {data}/commands.txt", "output.txt"),
    "backprop": Program("./backprop.out -n 1048576", flags=UNOPTIMISED),
    "bfs": Program("./bfs.out {data}/graph.txt"),
    "dwt2d": Program("./dwt2d.out rgb.bmp -i {data} -D 1024x1024 -f -5 -l 3"),
    "gaussian": Program("./gaussian.out -s 1024"),
    "hotspot": Program("./hotspot.out 1024 4 1000 {data}/temperature {data}/power output.txt", "output.txt", tolerance=1e-5),
    "hotspot3D": Program("./hotspot3D.out -n 512 -l 8 -i 100 -f {data}/power3D {data}/temperature3D output.txt", "output.txt",
                         tolerance=1e-5),
    "hybridsort": Program("./hybridsort.out r"),
    "kmeans": Program("./kmeans.out -o -i {data}/points.txt", keep=r"^\d+: ", tolerance=0.02, flags=UNOPTIMISED),
    "lavaMD": Program("./lavaMD.out -boxes1d 20"),
    "lud": Program("./lud.out -s 2048 -v"),
    "nn": Program("./nn.out {data}/records.txt -r 10 -lat 30 -lng 90 -t -f {data}", keep="Distance", tolerance=1e-5),
    "nw": Program("./nw.out 4096 10 ./nw.cl"),
    "particlefilter": Program("./OCL_particlefilter_double.out -x 128 -y 128 -z 10 -np 40000", keep="^[XY]E", tolerance=0.02,
                              flags=UNOPTIMISED),
    "particlefilter_single": Program("./OCL_particlefilter_single.out -x 128 -y 128 -z 10 -np 40000", keep="^[XY]E", tolerance=0.02,
                                     folder="particlefilter", flags=UNOPTIMISED),
    "pathfinder": Program("./pathfinder.out -c 100000 -r 100 -h 20"),
    "srad": Program("./srad.out -n 100 -l 0.5 -s 502 458", "output/image_out.pgm", tolerance=0.02),
    "streamcluster": Program("./streamcluster.out 10 20 64 8192 8192 1000 none output.txt 1", "output.txt", tolerance=1e-4),
}


def build(options):
    """Copies the sources and calls each makefile."""
    if (options.build / "opencl").exists():
        return
    for tool in ("make", *COMPILERS):
        suite.need(tool)
    wrappers = options.build / "compilers"
    wrappers.mkdir()
    for name, flags in COMPILERS.items():
        script = wrappers / name
        script.write_text(f'#!/bin/sh\nexec {shutil.which(name)} {" ".join(flags)} "$@" $LAST_FLAGS\n')
        script.chmod(0o755)
    for folder in ("common", "opencl"):
        shutil.copytree(options.source / folder, options.build / folder)
    places = [f"{prefix}OPENCL_{what}" for prefix in ("", "NV_") for what in ("INC", "LIB")]
    variables = [f"{place}={'/usr/include' if place.endswith('INC') else '/usr/lib'}" for place in places]
    for name, program in {program.folder or name: program for name, program in PROGRAMS.items()}.items():
        environment = dict(os.environ, PATH=f"{wrappers}:{os.environ['PATH']}", LAST_FLAGS=program.flags)
        try:
            suite.run(["make", *variables], options.build / "opencl" / name, environment)
        except suite.Failed as problem:
            print(f"{name}: make: {problem}", file=sys.stderr)


def make_inputs(folder):
    if folder.exists():
        return
    folder.mkdir()
    rng = random.Random(20)

    def write(name, lines):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))

    write("keys.txt", [200_000, *range(200_000)])
    write("commands.txt", ["j 6000 3000", "k 10000"])
    nodes, degree = 200_000, 6
    write("graph.txt", [nodes, *(f"{node * degree} {degree}" for node in range(nodes)), "", 0, "", nodes * degree,
                        *(f"{rng.randrange(nodes)} {rng.randint(1, 10)}" for _ in range(nodes * degree))])
    for suffix, count in (("", 1024 * 1024), ("3D", 512 * 512 * 8)):
        write("temperature" + suffix, (f"{rng.uniform(320, 340):.6f}" for _ in range(count)))
        write("power" + suffix, (f"{rng.uniform(0, 0.002):.6f}" for _ in range(count)))
    write("points.txt", (" ".join([str(row), *(f"{rng.random():.4f}" for _ in range(34))]) for row in range(20_000)))
    write("records.txt", ["records.db"])
    # Places of a hurricane: latitude and longitude in columns 28 and 33 of 49.
    write("records.db", (f"1950 01 01  0 12 NAME".ljust(28) + f"{rng.uniform(7, 63):4.1f} {rng.uniform(0, 358):5.1f}".ljust(20)
                         for _ in range(40_000)))
    size = 1024
    head = b"BM" + (54 + 3 * size * size).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = [(40, 4), (size, 4), (size, 4), (1, 2), (24, 2), (0, 4), (3 * size * size, 4), (2835, 4), (2835, 4), (0, 4), (0, 4)]
    (folder / "rgb.bmp").write_bytes(head + b"".join(value.to_bytes(width, "little") for value, width in info)
                                     + rng.randbytes(3 * size * size))
    # Where srad looks for its image, from its own folder.
    image = folder / "srad/image.pgm"
    image.parent.mkdir()
    rows = (" ".join(str(rng.randint(1, 255)) for _ in range(458)) for _ in range(502))
    image.write_text("P2\n458 502\n255\n" + "\n".join(rows) + "\n")


def times_of(text, whole):
    printed = dict(re.findall(r"^(Exec|Total): ([\d.]+)$", text, re.MULTILINE))
    if not printed:
        return [suite.Figure("process", "ms", whole * 1000)]
    return [suite.Figure(name, "ms", float(value)) for name, value in printed.items()]


def numbers_of(text):
    return [float(word) for word in re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text)]


def result_of(program, folder, printed):
    if program.result:
        return (folder / program.result).read_text()
    return "\n".join(line for line in printed.splitlines() if re.search(program.keep, line))


def compare_results(expected, found, tolerance):
    expected, found = numbers_of(expected), numbers_of(found)
    if len(expected) != len(found):
        raise suite.Failed(f"its result has {len(found)} numbers, not {len(expected)}")
    most = tolerance * max(map(abs, expected), default=0)
    wrong = sum(abs(a - b) > most for a, b in zip(expected, found))
    if wrong:
        raise suite.Failed(f"{wrong} of {len(found)} numbers of its result differ")


def main():
    options = suite.parse(suite.parser_of(__doc__))
    if any(implementation.is_cuda for implementation in options.implementations):
        sys.exit("the CUDA programs of Rodinia need textures by reference, which CUDA 12 removed: OpenCL only")
    build(options)
    data = options.build / "data"
    make_inputs(data)
    expected = {}

    def measure_one(name, program, implementation):
        folder = options.build / "opencl" / (program.folder or name)
        words = program.command.format(data=data).split()
        if not (folder / words[0]).exists():
            raise suite.Failed("was not built")
        if program.result:
            pathlib.Path(folder, program.result).unlink(missing_ok=True)
        start = time.monotonic()
        text = suite.run(words + ["-p", "0", "-d", "0"], folder, implementation.environment(), options.timeout)
        whole = time.monotonic() - start
        if re.search(r"\berror\b|\bfail", text, re.IGNORECASE):
            raise suite.Failed(text.strip()[-600:])
        result = result_of(program, folder, text)
        compare_results(expected.setdefault(name, result), result, program.tolerance)
        return times_of(text, whole)

    return suite.report(*suite.measure(suite.chosen(PROGRAMS, options), measure_one, options), options)


if __name__ == "__main__":
    sys.exit(main())
