#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of SHOC (Scalable Heterogeneous Computing) with several implementations and compares their own figures.

Figures are the medians that SHOC prints. Those that end with _PCIe count the transfers, those with _Parity compare the two;
the latter are left out.

  bench/suites/shoc.py --source ~/shoc --build /tmp/shoc clcuda=build/release/vendors vendor=/etc/OpenCL/vendors nvcc=cuda
"""
import re
import sys

import suite

# The name of the OpenCL program, and that of the CUDA program where there is one.
PROGRAMS = {name: name for name in
            ["BusSpeedDownload", "BusSpeedReadback", "DeviceMemory", "MaxFlops", "BFS", "FFT", "GEMM", "MD", "MD5Hash",
             "Reduction", "Scan", "Sort", "Spmv", "Stencil2D", "Triad", "S3D"]}
PROGRAMS.update(KernelCompile=None, QueueDelay=None)


def build(options):
    """configure, make and make install, outside the source folder. CUDA programs that do not compile (CUDA 12 removed the texture
    references that some use) are absent."""
    if (options.build / "bin/Serial/OpenCL").exists():
        return
    need_cuda = any(implementation.is_cuda for implementation in options.implementations)
    for tool in ["make", "g++"] + ["nvcc"] * need_cuda:
        suite.need(tool)
    configure = [options.source / "configure", f"--prefix={options.build}", "--without-mpi", "--with-opencl",
                 "--with-cuda" if need_cuda else "--without-cuda", "CXXFLAGS=-O2 -w",
                 "CPPFLAGS=-DCL_TARGET_OPENCL_VERSION=120", "CUDA_CPPFLAGS=-arch=native -O3"]
    suite.run(configure, options.build)
    # The archive's time stamps must not make it want automake.
    quiet = ["AUTOMAKE=:", "AUTOCONF=:", "ACLOCAL=:", "AUTOHEADER=:"]
    for goal in (["all"], ["install"]):
        try:
            suite.run(["make", "-k", "-j4", *quiet, *goal], options.build)
        except suite.Failed as problem:
            print(f"make {goal[0]}: {problem}", file=sys.stderr)


def figures_of(text):
    """From SHOC's table: test, atts, units, median and more, with tabs between."""
    if re.search(r"\bfailed\b", text, re.IGNORECASE):
        raise suite.Failed("its own check failed")
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("test\tatts\tunits\tmedian"):
            break
    else:
        raise suite.Failed("no table of results")
    for line in lines:
        words = line.split("\t")
        if len(words) < 4 or words[0].endswith("_Parity"):
            continue
        try:
            yield suite.Figure(f"{words[0].rstrip('*')} {words[1]}".strip().replace(" ", "_"), words[2], float(words[3]))
        except ValueError:  # N/A
            continue


def main():
    parser = suite.parser_of(__doc__)
    parser.add_argument("--size", type=int, default=1, choices=[1, 2, 3, 4], help="SHOC's problem size")
    parser.add_argument("--passes", type=int, default=5, help="SHOC's number of passes in a run")
    options = suite.parse(parser)
    build(options)

    def measure_one(name, cuda_name, implementation):
        kind, program = ("CUDA", cuda_name) if implementation.is_cuda else ("OpenCL", name)
        path = options.build / "bin/Serial" / kind / str(program)
        if not path.exists():
            if implementation.is_cuda:
                return []
            raise suite.Failed("was not built")
        words = [path, "-s", options.size, "-n", options.passes]
        return figures_of(suite.run(words, options.build, implementation.environment(), options.timeout))

    return suite.report(*suite.measure(suite.chosen(PROGRAMS, options), measure_one, options), options)


if __name__ == "__main__":
    sys.exit(main())
