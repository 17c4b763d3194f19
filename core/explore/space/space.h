#pragma once
// A space is a value: machines of one or several targets, and the networks that they are judged by. Its size is known
// and point i can be built from i, so progress, resuming and sharding need nothing else.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/explore/space/expression.h"
#include "core/explore/space/objective.h"
#include "core/network/network.h"
#include "core/target/target.h"

namespace convscope::explore {

/// A network that every machine is judged by. Weights say how often it runs beside the others.
struct WeightedNetwork {
  std::string file;  ///< as the space names it
  std::shared_ptr<const network::Network> network;
  double weight = 1;
  std::string hash;  ///< of the file's bytes
};

/// A parameter that varies: values that its description allows, each once.
struct Axis {
  std::size_t parameter = 0;  ///< index in the machine's description
  std::vector<double> values;
};

/// A parameter that follows from others.
struct Link {
  std::size_t parameter = 0;
  Expression expression;
};

/// What must hold for a point to be looked at.
struct Rule {
  Expression expression;
  std::string reason;  ///< why points are removed that break it
};

struct PresetValues {
  std::string name;
  arch::ParameterValues values;
  std::string hash;  ///< of the file's bytes
};

/// Machines of one target: presets x levels x axes, the last axis varying fastest.
struct Family {
  std::shared_ptr<const target::Target> target;
  std::vector<PresetValues> presets;
  std::vector<std::string> levels;
  std::vector<Axis> axes;
  std::vector<Link> links;  ///< none reads a later one
  std::vector<Rule> rules;

  /// Number of values of each digit: presets, levels, axes.
  std::vector<std::uint64_t> radices() const;
  /// Points; nothing if they are more than 64 bits count.
  std::optional<std::uint64_t> size() const;
};

/// One machine of a space.
struct Point {
  std::uint64_t index = 0;
  std::size_t family = 0;
  std::size_t preset = 0, level = 0;
  arch::ParameterValues machine;
  std::string removed;  ///< why it is not looked at, in words that many points share; empty if it is
};

/// Which points of a space a run looks at: those of index floor(size * part / parts) up to the next part's.
struct Shard {
  std::uint64_t part = 0, parts = 1;  ///< parts counted from 0
  std::uint64_t begin(std::uint64_t size) const;
  std::uint64_t end(std::uint64_t size) const;
  bool operator==(const Shard&) const = default;
};

/// Largest spaces that are accepted: as a grid, and for strategies that look at parts of it.
inline constexpr std::uint64_t largest_grid = 100'000'000;
inline constexpr std::uint64_t largest_space = 1'000'000'000'000;

struct Space {
  std::string name, title;
  std::vector<WeightedNetwork> networks;
  std::vector<Family> families;
  Outcomes outcomes;  ///< what is noted of every point
  std::vector<Objective> objectives;
  double minimum_coverage = 1;  ///< machines that map a lesser part of the MACs are never on the front
  std::string source;           ///< the XML text that it came from
  std::string hash;             ///< of everything that decides about its points: the text, networks, presets

  /// Each once, in the order in which they occur.
  Targets targets() const;
  std::uint64_t size() const;
  /// The point of an index below size().
  Point point(std::uint64_t index) const;

  /// Place of a point: its family, and a digit for each of the family's radices.
  struct Place {
    std::size_t family = 0;
    std::vector<std::uint64_t> digits;
  };
  Place place(std::uint64_t index) const;
  std::uint64_t index(const Place& place) const;
};

/// Value of a resource of a machine (target::Target::resources), or nothing.
std::optional<double> resource_value(const target::Target& target, const arch::ParameterValues& machine,
                                     std::string_view key);

}  // namespace convscope::explore
