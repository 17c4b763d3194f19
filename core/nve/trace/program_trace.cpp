#include "core/nve/trace/program_trace.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/architecture/assembly.h"
#include "core/nve/host/strip_input.h"
#include "core/nve/trace/given_outputs.h"
#include "core/nve/trace/state_elements.h"
#include "core/target/checkpoints.h"

namespace convscope::nve {
namespace {

using artifact::CycleChanges;
using artifact::StateValues;

constexpr std::int64_t first_distance = 1024;    // cycles between checkpoints, as long as they are few
constexpr std::int64_t most_outputs = 1 << 27;   // pixels of a strip's outputs that are kept
constexpr std::int64_t polled_cycles = 1 << 14;  // between two looks at the stop token

/// A run in mid-course.
struct Moment {
  TracedSimulator simulator;
  std::vector<PixelOrigin> origins;
};

std::int64_t bytes_of(const Moment& moment) {
  const simulation::LocalBuffer& buffer = moment.simulator.buffer();
  return static_cast<std::int64_t>(sizeof(Moment) + moment.simulator.steps().size() * sizeof(simulation::Step) +
                                   buffer.size() * (sizeof(simulation::BufferWord) + sizeof(std::int64_t)) +
                                   moment.origins.size() * sizeof(PixelOrigin)) +
         moment.simulator.machine().accumulators * static_cast<std::int64_t>(sizeof(simulation::Accumulators));
}

class ProgramTrace : public target::Trace {
 public:
  ProgramTrace(Program program, TraceInput input, std::int64_t checkpoint_bytes)
      : program_(std::move(program)),
        input_(std::move(input)),
        activation_(input_.activation ? *input_.activation : reference::sigmoid_activation(program_.activation_shift)),
        strip_(program_, input_.image, input_.coefficients, input_.strip, input_.border),
        layout_(program_.machine, program_.lane_stride()),
        blocks_(program_, input_.strip),
        given_(program_),
        observer_(blocks_, layout_, program_.machine.pixels_per_word()),
        checkpoints_(checkpoint_bytes, first_distance, [](const Moment& m, const Moment*) { return bytes_of(m); }) {
    host_.supply = [this](const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) {
      strip_.supply(item, repetition, word);
    };
    host_.accept = [](const OutputWord&, std::int64_t, std::span<const std::uint8_t>) {};
    begin();
  }

  /// The whole run once, to lay checkpoints and to learn what comes out and how it ends.
  void run(const std::stop_token& stop) {
    const StripRun& so_far = simulator_->so_far();
    while (!simulator_->ended() && !so_far.hazard) {
      if (so_far.cycles % polled_cycles == 0) throw_if_stopped(stop);
      if (so_far.cycles == checkpoints_.next())
        checkpoints_.keep(so_far.cycles, std::make_unique<const Moment>(Moment{*simulator_, observer_.origins}));
      step();
      if (gives() && !so_far.hazard)
        given_.keep(observer_.given, observer_.column, so_far.cycles - 1, simulator_->result());
    }
    cycles_ = so_far.cycles;
    TracedSimulator last = *simulator_;
    if (!so_far.hazard) last.finish();
    if (const auto& hazard = last.so_far().hazard)
      refusal_ = fmt::format("hazard in cycle {}, address {}, {}: {}", hazard->cycle, hazard->address, hazard->field,
                             hazard->text);
  }

  const artifact::StateSchema& schema() const override { return blocks_.schema; }
  std::int64_t cycles() const override { return cycles_; }
  const std::string& refusal() const override { return refusal_; }
  std::int64_t checkpoint_bytes() const override { return checkpoints_.bytes(); }

  StateValues values(std::int64_t cycle, int block, std::int64_t first, std::int64_t count) const override {
    assert(cycle >= -1 && cycle < cycles_);
    const std::lock_guard lock(mutex_);
    seek(cycle + 1);
    StateValues result;
    if (block == blocks_.state) {
      result.texts.emplace_back(control_state(*simulator_));
      return result;
    }
    const bool image = blocks_.schema.blocks[static_cast<std::size_t>(block)].kind == artifact::StateKind::image;
    for (std::int64_t i = first; i < first + count; ++i)
      result.numbers.push_back(image ? pixel(cycle, block, i) : state_element(*simulator_, blocks_, block, i));
    return result;
  }

  std::vector<artifact::WindowPixel> window(std::int64_t cycle) const override {
    const std::lock_guard lock(mutex_);
    seek(cycle + 1);
    std::vector<artifact::WindowPixel> pixels;
    for (int i = 0; i < layout_.register_pixels(); ++i) {
      const PixelOrigin& origin = observer_.origins[static_cast<std::size_t>(i)];
      if (origin.number < 0 || !simulator_->image().at(i)) continue;
      const Supplied from = supplied(origin.number);
      const StripInput::Place place = strip_.place(*from.item, from.repetition, origin.byte);
      const bool works = i % layout_.stride == 0 && i / layout_.stride < layout_.lanes;
      const int input = strip_.input(*from.item, from.repetition);
      if (input < 0) continue;  // zeros
      pixels.push_back({i, blocks_.inputs[static_cast<std::size_t>(input)], static_cast<std::int32_t>(place.row),
                        static_cast<std::int32_t>(place.column), works ? i / layout_.stride : -1});
    }
    return pixels;
  }

  std::string text(int unit, const CycleChanges& changes) const override {
    const Field field = blocks_.fields[static_cast<std::size_t>(unit)];
    const std::int64_t last = static_cast<std::int64_t>(program_.words.size());
    const std::string own = operation(changes.address, field);
    if (!own.empty()) return own;
    for (std::int64_t next = changes.address + 1; next < last; ++next)
      if (const std::string later = operation(next, field); !later.empty())
        return fmt::format("instruction {} has nothing for it; the next that has is {}: {}", changes.address, next,
                           later);
    return fmt::format("instruction {} has nothing for it, nor has any behind it", changes.address);
  }

  std::string instruction(std::int64_t address) const override {
    std::string line;
    for (const Field field : blocks_.fields)
      if (const std::string text = operation(address, field); !text.empty()) line += (line.empty() ? "" : " | ") + text;
    return line;
  }

 private:
  struct Supplied {
    const StreamWord* item = nullptr;
    std::int64_t repetition = 0;
  };

  void begin() const {
    observer_.origins.assign(observer_.origins.size(), {});
    simulator_.emplace(program_, activation_.table, host_, observer_);
    simulator_->load();
  }

  /// One cycle, heard by the observer.
  void step() const {
    observer_.accesses.clear();
    observer_.column = -1;
    simulator_->run_until(simulator_->so_far().cycles + 1, {});
  }
  /// The cycle gave out pixels of the output.
  bool gives() const { return observer_.column >= 0 && observer_.column < program_.out_width; }

  /// To the moment before a cycle.
  void seek(std::int64_t cycle) const {
    const std::int64_t at = simulator_->so_far().cycles;
    const bool lost = simulator_->so_far().hazard.has_value();
    if (at == cycle && !lost) return;
    const auto [kept, kept_cycle] = checkpoints_.before(cycle);
    if (at > cycle || kept_cycle > at || lost) {
      if (kept != nullptr) {
        simulator_.emplace(kept->simulator);
        observer_.origins = kept->origins;
      } else {
        begin();
      }
    }
    simulator_->run_until(cycle, {});
    observer_.accesses.clear();
  }

  /// Afterwards the simulator stands behind the cycle.
  void tell(std::int64_t cycle, CycleChanges& changes) const override {
    const std::lock_guard lock(mutex_);
    seek(cycle);
    changes.cycle = cycle;
    changes.address = simulator_->next_address();
    changes.iteration = simulator_->position().repeated ? simulator_->position().repetition : -1;
    const int section = simulator_->section();
    step();
    changes.accesses = observer_.accesses;
    if (gives()) add_outputs(changes.accesses);
    if (simulator_->section() != section)
      changes.accesses.push_back({blocks_.state, artifact::AccessKind::write, 0, 1});
    changes.accesses.push_back({blocks_.counters, artifact::AccessKind::write, 0, blocks_.counter_count});
    const Instruction& done = simulator_->steps()[static_cast<std::size_t>(changes.address)].instruction;
    changes.units.resize(blocks_.fields.size());
    for (std::size_t i = 0; i < blocks_.fields.size(); ++i)
      changes.units[i].activity =
          has_operation(done, blocks_.fields[i]) ? artifact::UnitActivity::busy : artifact::UnitActivity::idle;
  }

  /// The pixels that an ACT gave out, one below the other.
  void add_outputs(std::vector<artifact::StateAccess>& accesses) const {
    const int first = given_.first_row(observer_.given);
    const int last = std::min(first + program_.machine.activation_lanes(), program_.rows_per_strip());
    for (std::int64_t row = std::max(0, first); row < last; ++row)
      accesses.push_back({blocks_.outputs[static_cast<std::size_t>(observer_.given.map)], artifact::AccessKind::write,
                          row * program_.out_width + observer_.column, 1});
  }

  std::int64_t pixel(std::int64_t cycle, int block, std::int64_t index) const {
    const std::int64_t columns = blocks_.schema.blocks[static_cast<std::size_t>(block)].columns;
    const std::int64_t row = index / columns, column = index % columns;
    const auto input = std::find(blocks_.inputs.begin(), blocks_.inputs.end(), block);
    if (input == blocks_.inputs.end()) return given_.at(map_of(block), row, column, cycle);
    const int map = program_.inputs[static_cast<std::size_t>(input - blocks_.inputs.begin())];
    return input_.image.at(map, static_cast<int>(row), static_cast<int>(column));
  }

  /// Of the layer, of an output's block.
  int map_of(int block) const {
    const auto position = std::find(blocks_.outputs.begin(), blocks_.outputs.end(), block) - blocks_.outputs.begin();
    return program_.maps[static_cast<std::size_t>(position)].map;
  }

  /// Which word the host supplied as its n-th.
  Supplied supplied(std::int64_t number) const {
    const auto initial = static_cast<std::int64_t>(program_.initial.stream.size());
    const auto head = static_cast<std::int64_t>(program_.repeat.stream.size());
    const auto pass = static_cast<std::int64_t>(program_.pass.stream.size());
    const std::int64_t iteration = head + pass * program_.passes;
    if (number < initial) return {&program_.initial.stream[static_cast<std::size_t>(number)], 0};
    number -= initial;
    if (number >= iteration * program_.iterations)
      return {&program_.final.stream[static_cast<std::size_t>(number - iteration * program_.iterations)], 0};
    const std::int64_t repetition = number / iteration, place = number % iteration;
    const std::int64_t in_pass = place < head ? 0 : 1 + (place - head) / pass;
    const StreamWord& item = place < head ? program_.repeat.stream[static_cast<std::size_t>(place)]
                                          : program_.pass.stream[static_cast<std::size_t>((place - head) % pass)];
    const bool of_pass = item.kind == StreamWord::Kind::unit;
    return {&item, of_pass ? repetition * (std::int64_t{program_.passes} + 1) + in_pass : repetition};
  }

  std::string operation(std::int64_t address, Field field) const {
    if (address < 0 || address >= static_cast<std::int64_t>(program_.words.size())) return {};
    const auto instruction = decode(program_.words[static_cast<std::size_t>(address)], program_.machine);
    return instruction ? field_text(*instruction, field) : std::string();
  }

  const Program program_;
  const TraceInput input_;
  const reference::Activation activation_;
  const StripInput strip_;
  const RegisterLayout layout_;
  const TraceBlocks blocks_;
  GivenOutputs given_;
  Host host_;
  mutable std::mutex mutex_;
  mutable TraceObserver observer_;
  mutable std::optional<TracedSimulator> simulator_;
  target::Checkpoints<Moment> checkpoints_;
  std::int64_t cycles_ = 0;
  std::string refusal_;
};

}  // namespace

std::shared_ptr<const target::Trace> trace_program(Program program, TraceInput input, std::int64_t checkpoint_bytes,
                                                   const std::stop_token& stop, Diagnostics& diagnostics) {
  if (std::string complaint = structure_complaint(program); !complaint.empty()) {
    diagnostics.error({program.name, 0, {}}, std::move(complaint));
    return nullptr;
  }
  if (input.strip >= program.strips()) {
    diagnostics.error({program.name, 0, {}}, fmt::format("there is no strip {}", input.strip),
                      fmt::format("0 to {}", program.strips() - 1));
    return nullptr;
  }
  if (program.cycles_per_strip() > most_traced_cycles) {
    diagnostics.error({program.name, 0, {}}, fmt::format("a strip of {} cycles", program.cycles_per_strip()),
                      fmt::format("at most {} to be traced", most_traced_cycles));
    return nullptr;
  }
  if (GivenOutputs::pixels(program) > most_outputs) {
    diagnostics.error({program.name, 0, {}}, fmt::format("a strip has {} output pixels", GivenOutputs::pixels(program)),
                      fmt::format("at most {} to be traced", most_outputs));
    return nullptr;
  }
  auto trace = std::make_shared<ProgramTrace>(std::move(program), std::move(input), checkpoint_bytes);
  trace->run(stop);
  return trace;
}

}  // namespace convscope::nve
