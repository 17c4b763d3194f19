#pragma once
// The decision tree along a program's path, with the paths that were ranked or run.

#include <memory>

#include "core/artifact/decision_tree.h"
#include "core/cpu/artifacts/chosen_program.h"

namespace convscope::cpu {

std::shared_ptr<const artifact::DecisionTree> make_decision_tree(const ChosenProgram& program);

}  // namespace convscope::cpu
