// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>

namespace clcuda {

// During its lifetime, the calling thread has the default floating-point environment: it rounds to nearest, and nothing traps. The
// application's is restored, without the exceptions that were raised meanwhile.
class DefaultFloatingMode {
 public:
  DefaultFloatingMode() noexcept {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatingMode() { std::fesetenv(&before_); }
  DefaultFloatingMode(const DefaultFloatingMode&) = delete;
  DefaultFloatingMode& operator=(const DefaultFloatingMode&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace clcuda
