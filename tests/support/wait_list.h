// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "opencl.h"

namespace test {

// Checks the wait list and the event of an enqueue function:
//
//   TEST_F(FillBuffer, WaitList) {
//     check_wait_list(CL_COMMAND_FILL_BUFFER, [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
//       return clEnqueueFillBuffer(queue, …, count, waits, event);
//     });
//   }
class WaitListTest : public OpenCL {
 protected:
  using Enqueue = std::function<cl_int(cl_command_queue, cl_uint, const cl_event*, cl_event*)>;

  void check_wait_list(cl_command_type type, const Enqueue& enqueue);

 private:
  void refuses_bad_lists(cl_command_queue tested, const Enqueue& enqueue);
  void refuses_bad_queues(const Enqueue& enqueue);
  void describes_its_command(cl_command_queue tested, cl_command_type type, const Enqueue& enqueue);
  // The command, and one that waits for it, do not run before the user event is set.
  void waits_for_user_event(cl_command_queue tested, const Enqueue& enqueue);
  void fails_with_what_it_waits_for(cl_command_queue tested, const Enqueue& enqueue);
  void is_timed(cl_command_queue tested, const Enqueue& enqueue);
};

}  // namespace test
