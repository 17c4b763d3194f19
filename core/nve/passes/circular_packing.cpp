#include "core/nve/passes/circular_packing.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/nve/passes/insert_writes.h"

namespace convscope::nve {
namespace {

/// The time before one vector operation, in which its registers are loaded.
struct Gap {
  int cycles = 1;     ///< without a word's load
  int extra = 0;      ///< cycles that a word's load adds
  int again = 0;      ///< the same if the word before is loaded in the gap before
  bool bias = false;  ///< of a `set rb`, which needs no pixels: its time and the next gap's are shared
};

class Gaps {
 public:
  Gaps(const Window& window, const SchedulingMachine& machine)
      : column_(window.column(machine)), dilation_(window.dilation_height) {}

  std::vector<Gap> of(const Window& window, const Structure& structure) const {
    std::vector<Gap> gaps;
    for (const auto& inputs : structure.maps) {
      const std::size_t begin = gaps.size();
      gaps.push_back({});
      for (std::size_t i = 0; i < inputs.size() * static_cast<std::size_t>(window.kernel_width); ++i) add_column(gaps);
      share_time(gaps[begin], gaps[begin + 1]);
    }
    return gaps;
  }

 private:
  void add_column(std::vector<Gap>& gaps) const {
    const RegisterLayout& registers = column_.registers();
    for (int phase = 0; phase < column_.phases(); ++phase) {
      const int rows = column_.kernel_rows(phase);
      gaps.push_back({registers.groups(), 1, 1});
      for (int row = 1; row < rows; ++row) {
        const bool port_a = row == 1 && registers.needs_extension(column_.span(phase)) &&
                            registers.words_per_set == 1 && dilation_ == 1;
        gaps.push_back({dilation_, port_a ? 1 : 0, port_a ? 1 : 0});
      }
    }
  }

  // Pixels of a body's first column may be loaded while its bias is.
  static void share_time(Gap& bias, Gap& first) {
    const int loads = first.cycles, together = std::max(2, loads);
    const auto with_words = [&](int words) { return std::max(together, loads + words); };
    bias = {1, with_words(1) - together, 0, true};
    first = {together - 1, with_words(1) - together, with_words(2) - with_words(1)};
  }

  StoredColumn column_;
  int dilation_;  // shifts from one row of the kernel to the next; a word is loaded with the last of them
};

/// What a packing costs: cycles lost, and words.
struct Cost {
  std::int64_t lost = 0, words = 0;
};

/// Weights of the two, by which paths are compared.
struct Weights {
  std::int64_t lost = 1, words = 1;
  std::int64_t of(const Cost& cost) const { return lost * cost.lost + words * cost.words; }
};

struct Path {
  std::vector<int> starts;  // ascending, on the circle
  Cost cost;
};

/// Shortest paths around the circle of gaps, words as steps.
class Circle {
 public:
  Circle(const std::vector<Gap>& gaps, int longest) : gaps_(gaps), longest_(longest) {}

  Path shortest(const Weights& weights) const {
    Path best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    // Every `longest` places in a row have a start among them.
    for (int first = 0; first < std::min(longest_, size()); ++first) {
      Path path = from(first, weights);
      if (const std::int64_t value = weights.of(path.cost); value < least) least = value, best = std::move(path);
    }
    return best;
  }

  /// The path with the least `value` among those that lose at most `most` cycles: fewest words for each number of lost
  /// cycles, for each first start. `value` may not fall with more words.
  template <typename Value>
  Path best(int most, const Value& value) const {
    Path best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int first = 0; first < std::min(longest_, size()); ++first) {
      const Table table = fewest_words(first, most);
      for (int lost = 0; lost <= most; ++lost) {
        const Cost cost{lost, table.at(size(), lost).words};
        if (cost.words == Table::none || value(cost) >= least) continue;
        least = value(cost);
        best = table.path(first, size(), lost);
      }
    }
    return best;
  }

  /// Steps of the search behind `best`.
  std::int64_t effort(std::int64_t most) const { return size() * (most + 1) * longest_ * longest_; }

 private:
  /// By place behind the first and cycles lost so far.
  struct Table {
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    struct Entry {
      std::int64_t words = none;
      int from = 0, lost = 0;  // the entry before
    };
    int most = 0;
    std::vector<Entry> entries;

    Entry& at(int step, int lost) { return entries[static_cast<std::size_t>(step * (most + 1) + lost)]; }
    const Entry& at(int step, int lost) const { return entries[static_cast<std::size_t>(step * (most + 1) + lost)]; }
    Path path(int first, int count, int lost) const {
      Path path{{first}, {lost, at(count, lost).words}};
      for (const Entry* entry = &at(count, lost); entry->from > 0; entry = &at(entry->from, entry->lost))
        path.starts.push_back((first + entry->from) % count);
      std::sort(path.starts.begin(), path.starts.end());
      return path;
    }
  };

  Table fewest_words(int first, int most) const {
    const int count = size();
    Table table{most, std::vector<Table::Entry>(static_cast<std::size_t>((count + 1) * (most + 1)))};
    if (at(first).extra <= most) table.at(0, at(first).extra).words = 1;
    for (int step = 1; step <= count; ++step)
      for (int from = std::max(0, step - longest_); from < step; ++from) {
        const Cost here = step == count ? Cost{} : load(first + step, first + from);
        for (int lost = 0; lost + here.lost <= most; ++lost) {
          const std::int64_t words = table.at(from, lost).words;
          if (words == Table::none) continue;
          auto& entry = table.at(step, lost + static_cast<int>(here.lost));
          if (words + here.words < entry.words) entry = {words + here.words, from, lost};
        }
      }
    return table;
  }

  int size() const { return static_cast<int>(gaps_.size()); }
  const Gap& at(int place) const { return gaps_[static_cast<std::size_t>(place % size())]; }

  Cost load(int place, int before) const {
    const bool directly = before == place - 1 && at(before).bias;
    return {directly ? at(place).again : at(place).extra, 1};
  }

  // The cheapest path of words from a place around to itself.
  Path from(int first, const Weights& weights) const {
    const int count = size();
    std::vector<Cost> costs(static_cast<std::size_t>(count) + 1);
    std::vector<int> before(static_cast<std::size_t>(count) + 1, 0);
    costs[0] = {at(first).extra, 1};
    for (int step = 1; step <= count; ++step) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (int from = std::max(0, step - longest_); from < step; ++from) {
        // The last word ends where the first one starts, which is paid for already.
        const Cost load_here = step == count ? Cost{} : load(first + step, first + from);
        const Cost& so_far = costs[static_cast<std::size_t>(from)];
        const Cost cost{so_far.lost + load_here.lost, so_far.words + load_here.words};
        const std::int64_t value = weights.of(cost);
        if (value < least) {
          least = value;
          costs[static_cast<std::size_t>(step)] = cost;
          before[static_cast<std::size_t>(step)] = from;
        }
      }
    }
    Path path{{}, costs.back()};
    for (int step = before.back(); step > 0; step = before[static_cast<std::size_t>(step)])
      path.starts.push_back((first + step) % count);
    path.starts.push_back(first);
    std::sort(path.starts.begin(), path.starts.end());
    return path;
  }

  const std::vector<Gap>& gaps_;
  int longest_;
};

/// Uses of each buffer port's field by what isn't coefficients.
std::array<std::int64_t, field_count> pixel_accesses(const Window& window, const Structure& structure,
                                                     const SchedulingMachine& machine) {
  const StoredColumn column = window.column(machine);
  std::int64_t columns = 0;
  for (const auto& inputs : structure.maps) columns += static_cast<std::int64_t>(inputs.size()) * window.kernel_width;
  std::array<std::int64_t, field_count> uses{};
  for (int word = 0; word < column.words(); ++word) {
    // Half a vector takes nothing from port A (see body_graph.cpp).
    if (window.half_vector && column.port(word) == 0) continue;
    uses[static_cast<std::size_t>(column.port(word) == 0 ? Field::mema : Field::memb)] += columns;
    uses[static_cast<std::size_t>(write_field(machine))] += std::int64_t{structure.inputs} * window.new_columns();
  }
  return uses;
}

std::vector<std::vector<int>> by_map(const Path& path, const Structure& structure, const Window& window) {
  std::vector<std::vector<int>> starts;
  auto next = path.starts.begin();
  int begin = 0;
  for (const auto& inputs : structure.maps) {
    const int end = begin + 1 + static_cast<int>(inputs.size()) * window.weights();
    starts.emplace_back();
    for (; next != path.starts.end() && *next < end; ++next) starts.back().push_back(*next - begin);
    begin = end;
  }
  return starts;
}

std::int64_t sum_of(const std::vector<Gap>& gaps) {
  std::int64_t sum = 0;
  for (const Gap& gap : gaps) sum += gap.cycles;
  return sum;
}

}  // namespace

std::int64_t chain_length(const Window& window, const Structure& structure, const SchedulingMachine& machine) {
  return sum_of(Gaps(window, machine).of(window, structure));
}

namespace {

// Steps that a packing which no shortest path brings to its bound may take.
constexpr std::int64_t largest_effort = 200'000;

}  // namespace

PackedLoop pack_circular(const Window& window, const Structure& structure, const SchedulingMachine& machine) {
  const std::vector<Gap> gaps = Gaps(window, machine).of(window, structure);
  const std::int64_t chain = sum_of(gaps);
  const auto accesses = pixel_accesses(window, structure, machine);
  const std::int64_t most = *std::max_element(accesses.begin(), accesses.end());
  const int longest = machine.coefficients_per_set();
  const auto interval = [&](const Cost& cost) {
    return std::max({chain + cost.lost, most, accesses[static_cast<std::size_t>(Field::mema)] + cost.words});
  };
  PackedLoop packed;
  packed.bound = interval({0, (static_cast<std::int64_t>(gaps.size()) + longest - 1) / longest});
  packed.interval = std::numeric_limits<std::int64_t>::max();
  const auto take = [&](const Path& path) {
    if (path.starts.empty() || interval(path.cost) >= packed.interval) return;
    packed.interval = interval(path.cost);
    packed.starts = by_map(path, structure, window);
    packed.words = static_cast<int>(path.cost.words);
  };
  const Circle circle(gaps, longest);
  constexpr std::int64_t much = 1 << 20;
  for (const Weights& weights : {Weights{much, 1}, Weights{1, much}, Weights{1, 1}})
    if (packed.interval > packed.bound) take(circle.shortest(weights));
  const std::int64_t spare = packed.interval - chain - 1;
  if (packed.interval > packed.bound && spare >= 0 && circle.effort(spare) <= largest_effort)
    take(circle.best(static_cast<int>(spare), interval));
  return packed;
}

}  // namespace convscope::nve
