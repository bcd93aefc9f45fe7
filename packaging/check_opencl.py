# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel by pyopencl on the first device of clcuda and compares its results with the host's; fails if there is none."""
import numpy
import pyopencl as cl

platforms = cl.get_platforms()
print("platforms:", ", ".join(platform.name for platform in platforms))
device = next(platform for platform in platforms if platform.name.startswith("clcuda")).get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
numbers = numpy.random.default_rng().random(100_000, numpy.float32)
given = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
result = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, numbers.nbytes)
program = cl.Program(context, """
    kernel void root(global const float* x, global float* y) { size_t i = get_global_id(0); y[i] = sqrt(x[i]) + 1; }
""").build()
program.root(queue, numbers.shape, None, given, result)
found = numpy.empty_like(numbers)
cl.enqueue_copy(queue, found, result)
assert numpy.allclose(found, numpy.sqrt(numbers) + 1, rtol=1e-6), "wrong results"
print(f"pyopencl {cl.VERSION_TEXT} on {device.name}, {device.version}: {len(numbers)} results are right")
