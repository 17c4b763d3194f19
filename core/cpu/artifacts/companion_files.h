#pragma once
// What `compile` writes beside a program's text, so that others can build it into their programs.

#include <string>
#include <vector>

#include "core/artifact/source.h"
#include "core/cpu/architecture/generated.h"
#include "core/cpu/artifacts/chosen_program.h"

namespace convscope::cpu {

/// The text with what it computes, from which path, and under which terms, in a comment before it.
std::string commented_source(const ChosenProgram& program, const Generated& generated);

/// convolution.h, and convolution_test.cpp: a program of its own that compares with double precision and takes the
/// time; exit code 1 if a value is wrong.
std::vector<artifact::SourceFile> companion_files(const ChosenProgram& program, const Generated& generated);

}  // namespace convscope::cpu
