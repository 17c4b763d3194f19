#include "core/nve/passes/place_in_order.h"

#include <algorithm>
#include <tuple>

#include "core/nve/passes/insert_writes.h"
#include "core/schedule/bounds/bounds.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

/// A vector operation with the register operations that come before it.
struct Step {
  int weights = -1, vector = -1;
  std::vector<int> images;
};

class InOrder {
 public:
  InOrder(const Loop& loop, const SchedulingMachine& machine)
      : loop_(loop), machine_(machine), cycles_(loop.operations.size(), 0) {}

  schedule::Schedule place() {
    const std::vector<Step> steps = in_program_order();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (operation(steps[i].vector).kind == Kind::set_bias) {
        place_body_start(steps[i], steps[i + 1]);
        ++i;
      } else {
        place_step(steps[i]);
      }
    }
    interval_ = std::max(slot_, schedule::resource_bound(loop_.problem));
    place_reads();
    place_writes();
    place_activations();
    return {std::move(cycles_), interval_};
  }

 private:
  const LoopOperation& operation(int index) const { return loop_.operations[static_cast<std::size_t>(index)]; }
  std::int64_t& cycle(int index) { return cycles_[static_cast<std::size_t>(index)]; }
  bool takes_port_a(int index) const {
    const auto& uses = loop_.problem.operations[static_cast<std::size_t>(index)].uses;
    return std::any_of(uses.begin(), uses.end(), [](const auto& use) { return use.resource == port_a_output; });
  }

  std::vector<Step> in_program_order() const {
    std::vector<Step> steps(1);
    for (int i = 0; i < loop_.first_write(); ++i) {
      const Field field = operation(i).field;
      if (field == Field::wreg) steps.back().weights = i;
      if (field == Field::ireg) steps.back().images.push_back(i);
      if (field == Field::vmac) steps.back().vector = i, steps.emplace_back();
    }
    steps.pop_back();
    return steps;
  }

  void place_vector(const Step& step) { cycle(step.vector) = slot_ - 1 + machine_.set_to_use; }

  void place_step(const Step& step) {
    const auto images = static_cast<std::int64_t>(step.images.size());
    const bool conflict = takes_port_a(step.weights) && takes_port_a(step.images.back());
    for (int image : step.images) cycle(image) = slot_++;
    // Where port A is free of pixels in the last cycle, the weight goes with it; else it takes a cycle of its own.
    cycle(step.weights) = conflict ? slot_++ : slot_ - 1;
    if (images == 0) ++slot_;
    place_vector(step);
  }

  // A bias needs no pixels: those of the first column are loaded as late as its first multiply-accumulate allows.
  void place_body_start(const Step& bias, const Step& first) {
    const auto images = static_cast<std::int64_t>(first.images.size());
    const std::int64_t loads = images + takes_port_a(bias.weights) + takes_port_a(first.weights);
    const std::int64_t end = slot_ + std::max<std::int64_t>(2, loads);
    cycle(bias.weights) = slot_++;
    place_vector(bias);
    slot_ = end;
    place_vector(first);
    cycle(first.weights) = end - 1;
    std::int64_t at = end - (takes_port_a(first.weights) ? 1 : 0) - images;
    for (int image : first.images) cycle(image) = at++;
  }

  void place_reads() {
    for (const schedule::Dependence& d : loop_.problem.dependences) {
      const Kind kind = operation(d.from).kind;
      if (kind == Kind::read_coefficients || kind == Kind::read_pixels) cycle(d.from) = cycle(d.to) - d.distance;
    }
  }

  std::int64_t row(std::int64_t at) const { return ((at % interval_) + interval_) % interval_; }

  void place_writes() {
    const Field field = write_field(machine_);
    std::vector<char> taken(static_cast<std::size_t>(interval_), 0);
    for (int i = 0; i < loop_.first_write(); ++i)
      if (operation(i).field == field) taken[static_cast<std::size_t>(row(cycle(i)))] = 1;
    for (const auto& [deadline, write] : deadlines()) {
      std::int64_t at = deadline;
      while (taken[static_cast<std::size_t>(row(at))] != 0) --at;
      taken[static_cast<std::size_t>(row(at))] = 1;
      cycle(write) = at;
    }
  }

  // Writes with the latest cycle that is soon enough for every read, latest first.
  std::vector<std::pair<std::int64_t, int>> deadlines() {
    std::vector<std::pair<std::int64_t, int>> writes;
    for (int i = loop_.first_write(); i < loop_.first_activation; ++i) writes.emplace_back(INT64_MAX, i);
    for (const schedule::Dependence& d : loop_.problem.dependences) {
      if (operation(d.from).kind != Kind::write_pixels) continue;
      std::int64_t& deadline = writes[static_cast<std::size_t>(d.from - loop_.first_write())].first;
      deadline = std::min(deadline, cycle(d.to) - d.distance + d.iterations * interval_);
    }
    std::stable_sort(writes.begin(), writes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    return writes;
  }

  // Two bodies' `set rb`s lie at least two cycles apart, so that both halves leave before the next.
  void place_activations() {
    const int bodies = static_cast<int>(loop_.set_bias.size());
    for (std::size_t i = static_cast<std::size_t>(loop_.first_activation); i < loop_.operations.size(); ++i) {
      const int next = loop_.operations[i].map + 1;
      cycles_[i] = cycle(loop_.set_bias[static_cast<std::size_t>(next % bodies)]) + next / bodies * interval_ +
                   machine_.output_latency + (loop_.operations[i].half != 0 && both_halves() ? 1 : 0);
    }
  }

  bool both_halves() const {
    return loop_.operations.size() - static_cast<std::size_t>(loop_.first_activation) == 2 * loop_.set_bias.size();
  }

  const Loop& loop_;
  const SchedulingMachine& machine_;
  std::vector<std::int64_t> cycles_;
  std::int64_t slot_ = 0;  // the next cycle in which registers may change
  std::int64_t interval_ = 0;
};

}  // namespace

schedule::Schedule place_in_order(const Loop& loop, const SchedulingMachine& machine) {
  return InOrder(loop, machine).place();
}

}  // namespace convscope::nve
