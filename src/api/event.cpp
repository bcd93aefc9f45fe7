// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/event.h"

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "runtime/queue/command_queue.h"

using namespace clcuda;
using namespace clcuda::api;

// Section 5.11.1. UserCommand::set_status() checks that a user event is set only once.
cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* error) {
  return created(error, context, [&] {
    auto command = Ref<UserCommand>::adopt(new UserCommand(object_of<Context>(context)));
    return handle_of(*new Event(command));
  });
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event handle, cl_int status) {
  return guarded(handle, [&] {
    Event& event = object_of<Event>(handle);
    require(event.command().type() == CL_COMMAND_USER, CL_INVALID_EVENT, "not a user event");
    require(status <= CL_COMPLETE, CL_INVALID_VALUE,
            "a user event ends with CL_COMPLETE or a negative status");
    static_cast<UserCommand&>(event.command()).set_status(status);
  });
}

// Section 5.11.1: at least one event, all of one context; failures are reported when all have ended.
cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event* events) {
  return guarded([&] {
    require(count > 0 && events, CL_INVALID_VALUE, "no events to wait for");
    std::vector<Ref<Command>> commands;
    for (cl_uint i = 0; i < count; ++i) {
      commands.emplace_back(object_of<Event>(events[i]).command());
      require(&commands.back()->context() == &commands.front()->context(), CL_INVALID_CONTEXT,
              "events of different contexts");
    }
    bool failed = false;
    for (const Ref<Command>& command : commands) failed |= command->wait() < 0;
    require(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command that was waited for failed");
  });
}

cl_int CL_API_CALL clGetEventInfo(cl_event handle, cl_event_info name, size_t size, void* value,
                                  size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    const Event& event = object_of<Event>(handle);
    Command& command = event.command();
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_EVENT_COMMAND_QUEUE:
        return out.write<cl_command_queue>(command.queue() ? handle_of(*command.queue()) : nullptr);
      case CL_EVENT_CONTEXT:
        return out.write<cl_context>(handle_of(command.context()));
      case CL_EVENT_COMMAND_TYPE:
        return out.write<cl_command_type>(command.type());
      case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return out.write<cl_int>(command.status());
      case CL_EVENT_REFERENCE_COUNT:
        return out.write<cl_uint>(event.api_count());
    }
    out.unknown();
  });
}

cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return guarded(event, [&] { object_of<Event>(event).retain_api(); });
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return guarded(event, [&] {
    require(object_of<Event>(event).release_api(), CL_INVALID_EVENT, "released more often than retained");
  });
}

// Section 5.11.1: a function, and a status for which callbacks exist.
cl_int CL_API_CALL clSetEventCallback(cl_event handle, cl_int at,
                                      void(CL_CALLBACK* function)(cl_event, cl_int, void*), void* user) {
  return guarded(handle, [&] {
    Event& event = object_of<Event>(handle);
    require(function, CL_INVALID_VALUE, "no callback");
    require(at == CL_SUBMITTED || at == CL_RUNNING || at == CL_COMPLETE, CL_INVALID_VALUE,
            "not a status to be told of");
    event.command().add_callback(handle_of(event), Ref<Object>(event), at, function, user);
  });
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event handle, cl_profiling_info name, size_t size, void* value,
                                           size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    Command& command = object_of<Event>(handle).command();
    // Section 5.15: not for user events, without CL_QUEUE_PROFILING_ENABLE, or before the command is
    // complete.
    require(
        command.queue() && command.queue()->profiling() && command.poll() && command.result() == CL_COMPLETE,
        CL_PROFILING_INFO_NOT_AVAILABLE, "no profile of this command, or not yet");
    const CommandTimes& times = command.times();
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_PROFILING_COMMAND_QUEUED:
        return out.write<cl_ulong>(times.queued);
      case CL_PROFILING_COMMAND_SUBMIT:
        return out.write<cl_ulong>(times.submitted);
      case CL_PROFILING_COMMAND_START:
        return out.write<cl_ulong>(times.started);
      case CL_PROFILING_COMMAND_END:
      case CL_PROFILING_COMMAND_COMPLETE:  // the end event also follows kernels enqueued by the kernel
        return out.write<cl_ulong>(times.ended);
    }
    out.unknown();
  });
}
