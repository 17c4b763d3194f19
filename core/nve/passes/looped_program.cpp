#include "core/nve/passes/looped_program.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/nve/architecture/pass_order.h"
#include "core/nve/passes/insert_writes.h"
#include "core/nve/passes/issue_operation.h"
#include "core/nve/passes/looped_problem.h"
#include "core/schedule/bounds/bounds.h"

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

/// Cycles before the first head: from the read of the last word of coefficients of an iteration that doesn't exist.
struct Start {
  Start(const LoopedShape& shape, const LoopedBody& body, const Window& window, const SchedulingMachine& machine) {
    const LoopedSizes sizes(shape, window, machine);
    foreign = machine.coefficients_per_set() - sizes.last_lead;
    set = -machine.set_to_use - foreign;
    cycles = std::max(body.ahead, machine.read_to_set - set);
    const int pass_words = shape.units * sizes.column_words + sizes.ordered_words;
    writes = sizes.resident_words + 1 + 2 * pass_words;
    // What is read first was written first.
    waits = std::max(0, machine.write_to_read - (writes - pass_words - 1));
  }
  int foreign = 0;  ///< coefficients to use up
  int set = 0;      ///< cycle of its `set rw`
  int cycles = 0, writes = 0, waits = 0;
};

/// Vector operations of the final part: those that move sums out, and as many as register operations were ahead for.
int final_steps(const LoopedShape& shape, const SchedulingMachine& machine) {
  return std::max(2 * shape.maps, machine.set_to_use);
}

int final_cycles(const LoopedShape& shape, const LoopedBody& body, const SchedulingMachine& machine) {
  return body.first + std::max(2 * shape.maps + machine.output_latency, final_steps(shape, machine));
}

class LoopedEmitter {
 public:
  LoopedEmitter(const LoopedShape& shape, const LoopedBody& body, const Window& window,
                const SchedulingMachine& machine)
      : shape_(shape),
        body_(body),
        machine_(machine),
        sizes_(shape, window, machine),
        layout_(shape, window, machine),
        start_(shape, body, window, machine) {}

  Emitted emit(Program program) {
    emitted_.program = std::move(program);
    Program& p = emitted_.program;
    p.prologue_begin = start_.writes + start_.waits;
    p.initial_size = p.prologue_begin + start_.cycles;
    p.pass_size = sizes_.passes > 1 ? body_.pass.length : 0;
    p.passes = sizes_.passes - 1;
    p.repeat_size = body_.head.length + p.pass_size;
    p.final_size = final_cycles(shape_, body_, machine_);
    p.increment = layout_.increment;
    p.toggle = LoopedLayout::slots * layout_.increment;
    instructions_.resize(static_cast<std::size_t>(p.initial_size) + p.repeat_size + p.final_size);
    initial_writes();
    prologue();
    stretch(body_.head, p.initial_size, 0, p.repeat);
    if (p.passes > 0) stretch(body_.pass, p.initial_size + body_.head.length, body_.head.operations.size(), p.pass);
    last();
    for (const Instruction& each : instructions_) p.words.push_back(encode(each, machine_));
    return std::move(emitted_);
  }

 private:
  Instruction& at(int address) { return instructions_[static_cast<std::size_t>(address)]; }
  void note(int address, Field field, int operation, int stage = 0) {
    emitted_.issued.push_back({address, field, operation, stage});
  }

  static MemoryField circular(MemoryKindOfAccess kind, int offset, int update) { return {kind, true, offset, update}; }

  // ---- initial part: words that stay, the last ordered word of the iteration before, and two slots

  void write(const StreamWord& item, const MemoryField& memory) {
    const Field field = write_field(machine_);
    at(next_write_).memory(field) = memory;
    note(next_write_++, field, -1);
    emitted_.program.initial.stream.push_back(item);
  }

  void initial_writes() {
    using Of = StreamWord::Kind;
    const int increment = layout_.increment, each = sizes_.ordered_words, last = each * sizes_.passes - 1;
    const auto wr = MemoryKindOfAccess::write;
    write({Of::ordered, last, 0, 0}, circular(wr, layout_.ordered_offset(each - 1), 2 * increment));
    for (const int slot : {0, 1}) {
      for (int unit = 0; unit < shape_.units; ++unit)
        for (int word = 0; word < sizes_.column_words; ++word)
          write({Of::unit, slot * shape_.units + unit, 0, word},
                circular(wr, layout_.pixel_offset(unit, word), slot * increment));
      for (int word = 0; word < each; ++word)
        write({Of::ordered, slot * each + word, 0, 0}, circular(wr, layout_.ordered_offset(word), slot * increment));
      for (int word = 0; slot == 0 && word < sizes_.resident_words; ++word)
        write({Of::coefficients, word, 0, 0}, {wr, false, word, 0});
    }
  }

  // ---- prologue: what the pass before would have executed, and sums that use up the coefficients before the first
  // bias

  void prologue() {
    const int begin = emitted_.program.initial_size;  // cycle 0
    for (std::size_t i = 0; i < body_.head.operations.size(); ++i)
      if (body_.head.cycles[i] < 0) issue(body_.head, i, begin + static_cast<int>(body_.head.cycles[i]), 0, 0, nullptr);
    const auto rd = MemoryKindOfAccess::read;
    at(begin + start_.set - machine_.read_to_set).mema =
        circular(rd, layout_.ordered_offset(sizes_.ordered_words - 1), 2 * layout_.increment);
    at(begin + start_.set).weight = WeightOperation::set;
    for (int i = 1; i < start_.foreign; ++i) at(begin + start_.set + i).weight = WeightOperation::shift;
    for (int i = 1; i <= start_.foreign; ++i) at(begin - i).vector = VectorOperation::mac;
  }

  // ---- head and pass

  void stretch(const LoopedStretch& stretch, int begin, std::size_t first_operation, SectionTraffic& traffic) {
    for (std::size_t i = 0; i < stretch.operations.size(); ++i) {
      const bool ahead = stretch.cycles[i] < 0;
      if (!ahead) issue(stretch, i, begin + static_cast<int>(stretch.cycles[i]), 0, first_operation, &traffic);
    }
    // Alike whatever comes next.
    for (std::size_t i = 0; i < body_.head.operations.size(); ++i)
      if (body_.head.cycles[i] < 0)
        issue(body_.head, i, begin + stretch.length + static_cast<int>(body_.head.cycles[i]), 1, 0, &traffic);
    outputs(stretch, begin, traffic);
  }

  // ACTs in the order of their cycles.
  void outputs(const LoopedStretch& stretch, int begin, SectionTraffic& traffic) {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < stretch.operations.size(); ++i)
      if (stretch.operations[i].kind == Kind::activate) order.emplace_back(stretch.cycles[i], i);
    std::sort(order.begin(), order.end());
    for (const auto& [cycle, i] : order) {
      const LoopOperation& o = stretch.operations[i];
      activate(begin + static_cast<int>(cycle), o.half);
      note(begin + static_cast<int>(cycle), Field::act, static_cast<int>(i), -1);
      traffic.outputs.push_back({o.map, o.half, -1});
    }
  }

  void activate(int address, int half) {
    at(address).activate = true;
    at(address).half = half;
  }

  void issue(const LoopedStretch& stretch, std::size_t index, int address, int slots_ahead, std::size_t first_operation,
             SectionTraffic* traffic) {
    const LoopOperation& o = stretch.operations[index];
    if (o.kind == Kind::activate) return;
    Instruction& instruction = at(address);
    if (issue_on_registers(o, instruction)) {
      if (o.kind == Kind::mac || o.kind == Kind::set_bias) instruction.accumulator = o.map;
    } else if (o.kind == Kind::read_pixels) {
      instruction.memory(o.field) =
          circular(MemoryKindOfAccess::read, layout_.pixel_offset(o.unit, o.word), slots_ahead * layout_.increment);
    } else if (o.kind == Kind::read_coefficients) {
      instruction.mema = o.column == 1 ? MemoryField{MemoryKindOfAccess::read, false, o.word, 0}
                                       : circular(MemoryKindOfAccess::read, layout_.ordered_offset(o.word),
                                                  slots_ahead * layout_.increment);
    } else {
      issue_write(o, instruction, *traffic);
    }
    note(address, o.field, static_cast<int>(first_operation + index), slots_ahead);
  }

  // Of the slot after the next: writes stand in the order of their cycles.
  void issue_write(const LoopOperation& o, Instruction& instruction, SectionTraffic& traffic) const {
    using Of = StreamWord::Kind;
    const bool pixels = o.unit >= 0;
    const int offset = pixels ? layout_.pixel_offset(o.unit, o.word) : layout_.ordered_offset(o.word);
    instruction.memory(o.field) = circular(MemoryKindOfAccess::write, offset, 2 * layout_.increment);
    if (pixels)
      traffic.stream.push_back({Of::unit, 2 * shape_.units + o.unit, 0, o.word});
    else
      traffic.stream.push_back({Of::ordered, 2 * sizes_.ordered_words + o.word, 0, 0});
  }

  // ---- final part

  // As a head begins: coefficients that were read ahead are used up.
  void last() {
    const Program& p = emitted_.program;
    const int begin = p.initial_size + p.repeat_size + body_.first;
    for (int step = 0; step < final_steps(shape_, machine_); ++step) {
      const bool bias = step % 2 == 0 && step < 2 * shape_.maps;
      at(begin + step).vector = bias ? VectorOperation::set_bias : VectorOperation::mac;
      at(begin + step).accumulator = step / 2 % shape_.maps;
    }
    for (int map = 0; map < shape_.maps; ++map) {
      for (const int half : {0, 1}) {
        activate(begin + 2 * map + machine_.output_latency + half, half);
        emitted_.program.final.outputs.push_back({map, half, -1});
      }
    }
  }

  const LoopedShape& shape_;
  const LoopedBody& body_;
  const SchedulingMachine& machine_;
  LoopedSizes sizes_;
  LoopedLayout layout_;
  Start start_;
  std::vector<Instruction> instructions_;
  Emitted emitted_;
  int next_write_ = 0;
};

Program blank(const LoopedShape& shape, const Window& window, const SchedulingMachine& machine) {
  Program program;
  static_cast<SchedulingMachine&>(program.machine) = machine;
  program.kernel_height = window.kernel_height, program.kernel_width = window.kernel_width;
  program.stride_height = window.stride_height, program.stride_width = window.stride_width;
  program.dilation_height = window.dilation_height, program.dilation_width = window.dilation_width;
  program.polyphase = window.polyphase;
  program.units = shape.units;
  program.lead = shape.lead;
  program.passes = LoopedSizes(shape, window, machine).passes - 1;
  program.inputs.resize(static_cast<std::size_t>(shape.inputs));
  OutputMap map;
  map.inputs.resize(static_cast<std::size_t>(shape.inputs));
  std::iota(map.inputs.begin(), map.inputs.end(), 0);
  program.maps.assign(static_cast<std::size_t>(shape.maps), map);
  return program;
}

// The coefficients that stay: as many as maps, from the lead on.
std::vector<std::vector<Coefficient>> resident_words(const Program& program) {
  const PassOrder order(program);
  const int per_word = program.machine.coefficients_per_set(), maps = static_cast<int>(program.maps.size());
  std::vector<std::vector<Coefficient>> words;
  for (int i = 0; i < maps; ++i) {
    if (i % per_word == 0) words.emplace_back();
    words.back().push_back(order.at(program.lead + i));
  }
  return words;
}

}  // namespace

LoopedLayout::LoopedLayout(const LoopedShape& shape, const Window& window, const SchedulingMachine& machine) {
  const LoopedSizes sizes(shape, window, machine);
  const StoredColumn column = window.column(machine);
  const bool two = machine.memory == MemoryKind::two_banks;
  for (int word = 0; word < sizes.column_words; ++word) {
    bank.push_back(two ? column.port(word) : 0);
    place.push_back(per_unit[bank.back()]++);
  }
  resident = sizes.resident_words;
  coefficients = shape.units * per_unit[0];
  slot[0] = coefficients + sizes.ordered_words;
  slot[1] = shape.units * per_unit[1];
  increment = std::max(slot[0], slot[1]);
  base[0] = resident;
  base[1] = two ? machine.local_buffer_words / 2 : 0;
  capacity[0] = two ? machine.local_buffer_words / 2 : machine.local_buffer_words;
  capacity[1] = two ? machine.local_buffer_words / 2 : 0;
}

bool LoopedLayout::fits() const {
  return used(0) <= capacity[0] && (capacity[1] == 0 || used(1) <= capacity[1]);
}

LoopedCost looped_cost(const LoopedShape& shape, const LoopedBody& body, const Window& window, int columns,
                       const SchedulingMachine& machine) {
  const LoopedSizes sizes(shape, window, machine);
  const Start start(shape, body, window, machine);
  const int around = start.writes + start.waits + start.cycles + final_cycles(shape, body, machine);
  const int further = sizes.passes - 1, pass_words = shape.units * sizes.column_words + sizes.ordered_words;
  return {around + body.head.length + (further > 0 ? body.pass.length : 0),
          around + std::int64_t{columns} * (body.head.length + std::int64_t{further} * body.pass.length),
          start.writes + std::int64_t{columns} * sizes.passes * pass_words};
}

StructureProgram make_looped(const LoopedShape& shape, const Window& window, int activation_shift, int bias_shift,
                             const SchedulingMachine& machine) {
  const auto body = place_looped(shape, window, machine);
  assert(body);
  Program program = blank(shape, window, machine);
  program.activation_shift = activation_shift;
  program.bias_shift = bias_shift;
  program.coefficient_words = resident_words(program);
  StructureProgram result;
  result.passes = LoopedSizes(shape, window, machine).passes;
  const LoopedLayout layout(shape, window, machine);
  for (const int bank : {0, 1}) {
    result.layout.used[bank] = layout.capacity[bank] > 0 ? layout.used(bank) : 0;
    result.layout.capacity[bank] = layout.capacity[bank];
    result.layout.base[bank] = layout.base[bank];
  }
  result.layout.pitch = layout.increment;
  result.layout.columns = LoopedLayout::slots;
  LoopedProblem problem = looped_problem(*body, result.passes > 1, machine);
  result.loop = std::move(problem.loop);
  result.emitted = LoopedEmitter(shape, *body, window, machine).emit(std::move(program));
  for (IssuedOperation& issued : result.emitted.issued)
    if (issued.operation >= 0) issued.operation = problem.number[static_cast<std::size_t>(issued.operation)];
  const std::int64_t interval = result.loop.initiation_interval;
  int resource = -1;
  const std::int64_t bound = schedule::resource_bound(result.loop.problem, &resource);
  result.certificate = schedule::Certificate{interval, bound, schedule::BoundKind::resource, {resource}, {}, {}};
  if (interval > bound)
    result.certificate->reason = "operations stand in the order of the program; others were not tried";
  return result;
}

}  // namespace convscope::nve
