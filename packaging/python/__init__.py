# SPDX-License-Identifier: Apache-2.0
"""clcuda, an implementation of OpenCL for NVIDIA GPUs and for the processor.

Wheels of pyopencl find it without further ado, in the environment that both are installed in. For a pyopencl or another module that uses
the system's ICD loader, call enable() before that module is imported:

    import clcuda
    clcuda.enable()
    import pyopencl
"""
import os
import pathlib

__version__ = "@VERSION@"


def library():
    """The path of libclcuda.so."""
    return str(pathlib.Path(__file__).resolve().parent / "lib" / "libclcuda.so")


def variables():
    """Environment variables by which ICD loaders, ocl-icd and Khronos', take this library and no other."""
    return {"OCL_ICD_VENDORS": library(), "OCL_ICD_FILENAMES": library()}


def enable():
    """Lets ICD loaders of this process and of those that it starts take this library and no other. To be called before the first
    module is imported that uses OpenCL."""
    os.environ.update(variables())
