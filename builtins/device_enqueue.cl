// SPDX-License-Identifier: Apache-2.0
// enqueue_kernel, enqueue_marker and their events (OpenCL C 6.15.18), as Clang calls them. A block that waits for nothing, not even for its
// parent, and that nothing can wait for is launched at once; all others become tasks for the scheduler.
#include "device_launch.h"
#include "device_tasks.h"

#define MOST_LOCAL_MEMORY (48u << 10)
#define MOST_GROUPS (1ul << 40)  // in a dimension; a larger range would not finish in this century
#define MOST_PARTS 4096
#define LOCAL_ALIGNMENT 128  // of the largest type: what a block's local pointers point to is not known

// The parameters of an enqueue.
struct request {
  void* function;
  const void* literal;
  uint local_count;
  const ulong* local_sizes;
  uint first_local, dynamic_shared;  // offset of the first local argument; size
  uint record_offset, parameter_size;
  struct clcuda_launch_record record;  // of the new kernel
};

static global struct clcuda_tasks* tasks_of_launch(void) {
  return (global struct clcuda_tasks*)__clcuda_launch_record()->tasks;
}

static ulong local_place(ulong end) {
  return (end + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
}

static int failure(int reason) { return __clcuda_detailed_errors() ? reason : CLK_ENQUEUE_FAILURE; }

// Takes a free slot; null if there is none.
static global struct task* take_slot(global struct clcuda_tasks* tasks) {
  const uint taken = atomic_inc(&tasks->taken);
  if (taken < tasks->free_count) return slot(tasks, free_slots(tasks, tasks->lists)[taken]);
  const uint fresh = tasks->fresh + (taken - tasks->free_count);
  return fresh < slot_count() ? slot(tasks, fresh) : 0;
}

static global struct task* make_task(global struct clcuda_tasks* tasks, uint kind) {
  global struct task* task = take_slot(tasks);
  if (!task) return 0;
  for (uint i = 0; i < TASK_HEAD / sizeof(ulong); ++i) ((global two_words*)task)[i] = 0;
  task->kind = kind;
  task->state = task_waiting;
  task->references = 1;
  live_tasks(tasks, tasks->lists)[atomic_inc(&tasks->live_count)] = number_of(tasks, task);
  return task;
}

static bool is_event(global struct clcuda_tasks* tasks, clk_event_t event) {
  const ulong offset = __builtin_astype(event, ulong) - first_slot(tasks);
  return offset < (ulong)slot_count() * __clcuda_task_size() && offset % __clcuda_task_size() == 0 &&
         ((global struct task*)__builtin_astype(event, ulong))->references != 0;
}

static global struct task* task_of(clk_event_t event) {
  return (global struct task*)__builtin_astype(event, ulong);
}

static bool good_wait_list(global struct clcuda_tasks* tasks, uint count, const clk_event_t* events) {
  if ((count == 0) != (events == 0)) return false;
  for (uint i = 0; i < count; ++i)
    if (!is_event(tasks, events[i])) return false;
  return true;
}

// Sets a task's wait list. False if there is no space for it; the task then counts as complete, and the scheduler removes it in its next
// run.
static bool set_wait_list(global struct clcuda_tasks* tasks, global struct task* task, uint count,
                          const clk_event_t* events) {
  global struct wait_node* node = 0;
  for (uint i = 0; i < count; ++i) {
    const uint place = i - WAITS_IN_TASK;
    if (i >= WAITS_IN_TASK && place % WAITS_IN_NODE == 0) {
      global struct wait_node* next = (global struct wait_node*)take_slot(tasks);
      if (!next) {
        task->kind = task_marker;
        return false;
      }
      next->next = 0;
      if (node)
        node->next = next;
      else
        task->more_waits = next;
      node = next;
    }
    atomic_inc(&task_of(events[i])->references);
    if (i < WAITS_IN_TASK)
      task->waits[i] = task_of(events[i]);
    else
      node->waits[place % WAITS_IN_NODE] = task_of(events[i]);
    ++task->wait_count;
  }
  return true;
}

static void add_to_parent(global struct task* task) {
  task->parent = (global struct task*)__clcuda_launch_record()->task;
  if (task->parent) atomic_inc(&task->parent->children);
}

static void return_event(global struct task* task, clk_event_t* event) {
  if (!event) return;
  atomic_inc(&task->references);
  *event = __builtin_astype((ulong)task, clk_event_t);
}

// Section 6.15.18.6: without a local size the implementation chooses one. A power of two that divides the range keeps it in one launch.
static void choose_local_size(struct clcuda_launch_record* record) {
  uint left = 256;
  for (uint d = 0; d < 3; ++d) {
    const ulong size = record->global_size[d];
    uint local_size = left;
    if (size <= left)
      local_size = max((uint)size, 1u);
    else
      while (local_size > 32 && size % local_size != 0) local_size /= 2;
    if (size > local_size && size % local_size != 0) {
      local_size = left;
      if (__clcuda_must_divide())
        while (size % local_size != 0) --local_size;
    }
    record->enqueued_local_size[d] = local_size;
    left /= local_size;
  }
}

// Fills in the launch record from a range; false if the range is invalid.
static bool describe_range(const ndrange_t* range, struct clcuda_launch_record* record) {
  const uint dimensions = range->workDimension;
  if (dimensions < 1 || dimensions > 3) return false;
  *record = (struct clcuda_launch_record){.work_dim = dimensions};
  bool chosen = true;
  for (uint d = 0; d < 3; ++d) {
    const bool used = d < dimensions;
    record->global_offset[d] = used ? range->globalWorkOffset[d] : 0;
    record->global_size[d] = used ? range->globalWorkSize[d] : 1;
    const ulong local_size = used ? range->localWorkSize[d] : 1;
    if (used && local_size != 0) chosen = false;
    if (local_size > 1024 || record->global_size[d] > ULONG_MAX - record->global_offset[d]) return false;
    record->enqueued_local_size[d] = (uint)local_size;
  }
  if (chosen) choose_local_size(record);
  for (uint d = 0; d < 3; ++d) {
    const uint local_size = record->enqueued_local_size[d];
    if (record->global_size[d] == 0) continue;
    if (local_size == 0) return false;
    if (__clcuda_must_divide() && record->global_size[d] % local_size != 0) return false;
    record->group_count[d] = (record->global_size[d] + local_size - 1) / local_size;
    if (record->group_count[d] > MOST_GROUPS) return false;
  }
  return true;
}

// The beginning of cudaFuncAttributes, with space for all of it.
struct attributes {
  ulong local_memory;  // of the kernel's own local variables
  ulong constant_memory, private_memory;
  uint most_items, registers;
  ulong others[28];
};
int __cudaCDP2FuncGetAttributes(struct attributes* attributes, const void* function);

static uint most_items(void* function) {
  struct attributes attributes;
  return __cudaCDP2FuncGetAttributes(&attributes, function) == 0 ? attributes.most_items : 256;
}

static ulong variable_memory(void* function) {
  struct attributes attributes;
  return __cudaCDP2FuncGetAttributes(&attributes, function) == 0 ? attributes.local_memory : 0;
}

static bool is_empty(const struct clcuda_launch_record* record) {
  return record->global_size[0] == 0 || record->global_size[1] == 0 || record->global_size[2] == 0;
}

static bool group_fits(void* function, const struct clcuda_launch_record* record) {
  const uint items =
      record->enqueued_local_size[0] * record->enqueued_local_size[1] * record->enqueued_local_size[2];
  return items <= 256 || items <= most_items(function);
}

static uint literal_size(const void* literal) { return *(const word*)literal; }

// Determines the layout of the new kernel's parameters, and how much local memory it needs.
static int place_parameters(struct request* request) {
  const uint literal = (literal_size(request->literal) + 15) / 16 * 16;
  request->record_offset = (literal + 4 * request->local_count + 7) / 8 * 8;
  request->parameter_size = request->record_offset + (uint)sizeof(struct clcuda_launch_record);
  if (request->local_count == 0) return CLK_SUCCESS;
  // Local arguments follow the variables: dynamic shared memory begins at the next multiple of 16, and offsets count from that address
  // rounded down (dynamic_local_address in the compiler).
  const ulong variables = (variable_memory(request->function) + 15) / 16 * 16;
  ulong local_memory = 0;
  for (uint i = 0; i < request->local_count; ++i) {
    if (request->local_sizes[i] == 0) return CLK_INVALID_ARG_SIZE;
    if (request->local_sizes[i] > MOST_LOCAL_MEMORY) return CLK_OUT_OF_RESOURCES;
    local_memory = local_place(local_memory) + request->local_sizes[i];
  }
  if (local_place(variables) + local_memory > MOST_LOCAL_MEMORY) return CLK_OUT_OF_RESOURCES;
  request->first_local = variables % LOCAL_ALIGNMENT == 0 ? 0 : LOCAL_ALIGNMENT;
  request->dynamic_shared = (uint)(local_place(variables) - variables + local_memory);
  return CLK_SUCCESS;
}

static void write_parameters(char* to, const struct request* request) {
  const uint size = literal_size(request->literal);
  for (uint i = 0; i < size / 4; ++i) ((word*)to)[i] = ((const word*)request->literal)[i];
  for (uint i = size / 4 * 4; i < size; ++i) ((byte*)to)[i] = ((const byte*)request->literal)[i];
  word* offsets = (word*)(to + (size + 15) / 16 * 16);
  uint end = request->first_local;
  for (uint i = 0; i < request->local_count; ++i) {
    offsets[i] = (uint)local_place(end);
    end = offsets[i] + (uint)request->local_sizes[i];
  }
  *(struct clcuda_launch_record*)(to + request->record_offset) = request->record;
}

// Launches one part of the range; false if the device does not accept it.
static bool start_part(struct request* request, uint part, void* stream) {
  uint grid[3], block[3];
  choose_part(&request->record, part, grid, block);
  char* parameters = parameter_buffer(request->function, grid, block, request->dynamic_shared);
  if (!parameters) return false;
  write_parameters(parameters, request);
  return __cudaCDP2LaunchDeviceV2(parameters, stream) == 0;
}

// Launches a range of one part at once, if there is room.
static bool start_now(global struct clcuda_tasks* tasks, struct request* request) {
  return atomic_inc(&tasks->direct) < CLCUDA_MOST_DIRECT && start_part(request, 0, FIRE_AND_FORGET);
}

// The same for a task, whose further parts, if there is no room for all, are started in the next round.
static void start_parts(global struct clcuda_tasks* tasks, struct request* request, global struct task* task,
                        uint parts) {
  while (task->next_part < parts && atomic_inc(&tasks->direct) < CLCUDA_MOST_DIRECT &&
         start_part(request, task->next_part, FIRE_AND_FORGET))
    ++task->next_part;
  task->state = task->next_part == parts ? task_running : task_ready;
}

// Launches the kernel as a tail launch of the running grid. Tail launches run one after another, so only the first child of a grid is
// launched this way, as a chain of kernels needs it. (Grids that do this at the same time may replace each other's number in tail_grid;
// then more than one child is.) While there are tasks, the scheduler must run in between, so that their slots are freed.
static bool start_behind(global struct clcuda_tasks* tasks, struct request* request) {
  if (*(volatile global uint*)&tasks->taken != 0) return false;
  ulong grid;
  __asm__ volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
  const ulong last = atomic_exchange_explicit((volatile global atomic_ulong*)&tasks->tail_grid, grid + 1,
                                              memory_order_relaxed, memory_scope_device);
  return last != grid + 1 && start_part(request, 0, TAIL_LAUNCH);
}

// Starts a range of one part without a task. The end of the running grid is that of the work-group, but that of the kernel only if it is
// the only grid.
static bool start_alone(global struct clcuda_tasks* tasks, struct request* request, int flags) {
  if (flags == CLK_ENQUEUE_FLAGS_NO_WAIT) return start_now(tasks, request);
  const bool ends_with_grid =
      flags == CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP || has_one_part(__clcuda_launch_record());
  return ends_with_grid && start_behind(tasks, request);
}

// An empty range makes a kernel without a function. A task of its own is what the kernel's children belong to, if anything can query the
// task, or if some of its parts may start in a later round than others, which children must wait for (device_tasks.cl). Otherwise they
// count as its parent's.
static global struct task* add_kernel(global struct clcuda_tasks* tasks, struct request* request, ulong parts,
                                      uint count, const clk_event_t* events, clk_event_t* event) {
  global struct task* task = make_task(tasks, task_kernel);
  if (!task || !set_wait_list(tasks, task, count, events)) return 0;
  add_to_parent(task);
  if (parts != 0) {
    if (event || parts > 1) request->record.task = (ulong)task;
    task->function = (ulong)request->function;
    task->dynamic_shared = request->dynamic_shared;
    task->parameter_size = request->parameter_size;
    task->record_offset = request->record_offset;
    write_parameters((char*)task + TASK_HEAD, request);
  }
  return_event(task, event);
  return task;
}

static int enqueue(queue_t queue, int flags, const ndrange_t* range, uint count, const clk_event_t* events,
                   clk_event_t* event, void* function, const void* literal, uint local_count,
                   const ulong* local_sizes) {
  const struct clcuda_launch_record* own = __clcuda_launch_record();
  global struct clcuda_tasks* tasks = tasks_of_launch();
  struct request request = {
      .function = function, .literal = literal, .local_count = local_count, .local_sizes = local_sizes};
  if (!tasks || __builtin_astype(queue, ulong) == 0) return failure(CLK_INVALID_QUEUE);
  if (flags < CLK_ENQUEUE_FLAGS_NO_WAIT || flags > CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP)
    return CLK_ENQUEUE_FAILURE;
  if (!describe_range(range, &request.record) || !group_fits(function, &request.record))
    return failure(CLK_INVALID_NDRANGE);
  if (!good_wait_list(tasks, count, events)) return failure(CLK_INVALID_EVENT_WAIT_LIST);
  const int placed = place_parameters(&request);
  if (placed != CLK_SUCCESS) return failure(placed);
  request.record.printf_buffer = own->printf_buffer;
  request.record.tasks = own->tasks;
  request.record.task = own->task;
  request.record.default_queue = own->default_queue;
  const ulong parts = is_empty(&request.record) ? 0 : part_count(&request.record);
  if (parts > MOST_PARTS) return failure(CLK_OUT_OF_RESOURCES);
  const bool alone = count == 0 && !event;
  if (alone && (parts == 0 || (parts == 1 && start_alone(tasks, &request, flags)))) return CLK_SUCCESS;
  global struct task* task = add_kernel(tasks, &request, parts, count, events, event);
  if (!task) return failure(CLK_DEVICE_QUEUE_FULL);
  if (alone && flags == CLK_ENQUEUE_FLAGS_NO_WAIT) start_parts(tasks, &request, task, (uint)parts);
  return CLK_SUCCESS;
}

// The four forms of enqueue_kernel.
int __enqueue_kernel_basic(queue_t queue, int flags, const ndrange_t* range, void* function, void* literal) {
  return enqueue(queue, flags, range, 0, 0, 0, function, literal, 0, 0);
}
int __enqueue_kernel_basic_events(queue_t queue, int flags, const ndrange_t* range, uint count,
                                  const clk_event_t* events, clk_event_t* event, void* function,
                                  void* literal) {
  return enqueue(queue, flags, range, count, events, event, function, literal, 0, 0);
}
int __enqueue_kernel_varargs(queue_t queue, int flags, const ndrange_t* range, void* function, void* literal,
                             uint local_count, const ulong* local_sizes) {
  return enqueue(queue, flags, range, 0, 0, 0, function, literal, local_count, local_sizes);
}
int __enqueue_kernel_events_varargs(queue_t queue, int flags, const ndrange_t* range, uint count,
                                    const clk_event_t* events, clk_event_t* event, void* function,
                                    void* literal, uint local_count, const ulong* local_sizes) {
  return enqueue(queue, flags, range, count, events, event, function, literal, local_count, local_sizes);
}

int OVERLOAD enqueue_marker(queue_t queue, uint count, const clk_event_t* events, clk_event_t* event) {
  global struct clcuda_tasks* tasks = tasks_of_launch();
  if (!tasks || __builtin_astype(queue, ulong) == 0) return failure(CLK_INVALID_QUEUE);
  if (!events || !good_wait_list(tasks, count, events)) return failure(CLK_INVALID_EVENT_WAIT_LIST);
  if (!event) return CLK_SUCCESS;
  global struct task* task = make_task(tasks, task_marker);
  if (!task || !set_wait_list(tasks, task, count, events)) return failure(CLK_DEVICE_QUEUE_FULL);
  add_to_parent(task);
  return_event(task, event);
  return CLK_SUCCESS;
}

queue_t OVERLOAD get_default_queue(void) {
  return __builtin_astype(__clcuda_launch_record()->default_queue, queue_t);
}

clk_event_t OVERLOAD create_user_event(void) {
  global struct clcuda_tasks* tasks = tasks_of_launch();
  global struct task* task = tasks ? make_task(tasks, task_user_event) : 0;
  clk_event_t event = CLK_NULL_EVENT;
  if (task) return_event(task, &event);
  return event;
}

bool OVERLOAD is_valid_event(clk_event_t event) {
  global struct clcuda_tasks* tasks = tasks_of_launch();
  return tasks && is_event(tasks, event);
}

void OVERLOAD retain_event(clk_event_t event) {
  if (is_valid_event(event)) atomic_inc(&task_of(event)->references);
}

void OVERLOAD release_event(clk_event_t event) {
  if (is_valid_event(event)) atomic_dec(&task_of(event)->references);
}

void OVERLOAD set_user_event_status(clk_event_t event, int status) {
  if (!is_valid_event(event) || status > 0) return;
  global struct task* task = task_of(event);
  if (task->kind != task_user_event || task->state != task_waiting) return;
  task->status = status;
  task->state = task_ended;
}

void OVERLOAD capture_event_profiling_info(clk_event_t event, clk_profiling_info name, global void* value) {
  if (name != CLK_PROFILING_COMMAND_EXEC_TIME || !value || !is_valid_event(event)) return;
  global struct task* task = task_of(event);
  if (task->kind == task_user_event) return;
  task->profile = (global ulong*)value;
  if (task->state == task_complete) write_profile(task);
}

// Queries about a block.
uint __get_kernel_work_group_size_impl(void* function, void* literal) {
  (void)literal;
  return min(most_items(function), 1024u);
}
uint __get_kernel_preferred_work_group_size_multiple_impl(void* function, void* literal) {
  (void)function, (void)literal;
  return 32;
}
uint __get_kernel_max_sub_group_size_for_ndrange_impl(const ndrange_t* range, void* function, void* literal) {
  (void)range, (void)function, (void)literal;
  return 32;
}
uint __get_kernel_sub_group_count_for_ndrange_impl(const ndrange_t* range, void* function, void* literal) {
  (void)function, (void)literal;
  struct clcuda_launch_record record;
  if (!describe_range(range, &record)) return 0;
  const uint items =
      record.enqueued_local_size[0] * record.enqueued_local_size[1] * record.enqueued_local_size[2];
  return (items + 31) / 32;
}

#define RANGE_FROM_SIZES(dimensions)                                                                         \
  ndrange_t OVERLOAD ndrange_##dimensions##D(const size_t size[dimensions]) {                                \
    ndrange_t range = {.workDimension = dimensions};                                                         \
    for (uint d = 0; d < dimensions; ++d) range.globalWorkSize[d] = size[d];                                 \
    return range;                                                                                            \
  }                                                                                                          \
  ndrange_t OVERLOAD ndrange_##dimensions##D(const size_t size[dimensions],                                  \
                                             const size_t group[dimensions]) {                               \
    ndrange_t range = ndrange_##dimensions##D(size);                                                         \
    for (uint d = 0; d < dimensions; ++d) range.localWorkSize[d] = group[d];                                 \
    return range;                                                                                            \
  }                                                                                                          \
  ndrange_t OVERLOAD ndrange_##dimensions##D(const size_t offset[dimensions], const size_t size[dimensions], \
                                             const size_t group[dimensions]) {                               \
    ndrange_t range = ndrange_##dimensions##D(size, group);                                                  \
    for (uint d = 0; d < dimensions; ++d) range.globalWorkOffset[d] = offset[d];                             \
    return range;                                                                                            \
  }
RANGE_FROM_SIZES(2)
RANGE_FROM_SIZES(3)
ndrange_t OVERLOAD ndrange_1D(size_t size) {
  return (ndrange_t){.workDimension = 1, .globalWorkSize = {size}};
}
ndrange_t OVERLOAD ndrange_1D(size_t size, size_t group) {
  return (ndrange_t){.workDimension = 1, .globalWorkSize = {size}, .localWorkSize = {group}};
}
ndrange_t OVERLOAD ndrange_1D(size_t offset, size_t size, size_t group) {
  return (ndrange_t){
      .workDimension = 1, .globalWorkOffset = {offset}, .globalWorkSize = {size}, .localWorkSize = {group}};
}
