#include "core/snowflake/plan/prefetch.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

int vectors_of_turn(const Block& block) {
  int sum = 0;
  for (const Strip& strip : block.strips) sum += strip.rows * strip.vectors();
  return sum * block.slots;
}

class Mover {
 public:
  Mover(LayerBlocks& before, LayerBlocks& next, const ComputeMachine& machine)
      : before_(before), next_(next), machine_(machine) {}

  void run() {
    move_kernels();
    move_maps();
  }

 private:
  const LayerEnd& end() const { return before_.end; }

  // In the last turn the other bank is free, once the queue has forgotten the turn before.
  void move_kernels() {
    auto& kernels = next_.first.kernels;
    if (end().free_kernel_bank < 0) return wait_for_kernels();
    const int bank = end().free_kernel_bank == 0 ? 0 : second_bank(machine_);
    const int words = machine_.kernel_bank_stride();
    const auto first = std::find_if(kernels.begin(), kernels.end(), [&](const PlacedKernels& placed) {
      return placed.buffer == bank && placed.load.words <= words;
    });
    if (first == kernels.end()) return wait_for_kernels();
    before_.blocks.back().next = first->load;
    kernels.erase(first);
    wait_for_kernels();
  }

  void wait_for_kernels() {
    if (!next_.first.kernels.empty()) next_.first.fillers = true;
  }

  // A vector instruction reads whole regions, as far as waiting goes: also that of its tile's last word.
  bool reads_maps(const MapLoad& load) const {
    const auto region = [](int word) { return word / maps_region_words; };
    return std::any_of(end().maps.begin(), end().maps.end(), [&](const BufferSpan& span) {
      return region(span.first) <= region(load.buffer + load.words - 1) &&
             region(load.buffer) <= region(span.first + span.words - 1);
    });
  }

  bool is_written(const MapLoad& load) const {
    return load.dram < end().first_output + end().output_words && end().first_output < load.dram + load.words;
  }

  bool few_vectors() const {
    int sum = 0;
    for (std::size_t i = end().last_tile; i < before_.blocks.size() && sum < machine_.queue; ++i)
      sum += vectors_of_turn(before_.blocks[i]);
    return sum < machine_.queue;
  }

  // Early ones, those that find room, and those that have to wait until the layer before is over.
  void move_maps() {
    FirstLoads stay, wait;
    const FirstLoads& first = next_.first;
    for (std::size_t i = 0; i < first.maps.size(); ++i) {
      const MapLoad& load = first.maps[i];
      const bool free = !reads_maps(load);
      if (free && !is_written(load)) {
        before_.blocks[end().last_tile].map_loads.push_back(load);
        continue;
      }
      FirstLoads& to = free ? stay : wait;
      to.maps.push_back(load);
      if (i < first.early) ++to.early;
    }
    stay.fillers = first.fillers || (!stay.maps.empty() && few_vectors());
    wait.fillers = !stay.fillers;
    (stay.early < stay.maps.size() || wait.maps.empty() ? stay : wait).kernels = first.kernels;
    next_.first = stay;
    if (!wait.maps.empty()) next_.blocks.front().before.push_back(wait);
  }

  LayerBlocks& before_;
  LayerBlocks& next_;
  const ComputeMachine& machine_;
};

}  // namespace

LayerStart start_behind(const LayerEnd& before, const ComputeMachine& machine) {
  LayerStart start;
  const int second = round_up(machine.maps_bank_words, maps_region_words);
  const bool reads_second = std::any_of(before.maps.begin(), before.maps.end(),
                                        [&](const BufferSpan& span) { return span.first + span.words > second; });
  start.maps_slot = reads_second ? 0 : 1;
  start.kernel_bank = std::max(0, before.free_kernel_bank);
  return start;
}

void load_ahead(LayerBlocks& before, LayerBlocks& next, const ComputeMachine& machine) {
  Mover(before, next, machine).run();
}

}  // namespace convscope::snowflake
