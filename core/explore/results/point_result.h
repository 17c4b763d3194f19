#pragma once
// What a sweep knows of one point.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/artifact/coverage.h"
#include "core/base/quantity.h"
#include "core/explore/space/objective.h"

namespace convscope::explore {

/// A figure's value and where it comes from; no value where the target doesn't have the figure.
struct Noted {
  std::optional<double> value;
  Origin origin = Origin::derived;
  bool operator==(const Noted&) const = default;
};

/// Figures of one network on one machine, or of all networks by their weights.
struct Figures {
  std::vector<Noted> values;      ///< one for each of Outcomes::figures
  artifact::Coverage coverage{};  ///< the figures are those of mapped layers
  bool verified = false;          ///< every program was checked by a verifier
  bool operator==(const Figures&) const = default;
};

enum class PointStatus {
  done,     ///< compiled; coverage says how much of the networks was mapped
  removed,  ///< by a constraint; there are no figures
  failed    ///< by a fault of ours: a program that we made and refuse ourselves; there are no figures
};

struct PointResult {
  std::uint64_t point = 0;
  PointStatus status = PointStatus::done;
  std::string reason;  ///< why it was removed, or failed; or, of the first layer that wasn't mapped, why
  Figures total;
  std::vector<Figures> networks;             ///< in the order of the space
  std::vector<std::optional<double>> costs;  ///< one for each of Outcomes::costs; nothing where the target doesn't say
  bool operator==(const PointResult&) const = default;
};

/// What was noted of a figure or a cost; nothing if the point has none (a cost that its target doesn't state, or a
/// removed point). Origins of costs are not noted.
Noted noted(const PointResult& result, const Outcomes& outcomes, std::string_view key);

}  // namespace convscope::explore
