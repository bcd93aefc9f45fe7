# SPDX-License-Identifier: Apache-2.0
"""A signal that OpenCL makes, CuPy transforms, PyTorch scales and OpenCL sums up, all in the same memory. Checks the sum against NumPy's.

    python cupy_and_torch.py [COUNT]
"""
import sys

import clcuda_cuda
import cupy
import numpy
import pyopencl
import pyopencl.array
import torch

SOURCE = """
kernel void wave(global float2* signal) {
  size_t i = get_global_id(0);
  signal[i] = (float2)(sinpi(0.25f * i) + 0.5f * cospi(0.03125f * i), 0.0f);
}
kernel void power(global const float2* spectrum, global float* out) {
  size_t i = get_global_id(0);
  out[i] = dot(spectrum[i], spectrum[i]);
}
"""


def expected(count):
    index = numpy.arange(count)
    signal = numpy.sin(numpy.pi * 0.25 * index) + 0.5 * numpy.cos(numpy.pi * 0.03125 * index)
    return float((numpy.abs(numpy.fft.fft(signal) * 0.5) ** 2).sum())


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 16
    platform = next(each for each in pyopencl.get_platforms() if each.name == "clcuda")
    context = pyopencl.Context(platform.get_devices()[:1])
    queue = pyopencl.CommandQueue(context)
    cupy.cuda.Device(clcuda_cuda.cuda_device(context.devices[0])).use()
    program = pyopencl.Program(context, SOURCE).build()
    signal = pyopencl.array.empty(queue, count, numpy.complex64)
    power = pyopencl.array.empty(queue, count, numpy.float32)

    program.wave(queue, (count,), None, signal.data)
    stream = cupy.cuda.Stream(non_blocking=True)
    with clcuda_cuda.acquired(queue, signal, stream=stream.ptr) as (shared,), stream:
        view = cupy.asarray(shared)
        view[:] = cupy.fft.fft(view)
        with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
            torch.as_tensor(shared, device="cuda").mul_(0.5)
    program.power(queue, (count,), None, signal.data, power.data)

    total, wanted = float(power.get().astype(numpy.float64).sum()), expected(count)
    error = abs(total - wanted) / wanted
    print(f"{context.devices[0].name}: power {total:.6g}, NumPy's {wanted:.6g}, relative error {error:.2g}")
    return 0 if error < 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
