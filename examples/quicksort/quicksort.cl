// SPDX-License-Identifier: Apache-2.0
// Quicksort whose recursion is on the device: the work-group that has split a range enqueues the sorting of its two parts.
#define GROUP_SIZE 256
#define SMALL 1024  // sorted at once, in local memory

// Both arrays hold the range by turns; what is in its final place goes to `sorted`.
typedef struct {
  global uint *from, *to, *sorted;
} arrays;

// A bitonic network, padded with the largest number.
void sort_small(arrays a, uint begin, uint end, local uint* values) {
  const uint me = get_local_id(0), count = end - begin;
  for (uint i = me; i < SMALL; i += GROUP_SIZE) values[i] = i < count ? a.from[begin + i] : UINT_MAX;
  for (uint size = 2; size <= SMALL; size *= 2) {
    for (uint step = size / 2; step > 0; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint i = me; i < SMALL / 2; i += GROUP_SIZE) {
        const uint low = (i / step) * 2 * step + i % step, high = low + step;
        const uint x = values[low], y = values[high];
        const bool swap = (x > y) == ((low & size) == 0);
        values[low] = swap ? y : x;
        values[high] = swap ? x : y;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = me; i < count; i += GROUP_SIZE) a.sorted[begin + i] = values[i];
}

uint median(uint a, uint b, uint c) { return max(min(a, b), min(max(a, b), c)); }

void sort_range(arrays a, uint begin, uint end, local uint* values) {
  if (end - begin <= SMALL) return sort_small(a, begin, end, values);
  const uint me = get_local_id(0);
  const uint pivot = median(a.from[begin], a.from[begin + (end - begin) / 2], a.from[end - 1]);
  uint less = 0, greater = 0;
  for (uint i = begin + me; i < end; i += GROUP_SIZE) {
    less += a.from[i] < pivot;
    greater += a.from[i] > pivot;
  }
  uint next_less = begin + work_group_scan_exclusive_add(less);
  uint next_greater = end - work_group_scan_inclusive_add(greater);
  const uint all_less = work_group_reduce_add(less), all_greater = work_group_reduce_add(greater);
  for (uint i = begin + me; i < end; i += GROUP_SIZE) {
    const uint value = a.from[i];
    if (value < pivot) a.to[next_less++] = value;
    if (value > pivot) a.to[next_greater++] = value;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  const uint middle = begin + all_less, rest = end - all_greater;
  for (uint i = middle + me; i < rest; i += GROUP_SIZE) a.sorted[i] = pivot;
  if (me != 0) return;
  const arrays other = {a.to, a.from, a.sorted};
  const ndrange_t group = ndrange_1D(GROUP_SIZE, GROUP_SIZE);
  if (all_less > 0)
    enqueue_kernel(
        get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, group,
        ^(local void* memory) {
          sort_range(other, begin, middle, memory);
        },
        SMALL * (uint)sizeof(uint));
  if (all_greater > 0)
    enqueue_kernel(
        get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, group,
        ^(local void* memory) {
          sort_range(other, rest, end, memory);
        },
        SMALL * (uint)sizeof(uint));
}

kernel void quicksort(global uint* numbers, global uint* scratch, uint count) {
  local uint values[SMALL];
  const arrays a = {numbers, scratch, numbers};
  sort_range(a, 0, count, values);
}
