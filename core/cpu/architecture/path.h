#pragma once
// A path through the decision tree: everything that was decided, in order. It can be written, read, hashed and
// replayed. Source: "Automatic Program Generation for Convolutional Neural Networks on Resource Constrained Devices",
// section 4.5.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::cpu {

struct Choice {
  std::string level;  ///< "tile"
  std::string value;  ///< "14x2"
  bool operator==(const Choice&) const = default;
};

struct Path {
  std::vector<Choice> choices;

  bool operator==(const Path&) const = default;

  /// Value of a level; null if the path hasn't come there.
  const std::string* find(std::string_view level) const;
};

/// A JSON object, levels in order: {"family": "avx512", "tile": "14x2"}.
std::string json(const Path& path);
std::optional<Path> parse_path(std::string_view json, Diagnostics& diagnostics);
/// The same on every host and in every version.
std::uint64_t hash(const Path& path);

}  // namespace convscope::cpu
