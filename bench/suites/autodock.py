#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs AutoDock-GPU's docking of its example 1stp with several implementations and compares the time of an energy evaluation.

The number of evaluations differs a little between runs that round differently, so the job's time, without the set-up, is divided
by it. A run is right if its best energy of binding is within 1 kcal/mol of the first one's.

  bench/suites/autodock.py --source ~/AutoDock-GPU --build /tmp/autodock clcuda=build/release/vendors nvcc=cuda
"""
import pathlib
import re
import shutil
import sys

import suite

METHODS = {"adadelta": "ad", "solis_wets": "sw"}


def build(options, kind):
    """A copy of the sources for each of OpenCL and CUDA; the program's path. Its makefile names programs by the device."""
    folder = options.build / kind
    if not folder.exists():
        suite.need("make")
        shutil.copytree(options.source, folder, ignore=shutil.ignore_patterns(".git"))
        if kind == "cuda":
            nvcc = shutil.which("nvcc") or sys.exit("nvcc is needed, and not on the path")
            toolkit = pathlib.Path(nvcc).resolve().parent.parent
            words = ["DEVICE=CUDA", f"GPU_INCLUDE_PATH={toolkit}/include", f"GPU_LIBRARY_PATH={toolkit}/lib64",
                     f"TARGETS={options.architecture}"]
        else:
            device = options.device.upper()
            words = [f"DEVICE={'OCLGPU' if device == 'GPU' else device}", f"{device}_INCLUDE_PATH=/usr/include",
                     f"{device}_LIBRARY_PATH=/usr/lib"]
        suite.run(["make", f"NUMWI={options.group_size}", *words], folder)
    return next(folder.glob(f"bin/autodock_*_{options.group_size}wi"))


def figures_of(text, results, expected):
    if "All jobs ran without errors" not in text:
        raise suite.Failed(text.strip()[-600:])
    seconds = float(re.search(r"Job #1 took ([\d.]+) sec", text)[1])
    evaluations = sum(map(int, re.findall(r"Number of energy evaluations performed:\s+(\d+)", results)))
    energy = min(map(float, re.findall(r"Estimated Free Energy of Binding\s+=\s+([-+\d.]+)", results)))
    if abs(energy - expected.setdefault("energy", energy)) > 1:
        raise suite.Failed(f"its best energy is {energy} kcal/mol, the first one's {expected['energy']}")
    return [suite.Figure("evaluation", "ns", seconds / evaluations * 1e9)]


def main():
    parser = suite.parser_of(__doc__)
    parser.add_argument("--device", default="gpu", choices=["gpu", "cpu"], help="which kind the OpenCL program asks for")
    parser.add_argument("--group-size", type=int, default=64, help="work-items of a group (NUMWI)")
    parser.add_argument("--architecture", default="90", help="for nvcc")
    parser.add_argument("--runs", type=int, default=100, help="of each job")
    parser.add_argument("--evaluations", type=int, default=2_500_000, help="of each run, at most")
    options = suite.parse(parser)
    expected = {}

    def measure_one(name, method, implementation):
        program = build(options, "cuda" if implementation.is_cuda else "opencl")
        result = options.build / "result"
        example = "input/1stp/derived/1stp_"
        words = [program, "--ffile", example + "protein.maps.fld", "--lfile", example + "ligand.pdbqt", "--nrun", options.runs,
                 "--nev", options.evaluations, "--seed", "11,23,47", "--heuristics", 0, "--autostop", 0, "--lsmet", method,
                 "--resnam", result]
        text = suite.run(words, program.parent.parent, implementation.environment(), options.timeout)
        return figures_of(text, result.with_suffix(".dlg").read_text(), expected.setdefault(name, {}))

    return suite.report(*suite.measure(suite.chosen(METHODS, options), measure_one, options), options)


if __name__ == "__main__":
    sys.exit(main())
