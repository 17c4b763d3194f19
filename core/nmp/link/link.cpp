#include "core/nmp/link/link.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/base/integers.h"
#include "core/nmp/architecture/configuration.h"
#include "core/nmp/generate/code_writer.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/link/crossing_code.h"
#include "core/nmp/link/layer_requests.h"
#include "core/nmp/link/touched_bytes.h"

namespace convscope::nmp {
namespace {

constexpr std::int64_t maps_alignment = 128, region_alignment = 8192;
constexpr int word_bytes = 4;
constexpr int first_shared_byte = 8;  ///< of tables: behind the leader's word and where the TLT's tables lie in DRAM
constexpr Register table_base = 31, fetch_address = 22, fetch_length = 23, fetch_place = 24;

std::int64_t aligned(std::int64_t byte, std::int64_t alignment) {
  return divide_up(byte, alignment) * alignment;
}

/// Whether TLEs that are done with a layer may tell others in the next one that their memories are free: these know
/// such posts from those of the layer before if they share tiles with the same ones there. Else all meet in between.
bool may_go_on(const LayerPlan& before, const LayerPlan& next) {
  for (int tle = 0; tle < next.machine().tles; ++tle) {
    if (next.rings_input() && next.input_sharers(tle) != before.input_sharers(tle)) return false;
    if (next.rings_weights() && next.weights_sharers(tle) != before.weights_sharers(tle)) return false;
  }
  return true;
}

class Linker {
 public:
  Linker(std::vector<LayerRequest> layers, LinkedProgram& linked) : layers_(std::move(layers)), linked_(linked) {
    for (const LayerRequest& layer : layers_) partial_sum_bytes_.push_back(layout_of(layer.program).partial_sum_bytes);
  }

  void run(const std::string& name, const std::stop_token& stop) {
    place_maps();
    place_crossings();
    program_.name = name;
    for (std::size_t i = 0; i < layers_.size() && linked_.reason.empty(); ++i) {
      throw_if_stopped(stop);
      add_layer(i);
    }
    if (!linked_.reason.empty()) return;
    finish();
    linked_.program = std::move(program_);
  }

 private:
  /// Layers whose tables are fetched together.
  struct Group {
    std::size_t code = 0;                           ///< instruction that fetches them
    std::vector<std::vector<std::uint32_t>> words;  ///< by TLT
  };

  const Storage& storage(int index) const { return linked_.flow.storages[static_cast<std::size_t>(index)]; }

  const ProgramRequest& request(std::size_t index) const { return layers_[index].program; }
  const LinkedStep& step_of(std::size_t index) const { return linked_.flow.steps[layers_[index].step]; }

  void place_maps() {
    const int element = request(0).machine.element_bytes;
    std::vector<Lifetime> lifetimes;
    for (const Storage& s : linked_.flow.storages)
      lifetimes.push_back({s.elements * linked_.images * element, s.first_step, s.last_step});
    linked_.maps = plan_memory(lifetimes, maps_alignment);
    add_region("maps", RegionKind::maps, linked_.maps.bytes);
    linked_.first_map_byte = program_.regions.front().first_byte;
  }

  /// Its index.
  int add_region(const std::string& name, RegionKind kind, std::int64_t bytes) {
    program_.regions.push_back({name, kind, program_.dram_bytes, bytes});
    program_.dram_bytes = aligned(program_.dram_bytes + bytes, region_alignment);
    return static_cast<int>(program_.regions.size()) - 1;
  }

  std::uint32_t byte_of(const StorageUse& use, int image, int element) const {
    const std::int64_t first = image * storage(use.storage).elements + use.first_element;
    return static_cast<std::uint32_t>(
        linked_.first_map_byte + linked_.maps.first_bytes[static_cast<std::size_t>(use.storage)] + first * element);
  }

  // Partial sums live for one layer: all use the same bytes.
  int partial_sums_region() {
    if (partial_sums_ >= 0) return partial_sums_;
    const std::int64_t most = *std::max_element(partial_sum_bytes_.begin(), partial_sum_bytes_.end());
    return partial_sums_ = add_region("partial sums", RegionKind::partial_sums, most);
  }

  LayerPlace place_of(std::size_t index) {
    const ProgramRequest& request = layers_[index].program;
    const LinkedStep& step = step_of(index);
    const int element = request.machine.element_bytes, image = request.images.first;
    LayerPlace place{layout_of(request), 0, 0, 0, -1, 0, first_shared_byte, {}};
    place.layout.input = byte_of(step.in, image, element);
    place.layout.output = byte_of(step.out, image, element);
    if (step.residual.storage >= 0) place.layout.residual = byte_of(step.residual, image, element);
    if (step.other.storage >= 0) {
      place.layout.weights = byte_of(step.other, image, element);
    } else if (place.layout.weight_bytes > 0) {
      // All images have the same.
      const bool operand = request.convolution.combines();
      if (image == 0)
        weights_ = add_region((operand ? "constant of " : "weights of ") + request.name,
                              operand ? RegionKind::input : RegionKind::weights, place.layout.weight_bytes);
      place.weights = weights_;
      place.layout.weights = first_byte(place.weights);
    }
    place_others(step, request, place);
    if (place.layout.partial_sum_bytes > 0) {
      place.partial_sums = partial_sums_region();
      place.layout.partial_sums = first_byte(place.partial_sums);
    }
    place.layout.end = program_.dram_bytes;
    return place;
  }

  // Constants lie beside the second operand's, whether that is one or not.
  void place_others(const LinkedStep& step, const ProgramRequest& request, LayerPlace& place) {
    const std::int64_t constants = place.layout.weight_bytes;
    for (std::size_t i = 0; i < step.more.size(); ++i) {
      const StorageUse& use = step.more[i];
      if (use.storage >= 0) {
        place.layout.others[i] = byte_of(use, request.images.first, request.machine.element_bytes);
        place.others.push_back(0);
      } else {
        const int region = add_region("constant of " + request.name, RegionKind::input, constants);
        place.layout.others[i] = first_byte(region);
        place.others.push_back(region);
      }
    }
  }

  std::uint32_t first_byte(int region) const {
    return static_cast<std::uint32_t>(program_.regions[static_cast<std::size_t>(region)].first_byte);
  }

  int group_end() const {
    return groups_.empty() ? data_ram_bytes : static_cast<int>(groups_.back().words.front().size()) * word_bytes;
  }

  void add_layer(std::size_t index) {
    LayerPlace place = place_of(index);
    GeneratedProgram made = generate_behind(index, group_end(), place);
    if (!made.program) {
      made = generate_behind(index, first_shared_byte, place);
      if (!made.program) {
        linked_.reason = fmt::format("'{}': {}", request(index).name, made.reason);
        return;
      }
      begin_group(*made.program);
    }
    append(*made.program, index);
  }

  /// With its tables, and before them the words of the crossing before it, from this byte of the data RAM on.
  GeneratedProgram generate_behind(std::size_t index, int byte, LayerPlace& place) const {
    const bool by_semaphores = index > 0 && crossing_before(index).kind == Crossing::Kind::semaphores;
    place.first_table_byte = byte + (by_semaphores ? crossing_words * word_bytes : 0);
    if (place.first_table_byte >= data_ram_bytes) return {};
    const Machine& machine = request(index).machine;
    if (by_semaphores)
      place.crossing = crossing_code(machine, static_cast<int>(index) - 1, byte);
    else if (machine.free_running && index > 0 && crossing_before(index).kind == Crossing::Kind::barrier)
      place.crossing = {encode({.operation = Operation::sync})};
    return generate_at(request(index), place);
  }

  const Crossing& crossing_before(std::size_t index) const { return crossings_[index - 1]; }

  TensorPlaces tensors_of(std::size_t index) const {
    const LinkedStep& step = step_of(index);
    const int element = request(index).machine.element_bytes, image = request(index).images.first;
    const auto first_byte = [&](const StorageUse& use) {
      return use.storage < 0 ? std::int64_t{-1} : std::int64_t{byte_of(use, image, element)};
    };
    // Where partial sums lie isn't known yet, but all layers' begin at the same byte, and behind all maps.
    TensorPlaces places{first_byte(step.in), first_byte(step.other), first_byte(step.residual), first_byte(step.out),
                        partial_sum_bytes_[index] > 0 ? program_.dram_bytes : -1};
    for (const StorageUse& use : step.more) places.more.push_back(first_byte(use));
    return places;
  }

  void place_crossings() {
    std::vector<TouchedByTles> touched;
    touched.reserve(layers_.size());
    std::vector<bool> together;
    std::optional<LayerPlan> before;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerPlan plan = plan_of(request(i), request(i).machine);
      touched.push_back(touched_bytes(plan, tensors_of(i)));
      together.push_back(before && !may_go_on(*before, plan));
      before.emplace(plan);
    }
    constexpr int most_tles = 32;  // that a post can name
    const Machine& machine = request(0).machine;
    crossings_ = nmp::order_layers(touched, machine.free_running && machine.tles <= most_tles, together);
  }

  /// Leaves room for the instructions that fetch: they are known when all tables are.
  void begin_group(const Program& first) {
    groups_.push_back({program_.code.size(), {}});
    groups_.back().words.assign(first.data.size(), std::vector<std::uint32_t>(first_shared_byte / word_bytes));
    const auto begin = static_cast<int>(program_.code.size());
    program_.code.resize(program_.code.size() + (groups_.size() == 1 ? 1 : 0) + fetch_instructions);
    program_.ranges.push_back({CodeRange::Kind::setup, begin, static_cast<int>(program_.code.size()) - begin});
  }

  void append(Program& layer, std::size_t index) {
    const std::size_t first_word = groups_.back().words.front().size();
    // A layer ends with a barrier and `ecall`. Of layers that run free, the next one has the barrier.
    const bool last = index + 1 == layers_.size();
    const bool barrier =
        last || (!request(index).machine.free_running && crossing_before(index + 1).kind == Crossing::Kind::barrier);
    const int left_out = (last ? 0 : 1) + (barrier ? 0 : 1);
    layer.code.resize(layer.code.size() - static_cast<std::size_t>(left_out));
    layer.ranges.back().count -= left_out;
    if (layer.ranges.back().count == 0) layer.ranges.pop_back();
    append_code(layer);
    const Images& images = request(index).images;
    const std::size_t parts = layer.layers.size() / static_cast<std::size_t>(images.count);
    for (int image = 0; image < images.count; ++image)
      for (std::size_t part = 0; part < parts; ++part)
        linked_.computed.push_back({layers_[index].step, images.first + image, part});
    std::move(layer.layers.begin(), layer.layers.end(), std::back_inserter(program_.layers));
    for (std::size_t i = 0; i < traffic_kinds; ++i) program_.traffic[i] += layer.traffic[i];
    std::size_t most = 0;
    for (const auto& words : layer.data) most = std::max(most, words.size());
    for (std::size_t tlt = 0; tlt < layer.data.size(); ++tlt) {
      auto& words = groups_.back().words[tlt];
      words.insert(words.end(), layer.data[tlt].begin() + static_cast<std::ptrdiff_t>(words.size()),
                   layer.data[tlt].end());
      words.resize(most);
    }
    if (index > 0) set_leader_words(crossing_before(index), first_word);
    if (index > 0) return add_memories(layer.machine);
    program_.machine = layer.machine;
    program_.level = layer.level;
    program_.commands_hold_dram = layer.commands_hold_dram;
    for (const auto& data : layer.data) program_.data.push_back({data.front(), 0});
  }

  void append_code(const Program& part) {
    const auto begin = static_cast<int>(program_.code.size());
    for (CodeRange range : part.ranges) {
      range.first += begin;
      program_.ranges.push_back(range);
    }
    program_.code.insert(program_.code.end(), part.code.begin(), part.code.end());
  }

  void set_leader_words(const Crossing& crossing, std::size_t first_word) {
    const std::size_t tlts = groups_.back().words.size() / std::max<std::size_t>(1, crossing.tles.size());
    for (std::size_t tle = 0; tle < crossing.tles.size(); ++tle) {
      const auto words = leader_words(crossing.tles[tle]);
      std::copy(words.begin(), words.end(),
                groups_.back().words[tle * tlts].begin() + static_cast<std::ptrdiff_t>(first_word));
    }
  }

  // A memory of an odd number of bytes has lost one where a layer has halves of it.
  void add_memories(const Machine& of_layer) {
    program_.machine.input_bytes = std::max(program_.machine.input_bytes, of_layer.input_bytes);
    program_.machine.weight_bytes = std::max(program_.machine.weight_bytes, of_layer.weight_bytes);
    program_.machine.output_bytes = std::max(program_.machine.output_bytes, of_layer.output_bytes);
  }

  // A TLT's tables lie one group after the other; the same group begins at the same distance in all TLTs.
  void finish() {
    std::size_t of_tlt = 0;
    for (const Group& group : groups_) of_tlt += words_of(group);
    const std::size_t tlts = program_.data.size();
    const int region = add_region("tables", RegionKind::tables, static_cast<std::int64_t>(of_tlt * tlts * word_bytes));
    for (std::size_t tlt = 0; tlt < tlts; ++tlt) {
      program_.data[tlt][1] = first_byte(region) + static_cast<std::uint32_t>(tlt * of_tlt * word_bytes);
      for (const Group& group : groups_)
        program_.tables.insert(program_.tables.end(), group.words[tlt].begin() + first_shared_byte / word_bytes,
                               group.words[tlt].end());
    }
    std::size_t before = 0;
    for (const Group& group : groups_) {
      write_fetch(group, before * word_bytes);
      before += words_of(group);
    }
    program_.traffic[static_cast<std::size_t>(TrafficKind::tables)] =
        static_cast<std::int64_t>(program_.tables.size()) * word_bytes;
  }

  static std::size_t words_of(const Group& group) {
    return group.words.front().size() - first_shared_byte / word_bytes;
  }

  void write_fetch(const Group& group, std::size_t offset) {
    CodeWriter w;
    if (group.code == 0) w.load(table_base, 0, 1);
    w.wide_constant(fetch_address, static_cast<std::uint32_t>(offset));
    w.add(fetch_address, fetch_address, table_base);
    w.wide_constant(fetch_length, static_cast<std::uint32_t>(words_of(group) * word_bytes));
    w.configure(registers::row_bytes, fetch_length, 0);
    w.add(fetch_place, 0, first_shared_byte);
    w.fetch(0, fetch_address, fetch_place);
    Program fetch;
    w.finish(fetch);
    std::copy(fetch.code.begin(), fetch.code.end(), program_.code.begin() + static_cast<std::ptrdiff_t>(group.code));
  }
  static constexpr std::size_t fetch_instructions = 8;

  const std::vector<LayerRequest> layers_;
  LinkedProgram& linked_;
  std::vector<std::int64_t> partial_sum_bytes_;  // by layer
  Program program_;
  std::vector<Group> groups_;
  std::vector<Crossing> crossings_;       // behind layers
  int partial_sums_ = -1, weights_ = -1;  // regions
};

}  // namespace

LinkedProgram link_program(const network::Network& network, const OperatorPlan& plan,
                           const std::vector<const SolvedLayer*>& solved, const std::vector<StepNumbers>& numbers,
                           const std::stop_token& stop) {
  LinkedProgram linked;
  linked.images = std::max(1, network.batch);
  linked.flow = dataflow_of(network, plan, solved);
  linked.reason = linked.flow.reason;
  if (!linked.reason.empty()) return linked;
  write_sums_in_place(linked.flow);
  constexpr int most_before_tables = first_shared_byte + crossing_words * word_bytes;
  LayerRequests requests = request_layers(linked.flow, solved, linked.images, most_before_tables, numbers, stop);
  linked.reason = requests.reason;
  if (linked.reason.empty()) Linker(std::move(requests.layers), linked).run(network.name, stop);
  return linked;
}

}  // namespace convscope::nmp
