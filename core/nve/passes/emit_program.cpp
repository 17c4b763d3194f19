#include "core/nve/passes/emit_program.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/nve/passes/initial_writes.h"
#include "core/nve/passes/insert_writes.h"
#include "core/nve/passes/issue_operation.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

class Emitter {
 public:
  Emitter(const Loop& loop, const Structure& structure, const Window& window,
          const std::vector<std::vector<int>>& packing, const BufferLayout& layout, int peeled,
          const SchedulingMachine& machine)
      : loop_(loop),
        structure_(structure),
        window_(window),
        packing_(packing),
        layout_(layout),
        machine_(machine),
        peeled_(peeled),
        interval_(loop.initiation_interval),
        kernel_begin_(loop.last_cycle() + (peeled - 1) * interval_ + 1),
        leads_(leading_operations()) {
    place_initial_writes();
    start_ = std::min(kernel_begin_, first_cycle());
  }

  /// First cycle: the later, the fewer instructions are executed, peeled or not.
  std::int64_t start() const { return start_; }
  std::int64_t instructions() const { return kernel_begin_ - start_ + interval_; }

  Emitted emit() {
    instructions_.assign(static_cast<std::size_t>(kernel_begin_ - start_ + interval_), Instruction{});
    emit_initial_writes();
    emit_prologue();
    emit_kernel();
    settings();
    for (const Instruction& instruction : instructions_) program().words.push_back(encode(instruction, machine_));
    traffic();
    result_.peeled = peeled_;
    return std::move(result_);
  }

 private:
  Program& program() { return result_.program; }
  int address_of(std::int64_t cycle) const { return static_cast<int>(cycle - start_); }

  // Whether an operation belongs to the word with which the first body begins, if that lies in the iteration before:
  // its load, its shifts, and the vector operations that use up what precedes the first body.
  std::vector<bool> leading_operations() const {
    std::vector<bool> leads(loop_.operations.size(), false);
    if (!packing_.front().empty() && packing_.front().front() == 0) return leads;
    std::size_t last = packing_.size() - 1;
    while (packing_[last].empty()) --last;
    const int map = static_cast<int>(last), position = packing_[last].back();
    for (std::size_t i = 0; i < leads.size(); ++i) {
      const LoopOperation& o = loop_.operations[i];
      const bool kind = o.field == Field::vmac || o.field == Field::wreg || o.kind == Kind::read_coefficients;
      leads[i] = kind && (o.map > map || (o.map == map && o.position >= position));
    }
    return leads;
  }

  // Calls visit(operation, iteration, cycle) for every operation of every iteration that starts before the kernel.
  template <typename Visit>
  void for_each_before_kernel(const Visit& visit) const {
    for (std::size_t i = 0; i < loop_.operations.size(); ++i)
      for (std::int64_t iteration = leads_[i] ? -1 : 0; loop_.cycles[i] + iteration * interval_ < kernel_begin_;
           ++iteration)
        visit(static_cast<int>(i), iteration, loop_.cycles[i] + iteration * interval_);
  }

  std::int64_t first_cycle() const {
    std::int64_t first = initial_.empty() ? INT64_MAX : initial_.begin()->first;
    for_each_before_kernel([&](int, std::int64_t, std::int64_t cycle) { first = std::min(first, cycle); });
    return first;
  }

  void place_initial_writes() {
    std::set<std::int64_t> taken;  // cycles in which the write port is in use
    for_each_before_kernel([&](int operation, std::int64_t, std::int64_t cycle) {
      if (loop_.operations[static_cast<std::size_t>(operation)].field == write_field(machine_)) taken.insert(cycle);
    });
    auto writes = initial_writes(loop_, leads_, structure_, window_, packing_, layout_);
    const auto needed = [&](const InitialWrite& write) {
      return std::min(write.read, kernel_begin_ + machine_.write_to_read);
    };
    std::stable_sort(writes.begin(), writes.end(),
                     [&](const InitialWrite& a, const InitialWrite& b) { return needed(a) > needed(b); });
    for (const InitialWrite& write : writes) {
      std::int64_t cycle = std::min(needed(write) - machine_.write_to_read, kernel_begin_ - 1);
      while (!taken.insert(cycle).second) --cycle;
      initial_.emplace(cycle, write);
    }
  }

  void issue(std::int64_t cycle, int operation, Field field, std::int64_t stage) {
    result_.issued.push_back({address_of(cycle), field, operation, static_cast<int>(stage)});
  }

  Instruction& at(std::int64_t cycle) { return instructions_[static_cast<std::size_t>(cycle - start_)]; }

  void emit_initial_writes() {
    for (const auto& [cycle, write] : initial_) {
      at(cycle).memory(write_field(machine_)) = {MemoryKindOfAccess::write, false, write.address, 0};
      issue(cycle, -1, write_field(machine_), 0);
      stream_[cycle] = write.item;
    }
  }

  void emit_prologue() {
    for_each_before_kernel(
        [&](int operation, std::int64_t iteration, std::int64_t cycle) { put(operation, iteration, cycle, false); });
  }

  // In repetition r, an operation belongs to iteration r + stage.
  void emit_kernel() {
    for (std::size_t i = 0; i < loop_.operations.size(); ++i) {
      const std::int64_t stage = std::max<std::int64_t>(ceil_divide(kernel_begin_ - loop_.cycles[i], interval_), 0);
      put(static_cast<int>(i), stage, loop_.cycles[i] + stage * interval_, true);
    }
  }

  void put(int operation, std::int64_t iteration, std::int64_t cycle, bool repeated) {
    const LoopOperation& o = loop_.operations[static_cast<std::size_t>(operation)];
    Instruction& instruction = at(cycle);
    issue(cycle, operation, o.field, iteration);
    if (issue_on_registers(o, instruction)) return;
    switch (o.kind) {
      case Kind::read_coefficients:
        instruction.memory(o.field) = {MemoryKindOfAccess::read, false, layout_.coefficient_address(o.map, o.word), 0};
        break;
      case Kind::read_pixels:
        instruction.memory(o.field) = pixel_access(o, MemoryKindOfAccess::read, iteration, repeated);
        break;
      case Kind::write_pixels:
        instruction.memory(o.field) = pixel_access(o, MemoryKindOfAccess::write, iteration, repeated);
        stream_[cycle] = {StreamWord::Kind::pixels, o.input, window_.image_column(iteration, o.column), o.word};
        break;
      case Kind::activate:
        instruction.activate = true, instruction.half = o.half;
        outputs_[cycle] = {o.map, o.half, static_cast<int>(iteration)};
        break;
      default:
        break;
    }
  }

  MemoryField pixel_access(const LoopOperation& o, MemoryKindOfAccess kind, std::int64_t iteration,
                           bool repeated) const {
    const int offset = layout_.offset(o.input, o.column, o.word);
    const int update = layout_.update(iteration, o.column);
    if (repeated) return {kind, true, offset, update};
    return {kind, false, offset + update, 0};
  }

  void settings() {
    Program& p = program();
    p.machine = Machine{machine_};
    p.kernel_height = window_.kernel_height, p.kernel_width = window_.kernel_width;
    p.stride_height = window_.stride_height, p.stride_width = window_.stride_width;
    p.polyphase = window_.polyphase;
    p.dilation_height = window_.dilation_height, p.dilation_width = window_.dilation_width;
    p.initial_size = address_of(kernel_begin_);
    p.prologue_begin = std::min(p.initial_size, first_loop_address());
    p.repeat_size = static_cast<int>(interval_);
    p.increment = layout_.increment();
    p.toggle = layout_.toggle();
    for (int input = 0; input < structure_.inputs; ++input) p.inputs.push_back(input);
    for (std::size_t map = 0; map < structure_.maps.size(); ++map)
      p.maps.push_back({static_cast<int>(map), structure_.maps[map]});
    coefficient_words();
  }

  // What precedes the first start lies at the end of the last word.
  void coefficient_words() {
    std::vector<std::vector<Coefficient>>& words = program().coefficient_words;
    std::vector<Coefficient> leading;
    for (std::size_t map = 0; map < structure_.maps.size(); ++map) {
      const std::vector<int> order = coefficient_order(window_, static_cast<int>(structure_.maps[map].size()));
      std::size_t next = 0;
      for (std::size_t position = 0; position < order.size(); ++position) {
        if (next < packing_[map].size() && packing_[map][next] == static_cast<int>(position))
          words.emplace_back(), ++next;
        (words.empty() ? leading : words.back()).push_back({static_cast<int>(map), order[position]});
      }
    }
    words.back().insert(words.back().end(), leading.begin(), leading.end());
  }

  int first_loop_address() const {
    int first = INT32_MAX;
    for (const IssuedOperation& issued : result_.issued)
      if (issued.operation >= 0) first = std::min(first, issued.address);
    return first;
  }

  void traffic() {
    for (const auto& [cycle, item] : stream_)
      (cycle < kernel_begin_ ? program().initial : program().repeat).stream.push_back(item);
    for (const auto& [cycle, item] : outputs_)
      (cycle < kernel_begin_ ? program().initial : program().repeat).outputs.push_back(item);
  }

  const Loop& loop_;
  const Structure& structure_;
  const Window& window_;
  const std::vector<std::vector<int>>& packing_;
  const BufferLayout& layout_;
  const SchedulingMachine& machine_;
  const int peeled_;
  const std::int64_t interval_, kernel_begin_;
  const std::vector<bool> leads_;
  std::int64_t start_ = 0;
  std::map<std::int64_t, InitialWrite> initial_;
  std::map<std::int64_t, StreamWord> stream_;
  std::map<std::int64_t, OutputWord> outputs_;
  std::vector<Instruction> instructions_;
  Emitted result_;
};

}  // namespace

Emitted emit_program(const Loop& loop, const Structure& structure, const Window& window,
                     const std::vector<std::vector<int>>& packing, const BufferLayout& layout, bool peeling,
                     const SchedulingMachine& machine) {
  Emitter as_it_is(loop, structure, window, packing, layout, 0, machine);
  if (peeling) {
    Emitter peeled(loop, structure, window, packing, layout, 1, machine);
    if (peeled.start() > as_it_is.start() && peeled.instructions() <= machine.instruction_buffer_words)
      return peeled.emit();
  }
  return as_it_is.emit();
}

}  // namespace convscope::nve
