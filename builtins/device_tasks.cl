// SPDX-License-Identifier: Apache-2.0
// The scheduler of device-side enqueue: one work-group, run after a launch that enqueues, then by itself after each round (device_tasks.h).
#include "device_launch.h"
#include "device_tasks.h"

void* __clcuda_task_scheduler(void);  // resolved by the compiler: the kernel below

// The variables that the work-items of the scheduler share.
struct round {
  uint live, changed, ready, started, next_live, next_free;
};

// Limit on successive rounds that start nothing, as can happen while other streams use up the device's limit on launches.
#define MOST_IDLE_ROUNDS 100000
#define LONGEST_WAIT_FOR_ROOM 10000000000ul  // nanoseconds
#define OUT_OF_RESOURCES ((uint) - 5)

static void complete(global struct clcuda_tasks* tasks, global struct task* task, int status) {
  task->status = status;
  task->completed = nanoseconds();
  if (task->started == 0) task->started = task->ended = task->completed;
  if (task->profile) write_profile(task);
  mem_fence(CLK_GLOBAL_MEM_FENCE);  // whoever sees the state sees the status
  task->state = task_complete;
  atomic_dec(&task->references);
  // API section 3.2.3: a parent fails with its child.
  if (status < 0 && task->kind == task_kernel) {
    if (task->parent)
      task->parent->status = status;
    else
      tasks->failed = (uint)status;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
  }
  if (task->parent) atomic_dec(&task->parent->children);
}

// Executes a statement for each event of a task's wait list.
#define FOR_EACH_WAIT(task, event, statement)                                                                \
  {                                                                                                          \
    global struct wait_node* node = (task)->more_waits;                                                      \
    for (uint i = 0; i < (task)->wait_count; ++i) {                                                          \
      const uint place = i - WAITS_IN_TASK;                                                                  \
      if (i > WAITS_IN_TASK && place % WAITS_IN_NODE == 0) node = node->next;                                \
      global struct task* event = i < WAITS_IN_TASK ? (task)->waits[i] : node->waits[place % WAITS_IN_NODE]; \
      statement;                                                                                             \
    }                                                                                                        \
  }

static void give_back(global struct clcuda_tasks* tasks, local struct round* round, const global void* slot) {
  free_slots(tasks, !tasks->lists)[atomic_inc(&round->next_free)] = number_of(tasks, slot);
}

// Drops the wait list, which the task no longer needs.
static void drop_waits(global struct clcuda_tasks* tasks, local struct round* round,
                       global struct task* task) {
  FOR_EACH_WAIT(task, event, atomic_dec(&event->references))
  task->wait_count = 0;
  for (global struct wait_node *node = task->more_waits, *next; node; node = next) {
    next = node->next;
    give_back(tasks, round, node);
  }
  task->more_waits = 0;
}

// Advances a task by one step for which no kernel has to run. True if the task has advanced.
static bool settle(global struct clcuda_tasks* tasks, local struct round* round, global struct task* task) {
  if (task->state == task_ended) {
    if (*(volatile global uint*)&task->children != 0) return false;
    complete(tasks, task, task->status);
    return true;
  }
  if (task->state != task_waiting || task->kind == task_user_event) return false;
  // A part of the parent's range is still to be started, and the task may have to wait for all of it.
  if (task->parent && task->parent->state == task_ready) return false;
  bool failed = false;
  FOR_EACH_WAIT(task, event, {
    if (*(volatile global uint*)&event->state != task_complete) return false;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    failed = failed || event->status < 0;
  })
  drop_waits(tasks, round, task);
  if (failed)  // as on the host: a command that waits for a failed command fails
    complete(tasks, task, -14);
  else if (task->function == 0)
    complete(tasks, task, 0);
  else
    task->state = task_ready, round->ready = 1;
  return true;
}

// Launches the parts of a task's kernel that the device accepts.
static void start(local struct round* round, global struct task* task) {
  global const char* parameters = (global const char*)task + TASK_HEAD;
  struct clcuda_launch_record record =
      *(global struct clcuda_launch_record*)(parameters + task->record_offset);
  const uint parts = (uint)part_count(&record);
  if (task->started == 0) task->started = nanoseconds();
  for (; task->next_part < parts; ++task->next_part) {
    if (atomic_inc(&round->started) >= CLCUDA_MOST_STARTED) return;
    uint grid[3], block[3];
    choose_part(&record, task->next_part, grid, block);
    char* to = parameter_buffer((void*)task->function, grid, block, task->dynamic_shared);
    if (!to) break;
    for (uint i = 0; i < task->parameter_size / sizeof(ulong); ++i)
      ((two_words*)to)[i] = ((global const two_words*)parameters)[i];
    *(struct clcuda_launch_record*)(to + task->record_offset) = record;
    if (__cudaCDP2LaunchDeviceV2(to, FIRE_AND_FORGET) != 0) break;
  }
  if (task->next_part == parts)
    task->state = task_running;
  else
    atomic_dec(&round->started);
}

// Whether nothing can wait for the task or query it any more.
static bool is_over(const global struct task* task) {
  if (task->state == task_complete) return task->references == 0;
  return task->kind == task_user_event && task->references == 1;  // never set, and nothing else refers to it
}

static void settle_all(global struct clcuda_tasks* tasks, local struct round* round) {
  const uint me = (uint)get_local_id(0), lists = tasks->lists;
  global uint* live = live_tasks(tasks, lists);
  for (uint i = me; i < round->live; i += CLCUDA_SCHEDULER_ITEMS) {
    global struct task* task = slot(tasks, live[i]);
    if (task->state == task_ready) round->ready = 1;
    if (task->state != task_running) continue;
    task->ended = nanoseconds();
    task->state = task_ended;
  }
  do {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    round->changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < round->live; i += CLCUDA_SCHEDULER_ITEMS)
      if (settle(tasks, round, slot(tasks, live[i]))) round->changed = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  } while (round->changed);
}

// Makes the lists of the next round: slots of finished tasks are freed, and the rest of the free list is kept.
static void make_lists(global struct clcuda_tasks* tasks, local struct round* round) {
  const uint me = (uint)get_local_id(0), lists = tasks->lists;
  const global uint* live = live_tasks(tasks, lists);
  for (uint i = me; i < round->live; i += CLCUDA_SCHEDULER_ITEMS) {
    global struct task* task = slot(tasks, live[i]);
    if (is_over(task)) {
      task->references = 0;
      give_back(tasks, round, task);
    } else {
      live_tasks(tasks, !lists)[atomic_inc(&round->next_live)] = live[i];
    }
  }
  for (uint i = tasks->taken + me; i < tasks->free_count; i += CLCUDA_SCHEDULER_ITEMS)
    free_slots(tasks, !lists)[atomic_inc(&round->next_free)] = free_slots(tasks, lists)[i];
}

static void start_all(global struct clcuda_tasks* tasks, local struct round* round) {
  const global uint* live = live_tasks(tasks, tasks->lists);
  for (uint i = (uint)get_local_id(0); i < round->next_live; i += CLCUDA_SCHEDULER_ITEMS) {
    global struct task* task = slot(tasks, live[i]);
    if (task->state == task_ready) start(round, task);
  }
}

static bool start_scheduler(global struct clcuda_tasks* tasks) {
  const uint one[3] = {1, 1, 1}, items[3] = {CLCUDA_SCHEDULER_ITEMS, 1, 1};
  char* parameters = parameter_buffer(__clcuda_task_scheduler(), one, items, 0);
  if (!parameters) return false;
  *(ulong*)parameters = (ulong)tasks;
  return __cudaCDP2LaunchDeviceV2(parameters, TAIL_LAUNCH) == 0;
}

// Launches the scheduler again, to run once all kernels that it starts have finished. This comes before any other launch, so that there is
// room for it. If other streams have used up all room, it is retried while their launches make progress.
static bool come_back(global struct clcuda_tasks* tasks) {
  const ulong end = nanoseconds() + LONGEST_WAIT_FOR_ROOM;
  while (!start_scheduler(tasks))
    if (nanoseconds() > end) return false;
  return true;
}

// From here on the header describes the next round, whose first kernels add tasks while the last ones are still being launched.
static void open_round(global struct clcuda_tasks* tasks, const local struct round* round) {
  if (tasks->taken > tasks->free_count)
    tasks->fresh = min(tasks->fresh + (tasks->taken - tasks->free_count), slot_count());
  tasks->taken = 0;
  tasks->free_count = round->next_free;
  tasks->live_count = round->next_live;
  tasks->direct = 0;
  tasks->lists = !tasks->lists;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
}

__attribute__((reqd_work_group_size(CLCUDA_SCHEDULER_ITEMS, 1, 1))) kernel void __clcuda_run_tasks(
    global struct clcuda_tasks* tasks) {
  local struct round round;
  const bool first = get_local_id(0) == 0;
  if (first) {
    round.live = min(tasks->live_count, slot_count());
    round.ready = round.started = round.next_live = round.next_free = 0;
    if (tasks->rounds++ == 0) tasks->failed = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  settle_all(tasks, &round);
  if (first) {
    const bool again = round.ready && tasks->idle_rounds < MOST_IDLE_ROUNDS && come_back(tasks);
    // At the end, tasks may be left that wait for events which nothing can set, since no kernel is running. They are discarded, and the
    // header is reset to its state before the launch. If a kernel was ready but could not be started, the command fails.
    if (!again) *tasks = (struct clcuda_tasks){.failed = round.ready ? OUT_OF_RESOURCES : tasks->failed};
    round.ready = again;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (!round.ready) return;
  make_lists(tasks, &round);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (first) open_round(tasks, &round);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  start_all(tasks, &round);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first) tasks->idle_rounds = round.started ? 0 : tasks->idle_rounds + 1;
}
