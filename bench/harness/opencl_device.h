// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "harness/benchmark.h"
#include "harness/device.h"
#include "support/client.h"

namespace bench {

// An OpenCL device of any implementation that the ICD loader finds.
class OpenClDevice : public Device {
 public:
  explicit OpenClDevice(const Options& options) : session_(options.device), options_(options) {}

  std::string name() const override { return session_.device_name(); }
  bool is_gpu() const override { return session_.is_gpu(); }
  Memory allocate(size_t bytes) override;
  void write(const Memory& memory, const void* from) override;
  void read(const Memory& memory, void* to) override;
  Memory image(const ImageShape& shape, ImageUse use, const void* contents) override;
  void read_image(const Memory& image, const ImageShape& shape, void* to) override;
  std::unique_ptr<Kernel> kernel(const char* family, const char* name) override;
  void finish() override { client::check(clFinish(session_.queue()), "clFinish"); }

 private:
  client::Program build(const std::string& family) const;

  client::Session session_;
  Options options_;
  std::map<std::string, client::Program> programs_;
};

}  // namespace bench
