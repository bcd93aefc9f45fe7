// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "harness/measure.h"
#include "harness/sizes.h"
#include "support/client.h"

namespace bench {

// The kernels of kernels.cl, each with its data, its check and its unit of work.
class KernelCases {
 public:
  explicit KernelCases(const Options& options);
  void run();

 private:
  void triad();
  void sgemm();
  void nbody();
  void reduction();
  void transcendental();

  client::Buffer upload(const std::vector<float>& values) const;
  std::vector<float> download(const client::Buffer& buffer, size_t count) const;
  void launch(const client::Kernel& kernel, std::vector<size_t> global, std::vector<size_t> local) const;
  Batch batch(const client::Kernel& kernel, std::vector<size_t> global, std::vector<size_t> local) const;

  client::Session session_;
  Report report_;
  Sizes sizes_;
  client::Program program_;
};

}  // namespace bench
