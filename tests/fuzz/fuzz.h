// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

// A fuzz program: something from outside that is fed to us. It is run by libFuzzer (libfuzzer.cpp, scripts/fuzz), and as a test on its
// seeds and on what chance makes of them (replay.cpp).
namespace fuzz {

// Takes the input as an application would hand it over, to the end. Crashes, hangs and memory without end are defects.
void run(std::string_view input);

// Inputs to begin with that are better made than kept in a file of tests/fuzz/seeds.
std::vector<std::string> made_seeds();

// What inputs are, which are changed by its own parts, too: the words of a text, the instructions of a SPIR-V module.
enum class Form { bytes, text, module };
extern const Form kForm;

}  // namespace fuzz
