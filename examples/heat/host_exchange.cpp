// SPDX-License-Identifier: Apache-2.0
// Exchange through pinned host memory: the edges are read in one transfer, sent and received, and written in one transfer, concurrently
// with kernels.
#include <algorithm>
#include <vector>

#include "exchange.h"
#include "messages.h"

namespace heat {
namespace {

// Memory that the device's copy engines reach: a buffer in host memory, mapped for its whole life, so that kernels never use it.
class Pinned {
 public:
  Pinned(const client::Session& session, size_t bytes)
      : session_(session),
        buffer_(session.buffer(bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR)),
        data_(mapped(session, buffer_, bytes)) {
    std::fill_n(data_, bytes / sizeof(float), 0.0f);
  }
  ~Pinned() {
    clEnqueueUnmapMemObject(session_.queue(), buffer_.get(), data_, 0, nullptr, nullptr);
    clFinish(session_.queue());
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  float* data() const { return data_; }

 private:
  static float* mapped(const client::Session& session, const client::Buffer& buffer, size_t bytes) {
    cl_int error = CL_SUCCESS;
    void* data = clEnqueueMapBuffer(session.queue(), buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    bytes, 0, nullptr, nullptr, &error);
    client::check(error, "clEnqueueMapBuffer");
    return static_cast<float*>(data);
  }

  const client::Session& session_;
  client::Buffer buffer_;
  float* data_;
};

class HostExchange final : public Exchange {
 public:
  HostExchange(const Ranks& ranks, const client::Session& session, const Edges& edges)
      : edges_(edges),
        queue_(transfer_queue(session)),
        outgoing_(session, edges.bytes),
        incoming_(session, edges.bytes),
        messages_(ranks, outgoing_.data(), incoming_.data()) {}

  void start(const client::Event& computed) override {
    const cl_event after = computed.get();
    cl_event event = nullptr;
    client::check(clEnqueueReadBuffer(queue_.get(), edges_.outgoing.get(), CL_FALSE, 0, edges_.bytes,
                                      outgoing_.data(), after ? 1 : 0, after ? &after : nullptr, &event),
                  "clEnqueueReadBuffer");
    read_.reset(event);
    client::check(clFlush(queue_.get()), "clFlush");
  }

  // When the edges have been read, they had been computed, so the previous write of incoming edges has ended: both arrays are free.
  client::Event finish() override {
    const cl_event read = read_.get();
    client::check(clWaitForEvents(1, &read), "clWaitForEvents");
    messages_.exchange();
    cl_event event = nullptr;
    client::check(clEnqueueWriteBuffer(queue_.get(), edges_.incoming.get(), CL_FALSE, 0, edges_.bytes,
                                       incoming_.data(), 0, nullptr, &event),
                  "clEnqueueWriteBuffer");
    client::check(clFlush(queue_.get()), "clFlush");
    return client::Event(event);
  }

  std::string name() const override { return "host memory"; }

 private:
  const Edges& edges_;
  client::Queue queue_;
  Pinned outgoing_, incoming_;
  Messages messages_;
  client::Event read_;
};

}  // namespace

std::unique_ptr<Exchange> make_host_exchange(const Ranks& ranks, const client::Session& session,
                                             const Edges& edges) {
  return std::make_unique<HostExchange>(ranks, session, edges);
}

}  // namespace heat
