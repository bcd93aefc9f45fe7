#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls every builtin function that Clang declares for OpenCL C and says which the library does not define.

    check_coverage.py CLANG LLVM_NM OPENCL_C_H LIBRARY_INDEX PRELUDE_H... [-v]

The declarations come from Clang's opencl-c.h and our preludes, preprocessed; the calls are compiled as programs are (declared from Clang's own
table, mangled for the target), so a wrong type, width or address space shows up as an undefined symbol.
"""
import collections
import re
import subprocess
import sys
import tempfile

# Families that the library does not have, and what is not a function of the library.
LATER = re.compile(r"msaa|num_samples|intel_sub_group_(avc|ime)|enqueue|ndrange|"
                   r"kernel_|clk_|block_prefetch|event\b|_event$|get_default_queue|amd_|printf|bfloat16|^to_")
DECLARATION = re.compile(r"^\s*([\w ]+?)\s*__attribute__\(\(overloadable\)\)(?:\s*__attribute__\(\(\w+\)\))*\s*(\w+)\((.*)\)"
                         r"(?:\s*__attribute__\(\(\w+\)\))*;", re.M)
# What Clang defines no macro for by itself.
EXTENSIONS = [f"-D{name}=1" for name in (
    *(f"cl_khr_subgroup_{kind}" for kind in ("extended_types", "non_uniform_vote", "ballot", "non_uniform_arithmetic", "shuffle",
                                             "shuffle_relative", "clustered_reduce", "rotate")),
    "cl_khr_subgroups", "cl_khr_extended_bit_ops", "cl_khr_kernel_clock", "cl_khr_integer_dot_product",
    "cl_khr_work_group_uniform_arithmetic", "cl_khr_extended_async_copies", "cl_khr_async_work_group_copy_fence",
    "cl_intel_subgroups", "cl_intel_subgroups_char", "cl_intel_subgroups_short", "cl_intel_subgroups_long",
    "cl_intel_subgroup_local_block_io", "__IMAGE_SUPPORT__")]
LANGUAGES = ["CL1.2", "CL2.0", "CL3.0"]


def is_of_header_only(name, arguments):
    """Functions of images that opencl-c.h declares and Clang's table does not: mipmaps read and written, and sub-group blocks that no
    extension has: of 16 ulong, and writes to images that are only read."""
    if not any("image" in argument for argument in arguments):
        return False
    of_level = "sampler_t" in arguments or (name.startswith("write_image") and len(arguments) == 4)
    of_no_extension = name.endswith("_ul16") or ("block_write" in name and not re.search("write_only|read_write", arguments[0]))
    return (name.startswith("intel_") and of_no_extension) or ("read_write" in arguments[0] and of_level)


def declarations(clang, header, language):
    text = subprocess.run([*clang, f"-cl-std={language}", "-E", "-P", header], check=True, capture_output=True, text=True).stdout
    text = re.sub(r"\n\s+", " ", text).replace(";", ";\n")
    for result, name, arguments in DECLARATION.findall(text):
        yield result.strip(), name, [a.strip() for a in arguments.split(",")]


def callers(functions):
    yield "#pragma OPENCL EXTENSION cl_khr_fp16 : enable"
    for number, (result, name, arguments) in enumerate(functions):
        arguments = [] if arguments in (["void"], [""]) else arguments
        parameters = []
        for position, argument in enumerate(arguments):
            argument = re.sub(r"\*\s*(?!const\b|volatile\b|restrict\b)[a-z]\w*$", "*", argument)  # a name right behind its *
            argument = re.sub(r"(?<=[\w*])\s+\w+$", "", argument) if re.search(r"[\w*]\s+[a-z_]+$", argument) and not re.search(
                r"(^|\s)(const|volatile|unsigned|__\w+)\s+\w+$", argument) else argument
            parameters.append(f"{argument} a{position}")
        call = f"{name}({', '.join(f'a{p}' for p in range(len(arguments)))})"
        yield f"{result} call{number}({', '.join(parameters) or 'void'}) {{ {'' if result == 'void' else 'return '}{call}; }}"


def main():
    clang_path, nm, header, index, *rest = sys.argv[1:]
    preludes = [path for path in rest if path != "-v"]
    included = [word for path in preludes for word in ("-include", path)]
    clang = [clang_path, "-x", "cl", "--target=nvptx64-nvidia-nvidiacl", "-march=sm_75", "-nogpulib", "-Xclang", "-cl-ext=+all", "-w",
             *EXTENSIONS]
    defined = {line.split()[0] for line in open(index)}
    missing, covered = collections.defaultdict(set), set()
    for language in LANGUAGES:
        functions = [f for h in (header, *preludes) for f in declarations(clang, h, language) if not LATER.search(f[1]) and
                     not any(LATER.search(argument) for argument in f[2]) and
                     not is_of_header_only(f[1], f[2])]
        with tempfile.TemporaryDirectory() as folder:
            source = "\n".join(callers(functions))
            with open(folder + "/calls.cl", "w") as file:
                file.write(source)
            subprocess.run([*clang, f"-cl-std={language}", "-Xclang", "-finclude-default-header", "-Xclang",
                            "-fdeclare-opencl-builtins", *included, "-O0", "-emit-llvm", "-c", folder + "/calls.cl", "-o", folder + "/calls.bc",
                            "-ferror-limit=0"], check=True)
            names = subprocess.run([nm, "--undefined-only", "--format=just-symbols", folder + "/calls.bc"], check=True,
                                   capture_output=True, text=True).stdout.split()
        print(f"{language}: {len(functions)} declarations, {len(names)} functions")
        for name in names:
            if name in defined:
                covered.add(name)
            else:
                missing[re.sub(r"^_Z\d+([a-z_0-9]+?)(?=[A-Z]|Dv|[a-z]$).*", r"\1", name)].add(name)
    print(f"{len(covered)} functions covered, {sum(map(len, missing.values()))} missing")
    for family in sorted(missing):
        print(" ", family, len(missing[family]), *(sorted(missing[family]) if "-v" in sys.argv else sorted(missing[family])[:3]))
    return 1 if missing else 0


sys.exit(main())
