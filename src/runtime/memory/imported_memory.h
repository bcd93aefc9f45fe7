// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ref.h"
#include "cuda/host_registrations.h"

namespace clcuda {

class Context;
class Device;

// Host memory of the application that a context's devices access directly, without copies (cl_arm_import_memory). The application frees it
// after it has released the objects made of it. Their release does not wait: the memory is unregistered later, when no device of the
// context has work.
class ImportedMemory final : public RefCounted {
 public:
  // Throws the errors of HostRegistrations::import().
  ImportedMemory(const Context& context, void* begin, std::size_t size,
                 cuda::HostRegistrations::Access access);

  void* data() const { return begin_; }
  // Whether it is one piece of the registrations (cuda/host_registrations.h).
  bool is_in_one_piece() const;

 private:
  ~ImportedMemory() override;

  std::vector<Device*> devices_;  // root devices
  void* const begin_;
  const std::size_t size_;
};

}  // namespace clcuda
