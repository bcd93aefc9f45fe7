// SPDX-License-Identifier: Apache-2.0
// photo [input.png [output.png]] [--device NAME] [--sigma PIXELS]
//
// Equalises the histogram of a photograph and blurs it, on an OpenCL device; checks every byte of the result
// against the host; writes it, and says how long each step took.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "device_pipeline.h"
#include "gaussian.h"
#include "host_pipeline.h"
#include "image.h"
#include "support/client.h"

namespace {

struct Options {
  std::string input = "/usr/share/libjxl-testdata/jxl/flower/flower.png";  // from Debian's libjxl-testdata
  std::string output = "photo.png";
  std::string device;
  double sigma = 4;
};

Options parsed(int count, char** words) {
  Options options;
  int paths = 0;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool has_value = i + 1 < count;
    if (word == "--device" && has_value) {
      options.device = words[++i];
    } else if (word == "--sigma" && has_value) {
      options.sigma = std::atof(words[++i]);
    } else if (word.starts_with("--") || paths == 2) {
      throw std::runtime_error(
          "usage: photo [input.png [output.png]] [--device gpu|cpu|NAME] [--sigma PIXELS]");
    } else {
      (paths++ == 0 ? options.input : options.output) = word;
    }
  }
  if (!(options.sigma > 0 && options.sigma <= photo::kMaxSigma))
    throw std::runtime_error("--sigma: more than 0, at most 10");
  return options;
}

void report(const photo::Outcome& outcome) {
  std::printf("  %-18s %10s %10s\n", "step", "ms", "GB/s");
  double total = 0;
  for (const photo::Step& step : outcome.steps) {
    total += step.milliseconds;
    std::printf("  %-18s %10.3f %10.2f\n", step.name.c_str(), step.milliseconds,
                step.milliseconds > 0 ? double(step.bytes) / step.milliseconds * 1e-6 : 0.0);
  }
  std::printf("  %-18s %10.3f\n", "all", total);
}

int run(const Options& options) {
  const photo::Image image = photo::read_png(options.input);
  const client::Session session(options.device, CL_QUEUE_PROFILING_ENABLE);
  std::printf("photo: %s, %d x %d, %d channel%s\n", options.input.c_str(), image.width, image.height,
              image.channels, image.channels == 1 ? "" : "s");
  std::printf("device: %s (platform %s)\n", session.device_name().c_str(), session.platform_name().c_str());

  const auto weights = photo::gaussian_weights(options.sigma);
  const photo::Outcome outcome = photo::process_on_device(session, image, weights);
  report(outcome);

  const auto start = std::chrono::steady_clock::now();
  const photo::Image expected = photo::process_on_host(image, weights);
  const std::chrono::duration<double, std::milli> host_time = std::chrono::steady_clock::now() - start;
  std::printf("  %-18s %10.3f  (one thread)\n", "the same on the host", host_time.count());
  size_t different = 0;
  for (size_t i = 0; i < expected.bytes.size(); ++i) different += expected.bytes[i] != outcome.image.bytes[i];
  std::printf("check: %zu of %zu bytes differ from the host's\n", different, expected.bytes.size());

  photo::write_png(options.output, outcome.image);
  std::printf("written: %s\n", options.output.c_str());
  return different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parsed(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "photo: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
