#include "core/nve/alternatives.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

using artifact::RejectedAlternative;

struct Optimization {
  bool Switches::*on;
  const char* name;
};

/// Those that can be left out one at a time, each with the others in force.
constexpr Optimization optimizations[] = {{&Switches::circular, "circular coefficient packing"},
                                          {&Switches::peeling, "a peeled first iteration"},
                                          {&Switches::partition, "fusion by cost"},
                                          {&Switches::fusion, "fusion"},
                                          {&Switches::polyphase, "polyphase layout"},
                                          {&Switches::half_vector, "half vectors"},
                                          {&Switches::tiling, "in-map tiling"},
                                          {&Switches::sharing, "fusion for cores and transfers"},
                                          {&Switches::exact, "exact schedules"},
                                          {&Switches::looped, "programs with an inner loop"}};

/// The largest that machines may have (machine.cpp).
constexpr int largest_buffer = 16384, largest_extension = 15, widest_port = 128;

double change(const artifact::Metrics& other, const artifact::Metrics& metrics, const char* key) {
  return 100 * (other.find(key)->value / metrics.find(key)->value - 1);
}

// Best first; what doesn't fit last.
std::vector<RejectedAlternative> in_order(std::vector<RejectedAlternative> all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (a.fits != b.fits) return a.fits;
    return a.fits && a.seconds.value < b.seconds.value;
  });
  return all;
}

/// Looks for the smallest machine that takes the layer.
class Search {
 public:
  Search(const Switches& switches, const Machine& machine, const Recompile& recompile)
      : switches_(switches), smallest_(machine), recompile_(recompile) {}

  std::optional<Machine> find() {
    const int local_buffer = smallest_.local_buffer_words, instruction_buffer = smallest_.instruction_buffer_words;
    smallest_.local_buffer_words = std::max(local_buffer, largest_buffer);
    smallest_.instruction_buffer_words = std::max(instruction_buffer, largest_buffer);
    if (!grow_registers()) return std::nullopt;
    smallest_.instruction_buffer_words = instruction_buffer;
    if (!grow(&Machine::instruction_buffer_words)) return std::nullopt;
    smallest_.local_buffer_words = local_buffer;
    if (!grow(&Machine::local_buffer_words)) return std::nullopt;
    return smallest_;
  }

 private:
  bool maps(const Machine& machine) const { return recompile_(switches_, machine)->mapped(); }

  // A word extends the register by as many pixels as it has, so a longer extension may need wider ports.
  bool grow_registers() {
    const int extension = smallest_.image_extension;
    for (; smallest_.port_bits <= widest_port; smallest_.port_bits *= 2) {
      const int most = std::min(largest_extension, smallest_.pixels_per_word());
      for (smallest_.image_extension = extension; smallest_.image_extension <= most; ++smallest_.image_extension)
        if (maps(smallest_)) return true;
    }
    return false;
  }

  bool grow(int Machine::*words) {
    for (; smallest_.*words <= largest_buffer; smallest_.*words *= 2)
      if (maps(smallest_)) return true;
    return false;
  }

  const Switches& switches_;
  Machine smallest_;
  const Recompile& recompile_;
};

std::string differences(const Machine& larger, const Machine& machine) {
  std::string text;
  const auto add = [&](const char* format, int value, int before) {
    if (value != before) text += (text.empty() ? "" : ", ") + fmt::format(fmt::runtime(format), value);
  };
  add("image register extension of {} pixels", larger.image_extension, machine.image_extension);
  add("ports of {} bits", larger.port_bits, machine.port_bits);
  add("instruction buffer of {} words", larger.instruction_buffer_words, machine.instruction_buffer_words);
  add("local buffer of {} words", larger.local_buffer_words, machine.local_buffer_words);
  return text;
}

}  // namespace

std::vector<RejectedAlternative> without_each(const artifact::Metrics& metrics, const Switches& switches,
                                              const Machine& machine, const Recompile& recompile) {
  std::vector<RejectedAlternative> result;
  for (const Optimization& each : optimizations) {
    if (!(switches.*each.on)) continue;
    Switches without = switches;
    without.*each.on = false;
    const auto compiled = recompile(without, machine);
    RejectedAlternative alternative{fmt::format("without {}", each.name), compiled->mapped(), {}, {}};
    if (compiled->mapped()) {
      const artifact::Metrics& other = compiled->metrics();
      alternative.seconds = other.seconds;
      alternative.reason =
          fmt::format("{:+.2f} % instructions, {:+.1f} % words moved", change(other, metrics, "instructions"),
                      change(other, metrics, "words_transferred"));
      // Several cores may be done sooner with more instructions.
      if (machine.cores > 1)
        alternative.reason += fmt::format(", {:+.2f} % cycles", 100 * (other.cycles.value / metrics.cycles.value - 1));
    } else {
      alternative.reason = compiled->reason();
    }
    result.push_back(std::move(alternative));
  }
  return in_order(std::move(result));
}

std::vector<RejectedAlternative> smallest_machine(const Switches& switches, const Machine& machine,
                                                  const Recompile& recompile) {
  const auto found = Search(switches, machine, recompile).find();
  if (!found) return {};
  const auto compiled = recompile(switches, *found);
  const artifact::Metrics& metrics = compiled->metrics();
  return {{differences(*found, machine), true, metrics.seconds,
           fmt::format("the smallest that would do: it would reach {:.2f} MAC/instruction in {:.0f} cycles",
                       metrics.find("mac_per_instruction")->value, metrics.cycles.value)}};
}

}  // namespace convscope::nve
