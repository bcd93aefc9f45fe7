// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "harness/device.h"
#include "support/client.h"

namespace bench {

// A device that the ICD loader knows.
class OpenClDevice : public Device {
 public:
  // `wanted` as client::Session takes it.
  explicit OpenClDevice(const std::string& wanted) : session_(wanted) {}

  std::string platform() const override { return session_.platform_name(); }
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
  client::Session session_;
  std::map<std::string, client::Program> programs_;
};

}  // namespace bench
