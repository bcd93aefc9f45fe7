// SPDX-License-Identifier: Apache-2.0
// Sub-group work-item functions and the barrier (OpenCL C 6.15.1 and 6.15.8).
#include "launch_record.h"
#include "sub_group.h"

uint OVERLOAD get_sub_group_size(void) { return members_count(); }
uint OVERLOAD get_max_sub_group_size(void) { return WARP_SIZE; }
uint OVERLOAD get_num_sub_groups(void) { return sub_group_count(); }
uint OVERLOAD get_sub_group_id(void) { return sub_group_index(); }
uint OVERLOAD get_sub_group_local_id(void) { return lane(); }

uint OVERLOAD get_enqueued_num_sub_groups(void) {
  if (__clcuda_uniform_launch()) return sub_group_count();
  const struct clcuda_launch_record* record = __clcuda_launch_record();
  uint count =
      record->enqueued_local_size[0] * record->enqueued_local_size[1] * record->enqueued_local_size[2];
  return (count + WARP_SIZE - 1) / WARP_SIZE;
}

// bar.warp.sync orders memory among the participating lanes. Other work-items see this order only through a fence of a wider scope.
void COLLECTIVE sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  bool wide = scope != memory_scope_sub_group && scope != memory_scope_work_item;
  if (wide) atomic_work_item_fence(flags, memory_order_acq_rel, scope);
  __nvvm_bar_warp_sync(ALL);
  if (wide) atomic_work_item_fence(flags, memory_order_acq_rel, scope);
}
void COLLECTIVE sub_group_barrier(cl_mem_fence_flags flags) {
  (void)flags;
  __nvvm_bar_warp_sync(ALL);
}
