// SPDX-License-Identifier: Apache-2.0
// Macros with which the kernels of this folder are written once, for OpenCL C and for CUDA.
#ifdef __CUDACC__

#include <cuda_fp16.h>

#include "cuda/groups.h"

typedef unsigned char uchar;

#define KERNEL extern "C" __global__ void
#define GROUP_KERNEL(width, height) extern "C" __global__ __launch_bounds__((width) * (height)) void
#define DEVICE static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define LOCAL_POINTER
#define CONSTANT static __constant__
#define BARRIER() __syncthreads()

#define LOCAL_X threadIdx.x
#define LOCAL_Y threadIdx.y
#define GROUP_X blockIdx.x
#define GROUP_Y blockIdx.y
#define GLOBAL_X (blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y (blockIdx.y * blockDim.y + threadIdx.y)
#define GLOBAL_SIZE_X (gridDim.x * blockDim.x)

#define FLOAT2(x, y) make_float2(x, y)
#define FLOAT4(x, y, z, w) make_float4(x, y, z, w)
#define UINT4(x, y, z, w) make_uint4(x, y, z, w)
#define LOCAL_INCREMENT(address) atomicAdd(address, 1u)
#define GLOBAL_ADD(address, value) atomicAdd(address, value)
#define ROTATE_LEFT(value, count) __funnelshift_l(value, value, count)
#define MULTIPLY_HIGH(a, b) __umulhi(a, b)

// In CUDA, samplers are part of texture objects, which the host creates.
#define SAMPLER(name, state)
#define SAMPLED_2D cudaTextureObject_t
#define SAMPLED_3D cudaTextureObject_t
#define WRITTEN_2D cudaSurfaceObject_t
#define SAMPLE_2D(image, sampler, x, y) tex2D<float4>(image, x, y)
#define SAMPLE_3D(image, sampler, x, y, z) make_float4(tex3D<float>(image, x, y, z), 0.0f, 0.0f, 1.0f)
static __device__ __forceinline__ uchar eight_bits(float value) {
  return (uchar)__float2uint_rn(__saturatef(value) * 255.0f);
}
#define STORE_2D(image, x, y, r, g, b, a) \
  surf2Dwrite(make_uchar4(eight_bits(r), eight_bits(g), eight_bits(b), eight_bits(a)), image, 4 * (x), y)

#else

#define SAMPLER(name, state) constant sampler_t name = state;
#define SAMPLED_2D read_only image2d_t
#define SAMPLED_3D read_only image3d_t
#define WRITTEN_2D write_only image2d_t
#define SAMPLE_2D(image, sampler, x, y) read_imagef(image, sampler, (float2)(x, y))
#define SAMPLE_3D(image, sampler, x, y, z) read_imagef(image, sampler, (float4)(x, y, z, 0.0f))
#define STORE_2D(image, x, y, r, g, b, a) write_imagef(image, (int2)(x, y), (float4)(r, g, b, a))

#define KERNEL kernel void
#define GROUP_KERNEL(width, height) kernel __attribute__((reqd_work_group_size(width, height, 1))) void
#define DEVICE static inline
#define GLOBAL global
#define LOCAL local
#define LOCAL_POINTER local
#define CONSTANT constant
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)

#define LOCAL_X ((uint)get_local_id(0))
#define LOCAL_Y ((uint)get_local_id(1))
#define GROUP_X ((uint)get_group_id(0))
#define GROUP_Y ((uint)get_group_id(1))
#define GLOBAL_X ((uint)get_global_id(0))
#define GLOBAL_Y ((uint)get_global_id(1))
#define GLOBAL_SIZE_X ((uint)get_global_size(0))

#define FLOAT2(x, y) (float2)(x, y)
#define FLOAT4(x, y, z, w) (float4)(x, y, z, w)
#define UINT4(x, y, z, w) (uint4)(x, y, z, w)
#define LOCAL_INCREMENT(address) atomic_inc(address)
#define GLOBAL_ADD(address, value) atomic_add(address, value)
#define ROTATE_LEFT(value, count) rotate(value, (uint)(count))
#define MULTIPLY_HIGH(a, b) mul_hi(a, b)

#define SUB_GROUP_SUM(value) sub_group_reduce_add(value)
#define SUB_GROUP_MINIMUM(value) sub_group_reduce_min(value)
#define SUB_GROUP_SCAN(value) sub_group_scan_inclusive_add(value)
#define WORK_GROUP_SUM(value) work_group_reduce_add(value)
#define WORK_GROUP_SCAN(value) work_group_scan_exclusive_add(value)

#endif
