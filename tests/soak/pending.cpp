// SPDX-License-Identifier: Apache-2.0
#include "soak/pending.h"

#include <atomic>
#include <sstream>
#include <thread>

#include "soak/random.h"
#include "soak/tally.h"

namespace soak {
namespace {

// The byte of memory that no command has written yet.
constexpr std::uint8_t kUntouched = 0xA5;

void called() {
  count(Count::callbacks);
  --callbacks_due();
}

void CL_CALLBACK count_event(cl_event, cl_int, void*) { called(); }
void CL_CALLBACK count_object(cl_mem, void*) { called(); }

}  // namespace

std::atomic<std::int64_t>& callbacks_due() {
  static std::atomic<std::int64_t> due = 0;
  return due;
}

void notify(cl_event event) {
  ++callbacks_due();
  const cl_int state = test::random_engine()() % 3 ? CL_COMPLETE : CL_RUNNING;
  CL_EXPECT(CL_SUCCESS, clSetEventCallback(event, state, count_event, nullptr));
}

void notify(cl_mem memory) {
  ++callbacks_due();
  CL_EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(memory, count_object, nullptr));
}

std::uint8_t* Pending::seen(Bytes expected) {
  reads_.push_back({Bytes(expected.size(), kUntouched), std::move(expected)});
  return reads_.back().seen.data();
}

void Pending::wait(const std::vector<test::Queue>& queues) const {
  switch (below(3)) {
    case 0: {
      const cl_int code = clWaitForEvents(1, last_.list());
      EXPECT_EQ(test::error_name(fails_ ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS),
                test::error_name(code))
          << what_;
      return;
    }
    case 1:
      for (const test::Queue& queue : queues) CL_EXPECT(CL_SUCCESS, clFinish(queue));
      return;
    default:
      for (const test::Queue& queue : queues) CL_EXPECT(CL_SUCCESS, clFlush(queue));
      while (test::status_of(last_) > CL_COMPLETE) std::this_thread::yield();
  }
}

std::string Pending::difference_of(const Read& read) {
  if (read.seen == read.expected) return {};
  const auto first = std::ranges::mismatch(read.seen, read.expected).in1;
  std::size_t different = 0;
  for (std::size_t i = 0; i < read.seen.size(); ++i) different += read.seen[i] != read.expected[i];
  std::ostringstream text;
  text << different << " of " << read.seen.size() << " bytes differ, the first at "
       << first - read.seen.begin() << "; " << std::ranges::count(read.seen, kUntouched)
       << " are as before the read; bytes there:" << std::hex;
  for (auto byte = first; byte != read.seen.end() && byte - first < 16; ++byte) text << ' ' << +*byte;
  return text.str();
}

void Pending::check() const {
  const cl_int status = test::status_of(last_);
  if (fails_) {
    EXPECT_LT(status, 0) << what_;
    return;
  }
  EXPECT_EQ(CL_COMPLETE, status) << what_;
  for (const Read& read : reads_) {
    EXPECT_EQ("", difference_of(read)) << what_;
    count(Count::compared, read.seen.size());
  }
}

void Pending::leave(std::unique_ptr<Pending> pending) {
  ++callbacks_due();
  Pending* const left = pending.release();
  const auto end = [](cl_event, cl_int, void* data) {
    {
      const std::unique_ptr<Pending> ended(static_cast<Pending*>(data));
      ended->check();
    }
    called();
  };
  const cl_int code = clSetEventCallback(left->last_, CL_COMPLETE, end, left);
  EXPECT_EQ("CL_SUCCESS", test::error_name(code)) << left->what_;
}

}  // namespace soak
