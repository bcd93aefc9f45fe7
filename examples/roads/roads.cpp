// SPDX-License-Identifier: Apache-2.0
// roads [--device NAME] [--side JUNCTIONS] [--days DAYS]
//
// A road map that host and device share: junctions and roads linked by pointers, in shared virtual memory,
// used by both as they are. Every day the host closes some roads and builds others, by relinking; then the
// device finds the shortest ways to all junctions, by following the same pointers. The host checks each
// result against its own.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "road_map.h"
#include "support/client.h"

extern "C" const char roads_kernels[];
extern "C" const char roads_kernels_end[];

namespace {

struct Options {
  std::string device;
  std::size_t side = 200;
  int days = 5;
};

Options parsed(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    if (word == "--device")
      options.device = words[i + 1];
    else if (word == "--side")
      options.side = static_cast<std::size_t>(std::atoi(words[i + 1]));
    else if (word == "--days")
      options.days = std::atoi(words[i + 1]);
    else
      throw std::runtime_error("unknown option " + word);
  }
  if (count % 2 == 0 || options.side < 2 || options.side > 5000 || options.days < 1)
    throw std::runtime_error("usage: roads [--device gpu|cpu|NAME] [--side 2..5000] [--days N]");
  return options;
}

// An array in shared virtual memory. The host uses it between map() and unmap(), kernels outside.
template <class T>
class Shared {
 public:
  Shared(const client::Session& session, std::size_t count)
      : session_(session),
        bytes_(count * sizeof(T)),
        data_(static_cast<T*>(clSVMAlloc(session.context(), CL_MEM_READ_WRITE, bytes_, 0))) {
    if (!data_) throw std::runtime_error("the device has no shared virtual memory, or too little");
  }
  ~Shared() { clSVMFree(session_.context(), data_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  T* data() const { return data_; }
  void map() const {
    client::check(clEnqueueSVMMap(session_.queue(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, data_, bytes_, 0,
                                  nullptr, nullptr),
                  "clEnqueueSVMMap");
  }
  void unmap() const {
    client::check(clEnqueueSVMUnmap(session_.queue(), data_, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
  }

 private:
  const client::Session& session_;
  const std::size_t bytes_;
  T* const data_;
};

// Runs steps until nothing changes; returns their number.
int find_ways(const client::Session& session, const client::Kernel& kernel, const Shared<cl_uint>& changes,
              std::size_t junctions) {
  for (int steps = 0;;) {
    changes.map();
    *changes.data() = 0;
    changes.unmap();
    // Reading the count waits for the device, so several steps are enqueued each time.
    for (int i = 0; i < 16; ++i, ++steps)
      client::check(clEnqueueNDRangeKernel(session.queue(), kernel.get(), 1, nullptr, &junctions, nullptr, 0,
                                           nullptr, nullptr),
                    "clEnqueueNDRangeKernel");
    changes.map();
    const bool done = *changes.data() == 0;
    changes.unmap();
    if (done) return steps;
  }
}

int run(const Options& options) {
  const client::Session session(options.device);
  const std::size_t junctions = options.side * options.side, roads = 4 * junctions;
  std::printf("roads: %zu junctions, %zu roads; device: %s\n", junctions, roads,
              session.device_name().c_str());
  const Shared<Junction> junction_memory(session, junctions);
  const Shared<Road> road_memory(session, roads);
  const Shared<cl_uint> changes(session, 1);
  const client::Program program = session.build({roads_kernels, roads_kernels_end}, "-cl-std=CL3.0");
  const client::Kernel kernel = session.kernel(program, "offer_ways");
  client::check(clSetKernelArgSVMPointer(kernel.get(), 0, junction_memory.data()),
                "clSetKernelArgSVMPointer");
  client::check(clSetKernelArgSVMPointer(kernel.get(), 1, changes.data()), "clSetKernelArgSVMPointer");
  // The roads are not an argument: the kernel reaches them through the junctions' pointers.
  void* const reached[] = {road_memory.data()};
  client::check(clSetKernelExecInfo(kernel.get(), CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, reached),
                "clSetKernelExecInfo");

  std::mt19937 random(1);
  std::size_t wrong = 0;
  junction_memory.map();
  road_memory.map();
  RoadMap map(junction_memory.data(), junctions, road_memory.data(), roads);
  map.build_town(options.side, random);
  for (int day = 1; day <= options.days; ++day) {
    map.rebuild_roads(junctions / 100, random);
    map.forget_distances();
    const std::vector<cl_uint> expected = map.shortest_ways();
    junction_memory.unmap();
    road_memory.unmap();
    const auto start = std::chrono::steady_clock::now();
    const int steps = find_ways(session, kernel, changes, junctions);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    junction_memory.map();
    road_memory.map();
    std::size_t different = 0;
    for (std::size_t i = 0; i < junctions; ++i)
      different += junction_memory.data()[i].distance != expected[i];
    std::printf("day %d: %d steps in %.2f ms; %zu junctions differ from the host's result\n", day, steps,
                time.count(), different);
    wrong += different;
  }
  junction_memory.unmap();
  road_memory.unmap();
  clFinish(session.queue());
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parsed(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roads: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
