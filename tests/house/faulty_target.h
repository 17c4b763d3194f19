#pragma once
// A target with a bug: its own verifier refuses the program of one layer.

#include <memory>
#include <string>

#include "core/target/target.h"

namespace convscope::house {

inline constexpr const char* made_up_fault = "the program made for it is refused by a made-up verifier";

/// As `inner`, but for the layer of this name, and on machines of which `parameter` has this value ("": on all).
struct Bug {
  std::string layer, parameter;
  int value = 0;
};
std::shared_ptr<const target::Target> with_bug(std::shared_ptr<const target::Target> inner, Bug bug);

}  // namespace convscope::house
