// SPDX-License-Identifier: Apache-2.0
// work_group_all, work_group_any and the logical reductions: a barrier that combines a predicate.
#include "sub_group.h"

int COLLECTIVE work_group_all(int predicate) { return __nvvm_bar0_and(predicate != 0) != 0; }
int COLLECTIVE work_group_any(int predicate) { return __nvvm_bar0_or(predicate != 0) != 0; }

int COLLECTIVE work_group_reduce_logical_and(int predicate) { return __nvvm_bar0_and(predicate != 0) != 0; }
int COLLECTIVE work_group_reduce_logical_or(int predicate) { return __nvvm_bar0_or(predicate != 0) != 0; }
int COLLECTIVE work_group_reduce_logical_xor(int predicate) { return __nvvm_bar0_popc(predicate != 0) & 1; }
