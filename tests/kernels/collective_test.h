// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "collective_model.h"

// Runs lists of expressions in a kernel and compares each result with its model.
namespace clcuda::test {

// An expression over `x`, the work-item's value, and the model's result for work-item `at` of the participants `items`.
template <class T>
struct Step {
  std::string expression;
  std::function<T(const std::vector<T>& values, const std::vector<std::size_t>& items, std::size_t at)> model;
};

// Reductions and scans with a prefix such as sub_group_non_uniform_.
template <class T>
std::vector<Step<T>> arithmetic_steps(const std::string& prefix, const std::vector<Op>& ops,
                                      const std::string& suffix = "") {
  std::vector<Step<T>> steps;
  for (const Op op : ops) {
    for (const Form form : kForms) {
      steps.push_back({prefix + name_of(form) + "_" + name_of(op) + suffix + "(x)",
                       [=](const auto& values, const auto& items, std::size_t at) {
                         return collect(form, op, values, items, at);
                       }});
    }
  }
  return steps;
}

template <class T>
std::string statements(const std::vector<Step<T>>& steps) {
  std::string text;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    text += "    out[" + std::to_string(k) + " * total + at] = " + steps[k].expression + ";\n";
  }
  return text;
}

template <class T>
std::string source_head() {
  return std::string("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n") + kPositionSource + "typedef " +
         TypeName<T>::name + " T;\n";
}

// A kernel in which all work-items execute all steps.
template <class T>
std::string uniform_source(const std::vector<Step<T>>& steps) {
  return source_head<T>() + R"(
kernel void uniform(global const T* in, global T* out) {
  size_t total = get_global_size(0) * get_global_size(1) * get_global_size(2), at = position();
  T x = in[at];
)" + statements(steps) +
         "}";
}

// A kernel in which work-items with route 0 and those with route 1 execute all steps at different places, others none.
template <class T>
std::string divergent_source(const std::vector<Step<T>>& steps) {
  const std::string body = statements(steps);
  return source_head<T>() + R"(
kernel void divergent(global const T* in, global T* out, global const int* route) {
  size_t total = get_global_size(0) * get_global_size(1) * get_global_size(2), at = position();
  T x = in[at];
  if (route[at] == 0) {
)" + body +
         R"(
  } else if (route[at] == 1) {
)" + body +
         R"(
  }
})";
}

template <class T>
bool same(T a, T b) {
  return a == b || std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
void compare(const std::vector<Step<T>>& steps, const std::vector<T>& values, const std::vector<T>& out,
             const std::vector<std::vector<std::size_t>>& participants, const std::string& where) {
  for (std::size_t k = 0; k < steps.size(); ++k) {
    for (const auto& items : participants) {
      for (const std::size_t at : items) {
        const T expected = steps[k].model(values, items, at);
        const T actual = out[k * values.size() + at];
        ASSERT_TRUE(same(expected, actual))
            << steps[k].expression << " " << TypeName<T>::name << ", " << where << ", item " << at << ": "
            << +actual << " for " << +expected;
      }
    }
  }
}

template <class T>
void run_uniform(const std::vector<Step<T>>& steps, bool whole_work_group, Random& random, int launches,
                 bool products = false) {
  DeviceProgram program(uniform_source(steps));
  for (int launch = 0; launch < launches; ++launch) {
    const bool uniform = launch % 2 == 0 || !device_has_non_uniform_work_groups();
    const Range range = random_range(random, launch % 3 == 2 ? 1024 : 200, uniform);
    std::vector<T> in(range.total()), out(range.total() * steps.size());
    for (T& value : in) value = random_value<T>(random, products);
    program.run("uniform", range, {in, out});
    const Groups groups(range);
    compare(steps, in, out, whole_work_group ? groups.work_groups : groups.sub_groups, range.text());
  }
}

// Launches a divergent_source() with a random one of `routes` routes for each work-item.
template <class T>
void launch_divergent(DeviceProgram& program, const std::vector<Step<T>>& steps, const Range& range,
                      unsigned routes, Random& random, bool products) {
  std::vector<T> in(range.total()), out(range.total() * steps.size());
  std::vector<cl_int> route(range.total());
  for (T& value : in) value = random_value<T>(random, products);
  for (cl_int& way : route) way = static_cast<cl_int>(random() % routes);
  program.run("divergent", range, {in, out, route});
  std::vector<std::vector<std::size_t>> participants;
  for (const auto& group : Groups(range).sub_groups) {
    for (const cl_int way : {0, 1}) {
      auto& items = participants.emplace_back();
      for (const std::size_t at : group) {
        if (route[at] == way) items.push_back(at);
      }
    }
  }
  compare(steps, in, out, participants, range.text());
}

template <class T>
void run_divergent(const std::vector<Step<T>>& steps, Random& random, int launches, bool products = false) {
  DeviceProgram program(divergent_source(steps));
  for (int launch = 0; launch < launches; ++launch) {
    const Range range = random_range(random, 200, true);
    launch_divergent(program, steps, range, static_cast<unsigned>(1 + random() % 4), random, products);
  }
}

}  // namespace clcuda::test
