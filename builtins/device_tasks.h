// SPDX-License-Identifier: Apache-2.0
#pragma once

// Device-side enqueue: what device code keeps in device memory while a launch and all that it enqueues runs.
// One such area belongs to each stream; its header is all zeros between launches. Kernels add tasks to it
// (device_enqueue.cl), the scheduler runs them (device_tasks.cl), the runtime gives it its memory.
//
// A launch with the scheduler behind it is a series of rounds. While the kernels of a round run, they only
// add tasks. Between rounds the scheduler runs alone, so that what it finds does not depend on timing: it
// ends the tasks of the round that is over, settles events, starts all tasks whose wait lists are done, and
// comes back when they, and what they have started without it, are through.
#include "launch_record.h"

// Memory for the tasks of one stream: as much as CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE reports.
#define CLCUDA_TASKS_SIZE (16u << 20)
// Device-side launches that may wait for their turn on the device, all streams together (a limit that the
// runtime sets, at 9 KB of device memory each), and how many of them the kernels of one launch make in a
// round at most, and the scheduler. Launches that find no room become tasks, or stay what they are until the
// next round.
#define CLCUDA_PENDING_LAUNCHES 16384u
#define CLCUDA_MOST_DIRECT 12288u
#define CLCUDA_MOST_STARTED 4096u
// Work-items of the scheduler.
#define CLCUDA_SCHEDULER_ITEMS 256

struct clcuda_tasks {
  clcuda_u32 taken;  // slots taken since the scheduler ran: first those of the free list, then fresh ones
  clcuda_u32 fresh;  // slots that were never given back
  clcuda_u32 free_count;   // length of the free list
  clcuda_u32 live_count;   // length of the list of tasks
  clcuda_u32 direct;       // kernels started in this round without the scheduler
  clcuda_u32 lists;        // which of the two lists of each kind is in use
  clcuda_u32 idle_rounds;  // one after another in which no kernel could be started
  clcuda_u32 rounds;       // of the scheduler in this launch
  clcuda_u64 tail_grid;    // the grid that was the last to launch another behind itself
  // The status of a kernel that failed: the launch's own. Outlives the launch, until the next begins.
  clcuda_u32 failed;
  clcuda_u32 unused[5];
};

#ifdef __OPENCL_VERSION__
#define OVERLOAD __attribute__((overloadable))

// Resolved by the compiler (its pass resolve_device_enqueue): the size of a slot, large enough for the
// parameters of every block of the program; whether groups of a range must all have the same size; whether
// errors are told apart (-g).
uint __clcuda_task_size(void) __attribute__((const));
int __clcuda_must_divide(void) __attribute__((const));
int __clcuda_detailed_errors(void) __attribute__((const));

enum { task_none, task_waiting, task_ready, task_running, task_ended, task_complete };
enum { task_kernel, task_marker, task_user_event };

#define WAITS_IN_TASK 4

// A task, which is also the event that goes with it: a kernel, a marker or a user event. Its parameters
// follow, for a kernel.
struct task {
  uint kind, state;
  int status;       // once complete: CL_COMPLETE, or the error
  uint references;  // handles, tasks that wait for it, and one of its own until it is complete
  uint children;    // tasks that it has added, or a kernel that counts as a part of it, not yet complete
  uint wait_count;
  global struct task* parent;
  global ulong* profile;            // where capture_event_profiling_info wants its values
  ulong started, ended, completed;  // nanoseconds
  ulong function;
  uint dynamic_shared, parameter_size, record_offset;
  uint next_part;  // of a range that takes several launches
  global struct task* waits[WAITS_IN_TASK];
  global struct wait_node* more_waits;
};
#define TASK_HEAD 128  // its size, a multiple of the alignment of parameters
_Static_assert(sizeof(struct task) == TASK_HEAD, "parameters follow");

// A slot that holds what does not fit into a task's own wait list.
struct wait_node {
  global struct wait_node* next;
  global struct task* waits[];
};
#define WAITS_IN_NODE ((__clcuda_task_size() - (uint)sizeof(struct wait_node)) / (uint)sizeof(ulong))

static inline uint slot_count(void) {
  return (CLCUDA_TASKS_SIZE - (uint)sizeof(struct clcuda_tasks) - 128) / (__clcuda_task_size() + 16);
}
static inline global uint* task_list(global struct clcuda_tasks* tasks, uint number) {
  return (global uint*)(tasks + 1) + number * slot_count();
}
static inline global uint* live_tasks(global struct clcuda_tasks* tasks, uint lists) {
  return task_list(tasks, lists);
}
static inline global uint* free_slots(global struct clcuda_tasks* tasks, uint lists) {
  return task_list(tasks, 2 + lists);
}
static inline ulong first_slot(global struct clcuda_tasks* tasks) {
  return ((ulong)task_list(tasks, 4) + 127) / 128 * 128;
}
static inline global struct task* slot(global struct clcuda_tasks* tasks, uint number) {
  return (global struct task*)(first_slot(tasks) + (ulong)number * __clcuda_task_size());
}
static inline uint number_of(global struct clcuda_tasks* tasks, const global void* slot) {
  return (uint)(((ulong)slot - first_slot(tasks)) / __clcuda_task_size());
}

static inline ulong nanoseconds(void) {
  ulong time;
  __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

// The event's profile, when the task is complete: for the kernel itself, and with all that it has enqueued.
static inline void write_profile(const global struct task* task) {
  const ulong least = 1;  // the timer may tick slower than a kernel ends
  task->profile[0] = max(task->ended - task->started, least);
  task->profile[1] = max(task->completed - task->started, task->profile[0]);
}
#endif
