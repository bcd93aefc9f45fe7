// SPDX-License-Identifier: Apache-2.0
// Exchange by an MPI that accepts device addresses: the messages are the buffers themselves. MPI does not use streams, so the host waits
// until the edges have been computed before it sends them.
#include <mpi.h>

#include "exchange.h"
#include "messages.h"
#include "support/cuda_interop.h"
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace heat {
namespace {

// As MPI reports it at run time, because it may be unknown at compile time.
bool mpi_takes_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

class DeviceExchange final : public Exchange {
 public:
  DeviceExchange(const Ranks& ranks, const client::Session& session, const Edges& edges)
      : cuda_(session.device()),
        uses_{{edges.outgoing.get(), CL_MEM_READ_ONLY}, {edges.incoming.get(), CL_MEM_READ_WRITE}},
        queue_(transfer_queue(session)),
        stream_(client::CudaInterop::stream(queue_.get())),
        messages_(ranks, static_cast<const float*>(cuda_.pointer(edges.outgoing)),
                  static_cast<float*>(cuda_.pointer(edges.incoming))) {
    cuda_.make_current();
  }

  void start(const client::Event& computed) override {
    cl_event event = nullptr;
    const cl_event after = computed.get();
    client::check(clEnqueueMarkerWithWaitList(queue_.get(), after ? 1 : 0, after ? &after : nullptr, &event),
                  "clEnqueueMarkerWithWaitList");
    computed_.reset(event);
    client::check(clFlush(queue_.get()), "clFlush");
  }

  client::Event finish() override {
    cuda_.acquire(queue_.get(), uses_, stream_);
    const cl_event computed = computed_.get();
    client::check(clWaitForEvents(1, &computed), "clWaitForEvents");
    messages_.exchange();
    return cuda_.release(queue_.get(), uses_, stream_);
  }

  std::string name() const override { return "MPI on device memory"; }

 private:
  client::CudaInterop cuda_;
  std::vector<client::CudaUse> uses_;
  client::Queue queue_;
  CUstream_st* stream_;
  Messages messages_;
  client::Event computed_;
};

}  // namespace

std::string device_exchange_problem(const client::Session& session) {
  if (!client::CudaInterop::supported(session.device())) return "the device has no cl_clcuda_cuda_interop";
  // A CPU device's memory is host memory, which any MPI accepts.
  if (session.is_gpu() && !mpi_takes_device_memory()) return "this MPI is not CUDA-aware";
  return {};
}

std::unique_ptr<Exchange> make_device_exchange(const Ranks& ranks, const client::Session& session,
                                               const Edges& edges) {
  return std::make_unique<DeviceExchange>(ranks, session, edges);
}

}  // namespace heat
