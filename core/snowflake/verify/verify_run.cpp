#include "core/snowflake/verify/verify_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/snowflake/verify/verify_loads.h"
#include "core/snowflake/verify/verify_vectors.h"

namespace convscope::snowflake::verification {
namespace {

constexpr std::int64_t steps_between_polls = 1 << 16;

std::int32_t wrapped(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

/// Finds out that nothing changes any more (Brent's method): compares with a state that is renewed ever more rarely.
class EndlessLoop {
 public:
  /// Control comes to an instruction by a branch; true if it was there before in the same state.
  bool returns_to(int address, std::int64_t bank_version, const Registers& values) {
    if (address == address_ && bank_version == bank_version_ && values == values_) return true;
    if (++branches_ < renewal_) return false;
    renewal_ *= 2;
    address_ = address;
    bank_version_ = bank_version;
    values_ = values;
    return false;
  }

 private:
  int address_ = -1;
  std::int64_t bank_version_ = 0, branches_ = 0, renewal_ = 64;
  Registers values_{};
};

class Runner {
 public:
  Runner(const Program& program, const std::vector<Operation>& code, const VerifyLimits& limits,
         const std::stop_token& stop, Report& report)
      : program_(program),
        code_(code),
        limits_(limits),
        stop_(stop),
        report_(report),
        loads_(program, report),
        vectors_(program, loads_, report),
        block_of_(code.size(), -1) {
    for (std::size_t i = 0; i < program.blocks.size(); ++i)
      for (int k = 0; k < program.blocks[i].count; ++k)
        block_of_[static_cast<std::size_t>(program.blocks[i].first + k)] = static_cast<int>(i);
  }

  VerifiedRun run() {
    enter(0, program_.blocks.front().first);
    while (going_) step();
    if (halted_) check_outputs();
    return {false, steps_, vectors_.count, loads_.loads, jumps_};
  }

 private:
  const Operation& at(int address) const { return code_[static_cast<std::size_t>(address)]; }

  void enter(int block, int address) {
    end_ =
        program_.blocks[static_cast<std::size_t>(block)].first + program_.blocks[static_cast<std::size_t>(block)].count;
    address_ = address;
  }

  void step() {
    if (address_ >= end_) return runs_off();
    const Operation& operation = at(address_);
    ++steps_;
    if (operation.halt) return halt();
    if (operation.branch) return branch(operation);
    perform(address_++, operation);
  }

  void halt() {
    halted_ = true;
    going_ = false;
  }

  void runs_off() {
    report_.at(address_ - 1, Rule::runs_off, "control runs past the block's last instruction",
               "a jump to the other bank, or a halt, before it");
    going_ = false;
  }

  void perform(int address, const Operation& operation) {
    switch (operation.opcode) {
      case Opcode::mac:
      case Opcode::max:
      case Opcode::vmov:
        return vectors_.run(address, operation, values_);
      case Opcode::ld:
        return loads_.run({address, operation.load, operation.mode, values_[operation.rd], values_[operation.rs1],
                           values_[operation.rs2]},
                          vectors_.count);
      default:
        compute(operation);
    }
  }

  /// Numbers wrap around at 32 bits.
  void compute(const Operation& operation) {
    const auto a = static_cast<std::uint32_t>(values_[operation.rs1]);
    const auto b = static_cast<std::uint32_t>(values_[operation.rs2]);
    const auto immediate = static_cast<std::uint32_t>(operation.immediate);
    std::int32_t& result = values_[operation.rd];
    switch (operation.opcode) {
      case Opcode::mov:
        result = wrapped(a << operation.rs2);
        break;
      case Opcode::movi:
        result = operation.immediate;
        break;
      case Opcode::add:
        result = wrapped(a + b);
        break;
      case Opcode::addi:
        result = wrapped(a + immediate);
        break;
      case Opcode::mul:
        result = wrapped(a * b);
        break;
      default:
        result = wrapped(a * immediate);
        break;
    }
    values_[0] = 0;
  }

  bool taken(const Operation& operation) const {
    const std::int32_t a = values_[operation.rs1], b = values_[operation.rs2];
    if (operation.opcode == Opcode::ble) return a <= b;
    return operation.opcode == Opcode::bgt ? a > b : a == b;
  }

  void branch(const Operation& operation) {
    const int from = address_++;
    if (!taken(operation)) {
      if (operation.mode) not_taken(from);
      return;
    }
    for (int slot = 0; slot < program_.machine.delay_slots; ++slot) perform(address_ + slot, at(address_ + slot));
    steps_ += program_.machine.delay_slots;
    if (operation.mode)
      jump(from, operation.immediate);
    else
      address_ = from + operation.immediate;
    check_progress(from);
  }

  void not_taken(int address) {
    report_.at(address, Rule::jump_not_taken, "a jump to the other bank whose condition doesn't hold",
               "a condition that always holds, such as BEQ r0, r0");
    going_ = false;
  }

  void jump(int from, int word) {
    const int instruction = loads_.banks.at(word);
    const int block = instruction < 0 ? -1 : block_of_[static_cast<std::size_t>(instruction)];
    if (block < 0 || !whole(block, word, instruction)) {
      report_.at(from, Rule::jump_unloaded,
                 fmt::format("jump to word {} of a bank that holds no whole block there", word),
                 "LDs of all of the block's instructions before the jump");
      going_ = false;
      return;
    }
    ++jumps_;
    loads_.work += program_.blocks[static_cast<std::size_t>(block)].count / 8;
    loads_.jumped();
    enter(block, instruction);
  }

  /// Instructions, and what loads and traces took beyond one step.
  std::int64_t work() const { return steps_ + loads_.work + loads_.memory.work + vectors_.work; }

  /// Whether the idle bank holds all of a block around one of its instructions.
  bool whole(int block, int word, int instruction) const {
    const CodeBlock& loaded = program_.blocks[static_cast<std::size_t>(block)];
    const int start = word - (instruction - loaded.first);
    if (start < 0 || start + loaded.count > program_.machine.instruction_bank) return false;
    for (int i = 0; i < loaded.count; ++i)
      if (loads_.banks.at(start + i) != loaded.first + i) return false;
    return true;
  }

  void check_progress(int from) {
    if (work() >= next_poll_) {
      throw_if_stopped(stop_);
      next_poll_ = work() + steps_between_polls;
    }
    if (endless_.returns_to(address_, loads_.bank_version, values_)) {
      report_.at(from, Rule::endless_loop, "a branch that comes back again and again with the same registers",
                 "a loop that counts");
      going_ = false;
    } else if (work() > limits_.steps) {
      report_.at(from, Rule::step_budget, fmt::format("still running after {} instructions", steps_),
                 fmt::format("a halt within {} steps of checking", limits_.steps));
      going_ = false;
    }
    going_ = going_ && !report_.full();
  }

  /// Each channel of each pixel of the network's outputs.
  void check_outputs() {
    for (std::size_t i = 0; i < program_.layers.size(); ++i) {
      const MapsPlace& out = program_.layers[i].out;
      if (out.region < 0 || out.region >= static_cast<int>(program_.regions.size())) continue;
      const Region& region = program_.regions[static_cast<std::size_t>(out.region)];
      if (region.kind == RegionKind::output) check_output(program_.layers[i], region);
      if (loads_.work > limits_.steps)
        return report_.error("program", Rule::step_budget, "outputs of too many pixels",
                             fmt::format("{} steps of checking at most", limits_.steps));
    }
  }
  void check_output(const ProgramLayer& layer, const Region& region) {
    loads_.work += std::int64_t{layer.out.height} * layer.out.width;
    for (int y = 0; y < layer.out.height; ++y)
      for (int x = 0; x < layer.out.width; ++x) {
        const std::int64_t pixel =
            region.first_word + layer.out.offset + (std::int64_t{y} * layer.out.width + x) * layer.out.pitch;
        if (loads_.memory.holds(region, pixel, layer.out.channels)) continue;
        return report_.error(fmt::format("layer '{}'", layer.name), Rule::output_missing,
                             fmt::format("nothing writes channel {} of the output's row {}, column {}",
                                         loads_.memory.first_missing(region, pixel, layer.out.channels) - pixel, y, x),
                             "all of the output before the halt");
      }
  }

  const Program& program_;
  const std::vector<Operation>& code_;
  const VerifyLimits& limits_;
  const std::stop_token& stop_;
  Report& report_;
  Loads loads_;
  Vectors vectors_;
  EndlessLoop endless_;
  std::vector<int> block_of_;
  Registers values_{};
  int address_ = 0, end_ = 0;
  std::int64_t steps_ = 0, jumps_ = 0, next_poll_ = steps_between_polls;
  bool going_ = true, halted_ = false;
};

}  // namespace

VerifiedRun run_code(const Program& program, const std::vector<Operation>& code, const VerifyLimits& limits,
                     const std::stop_token& stop, Report& report) {
  return Runner(program, code, limits, stop, report).run();
}

}  // namespace convscope::snowflake::verification
