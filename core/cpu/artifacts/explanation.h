#pragma once
// Why a program is as fast as it is, and what would have been chosen next.

#include <memory>
#include <string>

#include "core/artifact/explanation.h"
#include "core/cpu/artifacts/chosen_program.h"

namespace convscope::cpu {

std::shared_ptr<const artifact::Explanation> explain(const ChosenProgram& program);
std::shared_ptr<const artifact::Explanation> explain(const std::string& summary);

}  // namespace convscope::cpu
