#pragma once
// Programs and tilings that were handed in, after a look at them. Private to the figures.

#include "core/labs/figures.h"
#include "core/target/programs.h"
#include "core/target/tilings.h"

namespace convscope::labs {

struct Figures::Program {
  bool handed_in = false;
  target::Examination examination = {};
  std::string mistake = {};  ///< why it is not right; empty if it is
};

struct Figures::Tiling {
  bool handed_in = false;
  target::Alternative alternative = {};
  std::string mistake = {};
};

}  // namespace convscope::labs
