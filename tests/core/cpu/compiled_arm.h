#pragma once
// Programs for ARM: cross-compiled by Clang and lld without any library, fed through standard input.

#include <string>
#include <vector>

#include "core/cpu/simulate/arm_program.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/reference.h"

namespace convscope::cpu {

bool arm_tools();
std::string test_folder();
std::string joined_source(const std::vector<Generated>& texts);
std::vector<float> output_of(const Generated& text, const Problem& problem, const float* values);
/// A source with its own _start becomes the program `folder`/all.
bool compile_arm(const std::string& source, Family family, const std::string& folder);
bool compile_arm(const std::vector<Generated>& texts, const std::vector<Reference>& references, Family family,
                 const std::string& folder);
void run_arm(const std::vector<Generated>& texts, const std::vector<Reference>& references, Family family,
             const std::string& folder, std::vector<CaseResult>& results);

}  // namespace convscope::cpu
