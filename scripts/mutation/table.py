# SPDX-License-Identifier: Apache-2.0
"""Which tests concern which files: the first line of TESTS whose pattern is found in the path."""
import re

IMAGES = "api_images|api_random_images|api_random_images_several_devices|kernels_images_(sampled|formats|in_buffers|mipmap)"
PROGRAMS = "api_objects|api_program_life|api_cache|api_broken_input|api_several_devices"
EXECUTION = "api_execution|api_several_devices|api_sub_devices|api_robustness|api_svm|api_svm_several_devices"
TESTS = [
    (r"src/base/printf|runtime/program/printf", "unit_runtime|kernels_printf|fuzz_printf"),
    (r"runtime/(queue/ndrange|memory/range_set)", "unit_runtime|api_execution"),
    (r"runtime/object", "unit_handles|api_robustness"),
    (r"runtime/.*(printf_memory|printf_buffer|seed_fill|completion_watcher)", "refusals|kernels_printf|api_execution"),
    (r"(runtime|api)/.*(image|sampler|texel)|runtime/memory/initial_contents|cuda/array", IMAGES),
    (r"(runtime|api)/.*svm", "api_svm|api_svm_several_devices|api_random_calls"),
    (r"(runtime|api)/.*pipe", "api_pipe|kernels_pipes"),
    (r"(runtime|api)/.*(launch|kernel)", "api_objects|" + EXECUTION + "|kernels_work_items|api_images"),
    (r"(runtime|api)/.*(program|build|cache|executable|ptx_dump)", PROGRAMS),
    (r"(runtime|api)/.*(sub_device|device_info|device_features|device_type)|cuda/partition", "api_sub_devices|api_objects"),
    (r"(runtime|api)/.*(buffer|storage|memory|transfer|stream_|range)|cuda/(memory|shared_pool|bootstrap)",
     EXECUTION + "|ptx_driver|api_random_images|api_random_images_several_devices"),
    (r"cuda/(module|ptx_compiler)", PROGRAMS),
    (r"cuda/error", "unit_driver_errors|api_robustness"),
    (r"src/(runtime|cuda|api)/", "api_objects|" + EXECUTION),
    (r"src/base/", "api_objects|api_cache|unit_privileges|" + EXECUTION),
    (r"src/compiler/spirv/", "compiler_spirv|compiler_test|api_il"),
    (r"src/compiler/passes/", "compiler_passes|compiler_test|kernels_(language|structures|build_options|work_items|local_memory|loops)"),
    (r"src/compiler/", "compiler_test|api_objects|api_images|kernels_(language|structures|build_options|work_items|local_memory|loops)"),
    (r"ptx/driver", "ptx_driver"),
    (r"ptx/", "ptx_execute|ptx_driver"),
]


def tests_of(path):
    """As a pattern of names; None where there are none."""
    return next((tests for pattern, tests in TESTS if re.search(pattern, path)), None)
