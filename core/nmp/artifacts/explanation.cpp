#include "core/nmp/artifacts/explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/nmp/artifacts/alternatives.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/floors.h"

namespace convscope::nmp {
namespace {

std::string seconds_text(double seconds) {
  return format_quantity({seconds, "s", Origin::estimate});
}

std::string count_text(double value, const char* unit = "") {
  return format_quantity({value, unit, Origin::estimate});
}

class Explainer {
 public:
  Explainer(const Convolution& c, const Machine& m, CostLevel level, std::shared_ptr<const Solution> solution)
      : model_(c, m), level_(level), solution_(std::move(solution)) {}

  std::shared_ptr<const artifact::Explanation> run() {
    add_dram();
    add_bytes_once();
    add_macs();
    add_commands();
    std::stable_sort(result_.bounds.begin(), result_.bounds.end(),
                     [](const auto& a, const auto& b) { return a.seconds.value > b.seconds.value; });
    add_rejected();
    const std::string same = add_levels();
    std::stable_sort(result_.rejected.begin(), result_.rejected.end(), [](const auto& a, const auto& b) {
      return a.fits != b.fits ? a.fits : a.fits && a.seconds.value < b.seconds.value;
    });
    result_.summary = summary() + same + about_zeros();
    return std::make_shared<const artifact::Explanation>(std::move(result_));
  }

 private:
  void add(const char* kind, double seconds, std::string text, bool proven = true) {
    const double cycles = std::floor(seconds * model_.machine().clock_hz * (1 - 1e-12));
    result_.bounds.push_back(
        {{kind, static_cast<std::int64_t>(cycles), proven}, {seconds, "s", Origin::estimate}, std::move(text)});
  }

  /// Banks are what level volume's tilings are not timed by either.
  CostLevel timed() const { return by_banks(level_) ? CostLevel::banked : CostLevel::burst; }

  // A machine on which nothing but the transfers takes time: its best tiling spends the least on them.
  void add_dram() {
    Machine machine = model_.machine();
    machine.clock_hz = std::numeric_limits<double>::infinity();
    machine.command_seconds = 0;
    const auto least = best_tiling(CostModel(model_.convolution(), machine), {timed(), {}, {}}, {});
    least_dram_ = least->price;
    const Traffic all = least->totals.all();
    add("DRAM", least->price,
        fmt::format("No tiling spends less on transfers: {} in {} bursts, by {}.",
                    count_text(static_cast<double>(all.bytes), "byte"), all.bursts, tiling_text(least->tiling)) +
            (level_ == CostLevel::walk ? " By the closed form of level banked." : ""),
        level_ != CostLevel::walk);
  }

  void add_bytes_once() {
    const auto bytes = static_cast<double>(bytes_once(model_.convolution(), model_.machine()));
    const double peak = dram_peak(model_.machine(), level_);
    add("DRAM, everything once", bytes / peak,
        fmt::format(
            "Every input that is needed, every weight and every output{} moved once, without latency: {} at {}.",
            model_.convolution().residual ? ", and what sums begin from," : "", count_text(bytes, "byte"),
            count_text(peak, "byte/s")));
  }

  void add_macs() {
    const Machine& m = model_.machine();
    const auto cycles = static_cast<double>(least_mac_cycles(model_));
    least_mac_ = cycles / (m.clock_hz * m.mac_efficiency);
    const auto ideal = static_cast<double>(model_.convolution().macs()) / m.reached_peak();
    add("MAC", least_mac_,
        fmt::format("The busiest of {} TLTs, with the work spread as well as any partition does: {} cycles; spread "
                    "evenly it would be {}.",
                    m.tles * m.tlts, count_text(cycles), seconds_text(ideal)));
  }

  void add_commands() {
    Machine machine = model_.machine();
    if (machine.command_seconds == 0) return;
    machine.clock_hz = machine.bandwidth = std::numeric_limits<double>::infinity();
    machine.cas_seconds = 0;
    const auto least = best_tiling(CostModel(model_.convolution(), machine), {}, {});
    least_commands_ = least->price;
    add("commands", least->price,
        fmt::format("No tiling needs fewer transfer commands: {} of {} each.", least->totals.all().commands,
                    seconds_text(machine.command_seconds)));
  }

  void add_rejected() {
    const auto tools = make_tiling_tools(model_.convolution(), model_.machine(), level_, solution_);
    for (const std::string& strategy : tools->strategies()) {
      const target::Alternative best = tools->best(strategy, {});
      if (best.chosen) continue;
      result_.rejected.push_back({best.plan ? best.plan->title() : strategy,
                                  best.fits,
                                  {best.metrics.seconds.value, "s", Origin::estimate},
                                  best.explanation});
    }
  }

  // What the other levels choose, timed by this one; which of them choose the same.
  std::string add_levels() {
    const auto tools = make_tiling_tools(model_.convolution(), model_.machine(), level_, solution_);
    std::string same;
    for (const auto& [level, name] : {std::pair{CostLevel::volume, "volume"}, std::pair{CostLevel::burst, "burst"},
                                      std::pair{CostLevel::banked, "banked"}}) {
      if (level == searched_by(level_)) continue;
      const auto best = best_tiling(model_, {level, {}, {}}, {});
      if (!best) continue;
      const Tiling& t = best->tiling;
      if (t == solution_->tiling) {
        same += (same.empty() ? "" : ", ") + std::string(name);
        continue;
      }
      const target::Alternative theirs =
          tools->evaluate(fmt::format("{} + {}", name_of(t.partition), name_of(t.schedule)),
                          {t.rows, t.columns, t.channels, t.units}, {});
      result_.rejected.push_back({fmt::format("level {}: {}", name, tiling_text(t)),
                                  theirs.fits,
                                  {theirs.metrics.seconds.value, "s", Origin::estimate},
                                  theirs.explanation});
    }
    return same.empty() ? " No other level chooses this tiling." : " It is also the choice by " + same + ".";
  }

  std::string summary() const {
    const Seconds& s = solution_->seconds;
    const double rest = least_dram_ + least_commands_;
    const double least = model_.machine().overlaps() ? std::max(least_mac_, rest) : least_mac_ + rest;
    std::string text =
        fmt::format("{} binds. {} takes {}: DRAM {}, MACs {}, commands {}", result_.bounds.front().bound.kind,
                    tiling_text(solution_->tiling), seconds_text(s.total()), seconds_text(s.dram()),
                    seconds_text(s.mac), seconds_text(s.commands));
    if (model_.machine().ring.on) text += fmt::format(", ring {}", seconds_text(s.ring));
    if (s.hidden > 0) text += fmt::format(", {} of it hidden", seconds_text(s.hidden));
    text += fmt::format("; with each term at its least it would be {}. ", seconds_text(least));
    if (level_ == CostLevel::volume) return text + "It was chosen by volume: a faster tiling may exist.";
    if (level_ == CostLevel::walk) return text + "It was chosen by level banked: a faster tiling may exist.";
    if (model_.machine().choose_doubled)
      return text +
             "No tiling is faster, whichever memories hold two tiles (proven); bounds are for this choice of them.";
    if (s.hidden > 0 && !model_.machine().double_buffering)
      return text + "No tiling is faster with TLEs in lockstep (proven).";
    return text + "No tiling is faster (proven).";
  }

  std::string about_zeros() const {
    const Convolution& c = model_.convolution();
    if (c.zero_macs == 0) return {};
    return fmt::format(
        " Its table of connections runs as a dense convolution: {} of {} MACs, and the weights for them, "
        "are zeros that cost as much as others.",
        count_text(static_cast<double>(c.zero_macs)), count_text(static_cast<double>(c.macs())));
  }

  CostModel model_;
  CostLevel level_;
  std::shared_ptr<const Solution> solution_;
  double least_dram_ = 0, least_mac_ = 0, least_commands_ = 0;
  artifact::Explanation result_;
};

}  // namespace

std::shared_ptr<const artifact::Explanation> explain(const Convolution& convolution, const Machine& machine,
                                                     CostLevel level, std::shared_ptr<const Solution> solution) {
  return Explainer(convolution, machine, level, std::move(solution)).run();
}

std::shared_ptr<const artifact::Explanation> explain_refusal(const Convolution& convolution, const Machine& machine,
                                                             const std::string& reason) {
  artifact::Explanation result;
  result.summary = reason;
  const CostModel model(convolution, machine);
  for (const Partition p : model.partitions())
    for (const Schedule s : schedules)
      result.rejected.push_back(
          {fmt::format("{} + {}", name_of(p), name_of(s)), false, {}, smallest_violation(model, p, s)});
  return std::make_shared<const artifact::Explanation>(std::move(result));
}

}  // namespace convscope::nmp
