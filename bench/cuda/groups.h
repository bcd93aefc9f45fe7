// SPDX-License-Identifier: Apache-2.0
#pragma once

// Equivalents of OpenCL C's sub-group and work-group functions, from CUB.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

// For groups of 256, from CUB; reductions return the first item's result.
namespace groups {
constexpr int size = 256, warps = size / 32;
template <typename Value>
__device__ __forceinline__ Value sub_group_sum(Value value) {
  __shared__ typename cub::WarpReduce<Value>::TempStorage memory[warps];
  return cub::WarpReduce<Value>(memory[threadIdx.x / 32]).Sum(value);
}
template <typename Value>
__device__ __forceinline__ Value sub_group_minimum(Value value) {
  __shared__ typename cub::WarpReduce<Value>::TempStorage memory[warps];
  return cub::WarpReduce<Value>(memory[threadIdx.x / 32]).Reduce(value, ::cuda::minimum<>{});
}
template <typename Value>
__device__ __forceinline__ Value sub_group_scan(Value value) {
  __shared__ typename cub::WarpScan<Value>::TempStorage memory[warps];
  Value result;
  cub::WarpScan<Value>(memory[threadIdx.x / 32]).InclusiveSum(value, result);
  return result;
}
// The barriers are needed because the next round uses the memory again.
template <typename Value>
__device__ __forceinline__ Value work_group_sum(Value value) {
  __shared__ typename cub::BlockReduce<Value, size>::TempStorage memory;
  const Value result = cub::BlockReduce<Value, size>(memory).Sum(value);
  __syncthreads();
  return result;
}
template <typename Value>
__device__ __forceinline__ Value work_group_scan(Value value) {
  using Scan = cub::BlockScan<Value, size, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage memory;
  Value result;
  Scan(memory).ExclusiveSum(value, result);
  __syncthreads();
  return result;
}
}  // namespace groups
#define SUB_GROUP_SUM(value) groups::sub_group_sum(value)
#define SUB_GROUP_MINIMUM(value) groups::sub_group_minimum(value)
#define SUB_GROUP_SCAN(value) groups::sub_group_scan(value)
#define WORK_GROUP_SUM(value) groups::work_group_sum(value)
#define WORK_GROUP_SCAN(value) groups::work_group_scan(value)
