# SPDX-License-Identifier: Apache-2.0
"""Shares pyopencl buffers and arrays with CuPy, PyTorch, Numba and whatever else takes __cuda_array_interface__: the same memory, no copy.

    import clcuda_cuda, cupy, pyopencl, pyopencl.array

    numbers = pyopencl.array.arange(queue, 1 << 20, dtype="float32")
    stream = cupy.cuda.Stream(non_blocking=True)
    with clcuda_cuda.acquired(queue, numbers, stream=stream.ptr) as (shared,), stream:
        spectrum = cupy.fft.rfft(cupy.asarray(shared))

Within the block, work of the stream comes behind the queue's commands; behind the block, commands of the queue come behind the stream's
work. The host waits for neither. The queue must be one of clcuda's (cl_clcuda_cuda_interop).
"""
import contextlib
import ctypes

import numpy

_ACCESS = {"read": 4, "write": 2, "readwrite": 1}  # CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE
_loader = ctypes.CDLL("libOpenCL.so.1")
_loader.clGetExtensionFunctionAddressForPlatform.restype = ctypes.c_void_p
_loader.clGetExtensionFunctionAddressForPlatform.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


class _Pointer(int):
    """A number that is passed as a pointer."""


def _call(queue, name, *arguments):
    address = _loader.clGetExtensionFunctionAddressForPlatform(queue.device.platform.int_ptr, name.encode())
    if not address:
        raise RuntimeError(f"{queue.device.platform.name} has no {name}: is it clcuda?")
    types = [ctypes.c_void_p if isinstance(each, _Pointer) else ctypes.c_uint for each in arguments]
    code = ctypes.CFUNCTYPE(ctypes.c_int, *types)(address)(*(int(each) for each in arguments))
    if code:
        raise RuntimeError(f"{name} gave error {code}")


class CudaArray:
    """What __cuda_array_interface__ tells of an array of pyopencl, or of a buffer as bytes."""

    def __init__(self, queue, array, stream):
        memory, offset = (array.base_data, array.offset) if hasattr(array, "base_data") else (array, 0)
        pointer = ctypes.c_ulonglong()
        _call(queue, "clGetMemObjectCudaPointerCLCUDA", _Pointer(memory.int_ptr), _Pointer(queue.device.int_ptr),
              _Pointer(ctypes.addressof(pointer)))
        dtype = numpy.dtype(getattr(array, "dtype", numpy.uint8))
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": getattr(array, "shape", (memory.size,)),
            "strides": getattr(array, "strides", None),
            "typestr": dtype.str,
            "data": (pointer.value + offset, False),
            "stream": stream or 1,  # 1 is CUDA's default stream
        }
        self.memory = memory


@contextlib.contextmanager
def acquired(queue, *arrays, stream=0, access="readwrite"):
    """Arrays or buffers of pyopencl as CudaArrays, for work in a CUDA stream (its address; 0: the default stream)."""
    shared = [CudaArray(queue, array, stream) for array in arrays]
    count = len(shared)
    handles = (ctypes.c_void_p * count)(*(each.memory.int_ptr for each in shared))
    accesses = (ctypes.c_ulonglong * count)(*[_ACCESS[access]] * count)
    target = _Pointer(queue.int_ptr), count, _Pointer(ctypes.addressof(handles))
    _call(queue, "clEnqueueAcquireCudaObjectsCLCUDA", *target, _Pointer(ctypes.addressof(accesses)), _Pointer(stream), 0, _Pointer(0))
    try:
        yield shared
    finally:
        _call(queue, "clEnqueueReleaseCudaObjectsCLCUDA", *target, _Pointer(stream), 0, _Pointer(0), _Pointer(0))


def cuda_device(device):
    """The number of the CUDA device that this OpenCL device is."""
    number = ctypes.c_int()
    code = _loader.clGetDeviceInfo(ctypes.c_void_p(device.int_ptr), 0x7C1C0001, ctypes.c_size_t(4), ctypes.byref(number), None)
    if code:
        raise RuntimeError(f"{device.name} is no device of clcuda")
    return number.value
