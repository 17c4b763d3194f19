#include "core/nmp/artifacts/alternatives.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/artifacts/plan.h"

namespace convscope::nmp {
namespace {

using target::Alternative;

std::string strategy_name(Partition p, Schedule s) {
  return fmt::format("{} + {}", name_of(p), name_of(s));
}

std::string milliseconds(double seconds) {
  return format_quantity({seconds, "s", Origin::estimate});
}

class Tools : public target::TilingTools {
 public:
  Tools(const Convolution& c, const Machine& m, CostLevel level, std::shared_ptr<const Solution> chosen)
      : model_(c, m), level_(level), chosen_(std::move(chosen)) {}

  std::vector<std::string> strategies() const override {
    std::vector<std::string> names;
    for (const Partition p : model_.partitions())
      for (const Schedule s : schedules) names.push_back(strategy_name(p, s));
    return names;
  }

  Alternative best(const std::string& strategy, const std::stop_token& stop) const override {
    const auto kind = find(strategy);
    if (!kind) return unknown(strategy);
    const auto found = best_tiling(model_, {searched_by(level_), kind->partition, kind->schedule}, stop);
    if (found) return describe(strategy, found->tiling, stop);
    Alternative none = describe(strategy, *kind, stop);
    none.sizes.clear();
    none.plan = nullptr;
    none.explanation = "no tiling of this strategy fits; the smallest: " + none.explanation;
    return none;
  }

  Alternative evaluate(const std::string& strategy, const std::vector<std::int64_t>& sizes,
                       const std::stop_token& stop) const override {
    const auto kind = find(strategy);
    if (!kind) return unknown(strategy);
    Alternative result;
    result.strategy = strategy;
    result.sizes = sizes_of(*kind);
    if (sizes.size() != result.sizes.size()) {
      result.sizes.clear();
      result.explanation = fmt::format("a tiling has {} sizes, T_R, T_C, T_N and T_M, not {}", 4, sizes.size());
      return result;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] < 1 || sizes[i] > result.sizes[i].maximum) return outside(std::move(result), sizes, i);
    const Tiling wanted{kind->partition,
                        kind->schedule,
                        static_cast<int>(sizes[0]),
                        static_cast<int>(sizes[1]),
                        static_cast<int>(sizes[2]),
                        static_cast<int>(sizes[3])};
    return describe(strategy, wanted, stop);
  }

 private:
  std::optional<Tiling> find(const std::string& strategy) const {
    for (const Partition p : model_.partitions())
      for (const Schedule s : schedules)
        if (strategy_name(p, s) == strategy) return Tiling{p, s, 1, 1, 1, 1};
    return std::nullopt;
  }

  static Alternative unknown(const std::string& strategy) {
    Alternative result;
    result.strategy = strategy;
    result.explanation = fmt::format("'{}' is no strategy; KS, KS&OFM or OFM with IS, OS or WS are", strategy);
    return result;
  }

  static Alternative outside(Alternative result, const std::vector<std::int64_t>& sizes, std::size_t wrong) {
    for (std::size_t i = 0; i < sizes.size(); ++i) result.sizes[i].value = sizes[i];
    result.explanation = fmt::format("{} is {}; it runs from 1 to {}", result.sizes[wrong].name, sizes[wrong],
                                     result.sizes[wrong].maximum);
    return result;
  }

  std::vector<target::TileSize> sizes_of(const Tiling& t) const {
    const auto& share = model_.sums().of(t.partition);
    return {{"T_R", "rows", t.rows, share.slice_rows},
            {"T_C", "columns", t.columns, model_.convolution().columns.out},
            {"T_N", "channels", t.channels, model_.channel_limit(t.partition, t.schedule)},
            {"T_M", model_.convolution().depthwise ? "maps" : "filters", t.units, share.tlt_units}};
  }

  // A tiling in range.
  Alternative describe(const std::string& strategy, const Tiling& t, const std::stop_token& stop) const {
    throw_if_stopped(stop);
    Alternative result;
    result.strategy = strategy;
    result.sizes = sizes_of(t);
    result.plan = make_tile_plan(model_.convolution(), model_.machine(), t);
    result.chosen = t == chosen_->tiling;
    result.explanation = model_.violation(t);
    result.fits = result.explanation.empty();
    if (!result.fits) return result;
    Solution solution = *chosen_;
    solution.tiling = t;
    solution.totals = model_.evaluate(t);
    solution.occupancy = model_.occupancy(t);
    solution.seconds = shown_seconds(model_, t, solution.totals, level_, stop);
    result.metrics = layer_metrics(model_.convolution(), solution, model_.machine(), level_);
    const char* const chosen = level_ == CostLevel::walk ? "chosen: no tiling is better at level banked"
                                                         : "chosen: no tiling is better at this level";
    result.explanation = result.chosen ? chosen : difference(solution.seconds);
    return result;
  }

  // Which term of equation 6 costs what, the largest first.
  std::string difference(const Seconds& theirs) const {
    const Seconds& ours = chosen_->seconds;
    const double slower = theirs.total() - ours.total();
    if (slower == 0) return "as fast as the chosen one";
    std::vector<std::pair<double, const char*>> terms{{theirs.mac - ours.mac, "MACs"},
                                                      {theirs.transfer - ours.transfer, "bytes"},
                                                      {theirs.latency - ours.latency, "bursts"},
                                                      {theirs.commands - ours.commands, "commands"}};
    if (model_.machine().ring.on) terms.emplace_back(theirs.ring - ours.ring, "ring");
    if (model_.machine().overlaps()) terms.emplace_back(ours.hidden - theirs.hidden, "overlap");
    std::stable_sort(terms.begin(), terms.end(),
                     [&](const auto& a, const auto& b) { return slower >= 0 ? a.first > b.first : a.first < b.first; });
    std::string text =
        fmt::format("{} {} than the chosen one: ", milliseconds(std::abs(slower)), slower >= 0 ? "slower" : "faster");
    for (std::size_t i = 0; i < terms.size(); ++i)
      text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", terms[i].second, terms[i].first < 0 ? "-" : "+",
                          milliseconds(std::abs(terms[i].first)));
    if (slower < 0)
      text += level_ == CostLevel::volume ? "; level volume chooses without looking at bursts"
              : level_ == CostLevel::walk ? "; tilings are chosen by level banked"
                                          : "; tilings are chosen for TLEs in lockstep";
    return text;
  }

  CostModel model_;
  CostLevel level_;
  std::shared_ptr<const Solution> chosen_;
};

}  // namespace

std::unique_ptr<const target::TilingTools> make_tiling_tools(const Convolution& convolution, const Machine& machine,
                                                             CostLevel level, std::shared_ptr<const Solution> chosen) {
  return std::make_unique<const Tools>(convolution, machine, level, std::move(chosen));
}

}  // namespace convscope::nmp
