#pragma once
// The figures of a layer or a network: everything that tables, charts, reports and sweeps show.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/artifact/figure.h"
#include "core/base/quantity.h"

namespace convscope::artifact {

/// The value of a figure or a resource that somebody describes.
struct NamedQuantity {
  std::string key;  ///< of its FigureDescription
  Quantity quantity;
  std::string text = {};  ///< if not empty, what is shown and written instead of the number, e.g. a strategy's name
  bool operator==(const NamedQuantity&) const = default;
};

/// A value in the unit that its description states; the key must be among them.
NamedQuantity described(const std::vector<FigureDescription>& figures, std::string_view key, double value,
                        Origin origin);

/// A lower bound on cycles and the resource that gives it.
struct Bound {
  std::string kind;  ///< e.g. "IREG", "MEMA", "instruction buffer"
  std::int64_t cycles = 0;
  bool proven = false;
};

/// One bar of a breakdown: cycles by what they were spent on.
struct BreakdownPart {
  std::string name;  ///< "load", "compute", "stall", …
  std::int64_t cycles = 0;
};

struct Metrics {
  std::int64_t macs = 0;
  Quantity cycles{0, "cycles", Origin::derived};
  Quantity seconds{0, "s", Origin::derived};
  Quantity utilization{0, "", Origin::derived};  ///< 0..1 of the machine's peak, image borders counted as waste
  std::int64_t bytes_in = 0, bytes_out = 0,
               bytes_weights = 0;  ///< moved to and from the machine; weights are part of neither
  Bound bound;
  bool verified = false;  ///< every program was checked by the verifier
  std::vector<BreakdownPart> breakdown;
  std::vector<NamedQuantity> target_figures;  ///< the object named after the target in `report --json`

  const Quantity* find(std::string_view key) const;
  Quantity* find(std::string_view key);
  /// Text of a target's figure; empty if there is none.
  std::string_view text(std::string_view key) const;
};

/// A horizontal or slanted line of a roofline.
struct Roof {
  std::string name;
  double operations_per_second = 0;  ///< flat roof; 0 if slanted
  double bytes_per_second = 0;       ///< slanted roof; 0 if flat
  Origin origin = Origin::derived;
};

struct RooflinePoint {
  std::string name;
  int layer = -1;
  double operations_per_byte = 0;
  double operations_per_second = 0;
  Origin origin = Origin::derived;
  std::string series;  ///< e.g. "ideal continuous", "Cortex-A9, manual"
};

struct Roofline {
  std::vector<Roof> roofs;
  std::vector<RooflinePoint> points;
};

}  // namespace convscope::artifact
