#pragma once
// What a sweep knows of one point.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/artifact/coverage.h"
#include "core/base/quantity.h"

namespace convscope::explore {

/// Figures of one network on one machine, or of all networks by their weights.
struct Figures {
  double seconds = 0, cycles = 0;
  double utilization = 0;  ///< 0..1 of the machine's peak; of several networks the mean by cycles
  double macs = 0;
  double bytes_in = 0, bytes_out = 0, bytes_weights = 0;
  artifact::Coverage coverage{};  ///< the other figures are those of mapped layers
  Origin seconds_origin = Origin::derived, cycles_origin = Origin::derived, utilization_origin = Origin::derived;
  bool verified = false;  ///< every program was checked by a verifier
  double bytes() const { return bytes_in + bytes_out + bytes_weights; }
  bool operator==(const Figures&) const = default;
};

/// What a machine is made of; nothing where its target doesn't say.
struct Cost {
  std::optional<double> mac_units, on_chip_bits, instruction_bits, memory_ports;
  bool operator==(const Cost&) const = default;
};

enum class PointStatus {
  done,     ///< compiled; coverage says how much of the networks was mapped
  removed,  ///< by a constraint; there are no figures
};

struct PointResult {
  std::uint64_t point = 0;
  PointStatus status = PointStatus::done;
  std::string reason;  ///< why it was removed; or, of the first layer that wasn't mapped, why
  Figures total;
  std::vector<Figures> networks;  ///< in the order of the space
  Cost cost;
  bool operator==(const PointResult&) const = default;
};

/// Value of an objective; nothing if the point has none (a cost that its target doesn't state, or a removed point).
std::optional<double> objective_value(const PointResult& result, std::string_view objective);

}  // namespace convscope::explore
