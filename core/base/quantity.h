#pragma once
// Numbers that are shown carry their unit and where they come from.

#include <string>
#include <string_view>

namespace convscope {

/// Where a number comes from. The order is that of trust: a total is only as good as its weakest part.
enum class Origin {
  measured,   ///< on real hardware
  simulated,  ///< by a cycle-accurate simulator that ran the program
  derived,    ///< closed form of a verified program, tested against the simulator
  estimate,   ///< a model that no program or simulator confirms
  published   ///< taken from a paper
};

std::string_view origin_name(Origin origin);

struct Quantity {
  double value = 0;
  std::string unit;  ///< SI or field unit: "cycles", "s", "MAC", "byte", "" for ratios
  Origin origin = Origin::derived;
  bool operator==(const Quantity&) const = default;
};

/// The weaker of two origins, for a figure made of both.
Origin weaker(Origin a, Origin b);

/// A short text for people with at most four significant digits and SI prefix: "12.1 M", "4.87", "1.31 ms".
std::string format_quantity(const Quantity& quantity);

}  // namespace convscope
