#pragma once
// Differences of figures between two runs: how large, and whether for better or for worse.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/parameters.h"
#include "core/artifact/figure.h"
#include "core/artifact/metrics.h"

namespace convscope::analysis {

using Figures = std::vector<artifact::FigureDescription>;

enum class Verdict {
  same,
  better,
  worse,
  changed,  ///< differs, but is neutral
  missing   ///< one of the runs does not have it
};

std::string_view verdict_name(Verdict verdict);

struct FigureDifference {
  std::string key;                           ///< as in `report --json`
  std::string label;                         ///< for people
  std::optional<Quantity> value, reference;  ///< with their origins; nothing where a run has no such figure
  std::string text, reference_text;          ///< not empty: words in the place of numbers, e.g. a strategy's name
  artifact::Better better = artifact::Better::neutral;
  std::optional<double> absolute;  ///< value - reference
  std::optional<double> relative;  ///< absolute / |reference|; nothing if only the reference is zero
  Verdict verdict = Verdict::missing;

  /// The weaker of the two origins: that of the difference.
  std::optional<Origin> origin() const;
};

/// Compares one figure; either may be missing. Values whose relative difference is below 1e-12 are the same.
FigureDifference difference(const artifact::FigureDescription& figure, const std::optional<Quantity>& value,
                            const std::optional<Quantity>& reference);

/// What two runs have in common. Seconds, bytes and MACs mean the same on every machine.
struct Comparability {
  bool cycles = true;          ///< clocks are the same; those of other machines never are
  bool target_figures = true;  ///< the target is the same, so are the meanings of utilization and of its own figures
  bool operator==(const Comparability&) const = default;
};

/// `clock` and `reference_clock` are the values of the parameter "clock" as text; empty if there is none.
Comparability comparability(std::string_view target, std::string_view clock, std::string_view reference_target,
                            std::string_view reference_clock);
Comparability comparability(const arch::ParameterValues& machine, const arch::ParameterValues& reference);

/// Bytes moved in every direction, weights included.
std::int64_t all_bytes(const artifact::Metrics& metrics);
/// Bytes come from the same program, or the same model, as cycles do; simulating adds nothing to them.
Origin bytes_origin(const artifact::Metrics& metrics);
/// A figure by key: macs, cycles, seconds, utilization, bytes_in, bytes_out, bytes_weights, bytes or one of the
/// target's; nothing if there is none.
std::optional<Quantity> figure(const artifact::Metrics& metrics, std::string_view key);

/// Description of a common figure or of one of the target's; of any other key a neutral one that says nothing more.
artifact::FigureDescription description_of(const Figures& target_figures, std::string_view key);

/// Every figure that either has and that can be compared: the common ones first, then the target's in its order.
std::vector<FigureDifference> compare_metrics(const artifact::Metrics& metrics, const artifact::Metrics& reference,
                                              const Comparability& comparability, const Figures& target_figures);

/// Sums of what can be summed over layers: MACs, cycles, seconds, bytes; each as good as its weakest part.
class MetricSums {
 public:
  MetricSums();
  void add(const artifact::Metrics& layer);
  /// The sum of a common figure that can be summed; nothing for others.
  std::optional<Quantity> figure(std::string_view key) const;

 private:
  artifact::Metrics sum_;
};

/// Differences of sums over the same layers.
std::vector<FigureDifference> compare_sums(const MetricSums& sums, const MetricSums& reference,
                                           const Comparability& comparability);

}  // namespace convscope::analysis
