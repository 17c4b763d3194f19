#include "core/nve/artifacts/explanation.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/grouped.h"
#include "core/nve/passes/bind_program.h"
#include "core/schedule/bounds/bounds.h"

namespace convscope::nve {
namespace {

using artifact::Explanation;

/// Cycles and operations of one resource, over all programs, strips and iterations.
struct Use {
  std::int64_t cycles = 0, operations = 0;
};

class Explainer {
 public:
  Explainer(const Layout& layout, const Machine& machine, const artifact::Metrics& metrics)
      : layout_(layout), machine_(machine), metrics_(metrics) {}

  void add(const LayerProgram& program) {
    const Program bound = bind_program(*program.scheduled, program.group, frame_of(layout_.part), {}, machine_);
    const std::int64_t strips = std::int64_t{bound.strips()} * layout_.parts;
    const std::int64_t times = (bound.iterations + program.scheduled->emitted.peeled) * strips;
    const schedule::Problem& problem = program.scheduled->loop.problem;
    const std::vector<std::int64_t> uses = uses_of_iteration(*program.scheduled);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const std::int64_t capacity = problem.resources[i].capacity;
      Use& sum = uses_[problem.resources[i].name];
      sum.cycles += (uses[i] + capacity - 1) / capacity * times;
      sum.operations += uses[i] * times;
    }
    const bool looped = program.scheduled->looped();  // its order is given, and holds no circle that is longer
    const std::int64_t recurrence = looped ? schedule::no_interval : schedule::recurrence_bound(problem);
    if (recurrence != schedule::no_interval) recurrence_ += recurrence * times;
    steady_ += bound.cycles_per_iteration() * times;
    instructions_ += bound.cycles_per_strip() * strips;
    ++programs_;
    if (const auto& certificate = program.scheduled->certificate) {
      ++exact_;
      gap_ += certificate->gap();
      if (!certificate->optimal()) reason_ = certificate->reason;
    }
  }

  std::shared_ptr<const Explanation> finish() {
    for (const auto& [resource, use] : uses_)
      if (use.operations > 0)
        bound(resource, use.cycles,
              fmt::format("{} operations need {} in the steady states of {} program{}.", grouped(use.operations),
                          resource, programs_, programs_ == 1 ? "" : "s"));
    bound("recurrence", recurrence_,
          fmt::format("Circles of dependences over iterations take as long in the steady states of {} program{}.",
                      programs_, programs_ == 1 ? "" : "s"));
    add_transfer();
    std::stable_sort(result_.bounds.begin(), result_.bounds.end(),
                     [](const auto& a, const auto& b) { return a.seconds.value > b.seconds.value; });
    if (!result_.bounds.empty()) result_.summary = summary();
    return std::make_shared<const Explanation>(std::move(result_));
  }

 private:
  void bound(const std::string& kind, std::int64_t cycles, std::string text) {
    cycles = (cycles + machine_.cores - 1) / machine_.cores;
    if (cycles > 0)
      result_.bounds.push_back({{kind, cycles, true},
                                {static_cast<double>(cycles) / machine_.clock_hz, "s", Origin::derived},
                                std::move(text)});
  }

  void add_transfer() {
    const Quantity* seconds = metrics_.find("seconds_transfer");
    if (seconds == nullptr || seconds->value <= 0) return;
    result_.bounds.push_back({{"transfer", static_cast<std::int64_t>(seconds->value * machine_.clock_hz), false},
                              {seconds->value, "s", Origin::estimate},
                              "Pixels, coefficients and outputs over the bus, while programs run."});
  }

  std::string summary() const {
    const auto& first = result_.bounds.front();
    const double total = metrics_.seconds.value;
    return fmt::format(
               "{} binds: {} of {} ({:.0f} %). {:.1f} % of all instructions are steady state; the rest loads, "
               "fills and drains the pipeline.",
               first.bound.kind, format_quantity(first.seconds), format_quantity(metrics_.seconds),
               100 * first.seconds.value / total,
               100 * static_cast<double>(steady_) / static_cast<double>(instructions_)) +
           load() + proof() + (layout_.plain() ? "" : " " + layout_.text());
  }

  // How evenly several cores are loaded.
  std::string load() const {
    if (machine_.cores == 1) return {};
    return fmt::format(" {} program{} keep{} {} cores busy for {:.0f} % of the longest one's time.", programs_,
                       programs_ == 1 ? "" : "s", programs_ == 1 ? "s" : "", machine_.cores,
                       100 * static_cast<double>(instructions_) / (metrics_.cycles.value * machine_.cores));
  }

  // What is known about the intervals of programs that were scheduled exactly.
  std::string proof() const {
    if (exact_ == 0) return {};
    if (gap_ == 0) return " Every interval equals its proven bound.";
    return fmt::format(" Intervals are {} cycles above their proven bounds in sum: {}.", gap_, reason_);
  }

  const Layout& layout_;
  const Machine& machine_;
  const artifact::Metrics& metrics_;
  std::map<std::string, Use> uses_;
  std::int64_t recurrence_ = 0, steady_ = 0, instructions_ = 0;
  int programs_ = 0, exact_ = 0;
  std::int64_t gap_ = 0;
  std::string reason_;
  Explanation result_;
};

}  // namespace

std::shared_ptr<const Explanation> make_explanation(const Layout& layout, const std::vector<LayerProgram>& programs,
                                                    const Machine& machine, const artifact::Metrics& metrics,
                                                    const std::string& reason) {
  if (!reason.empty()) {
    Explanation explanation;
    explanation.summary = reason;
    return std::make_shared<const Explanation>(std::move(explanation));
  }
  Explainer explainer(layout, machine, metrics);
  for (const LayerProgram& program : programs) explainer.add(program);
  return explainer.finish();
}

}  // namespace convscope::nve
