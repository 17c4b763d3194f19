#include "tests/core/snowflake/tick_simulator.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace convscope::snowflake {
namespace {

constexpr std::int64_t ticks = 16, unit_of_work = 1 << 20, long_ago = -(std::int64_t{1} << 50);

int layer_of(const Program& program, int index) {
  int layer = 0;
  for (const CodeRange& range : program.ranges)
    if (index >= range.first && index < range.first + range.count) layer = range.layer;
  return layer;
}

bool writes_back(const Instruction& instruction) {
  return instruction.opcode != Opcode::vmov && vector_field(instruction.immediate).write_back;
}

std::vector<int> read_registers(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::movi:
      return {};
    case Opcode::mov:
    case Opcode::addi:
    case Opcode::muli:
      return {i.rs1};
    case Opcode::add:
    case Opcode::mul:
    case Opcode::ble:
    case Opcode::bgt:
    case Opcode::beq:
      return {i.rs1, i.rs2};
    case Opcode::ld:
      return {i.rd, i.rs1, i.rs2};
    case Opcode::vmov:
      return {i.rs1, 26};
    case Opcode::mac:
      return writes_back(i) ? std::vector<int>{i.rs1, i.rs2, 26, 27, i.rd} : std::vector<int>{i.rs1, i.rs2, 26};
    case Opcode::max:
      return writes_back(i) ? std::vector<int>{i.rs1, 26, 27, i.rd} : std::vector<int>{i.rs1, 26};
  }
  return {};
}

}  // namespace

TickSimulator::TickSimulator(const Program& program)
    : program_(program),
      machine_(program.machine),
      work_of_byte_(std::llround(static_cast<double>(unit_of_work) / machine_.efficiency)),
      all_rate_(std::llround(machine_.bandwidth / machine_.clock_hz / ticks * unit_of_work)),
      cap_rate_(std::llround(machine_.unit_bandwidth / machine_.clock_hz / ticks * unit_of_work)),
      last_gather_(-machine_.gather) {
  run_.layer_ends.resize(std::max<std::size_t>(1, program.layers.size()));
  for (auto& bank : banks_) bank.resize(static_cast<std::size_t>(machine_.instruction_bank), -1);
  for (int i = 0; i < program.blocks[0].count; ++i)
    banks_[0][static_cast<std::size_t>(i)] = program.blocks[0].first + i;
  unit_end_.fill(long_ago);
}

TickRun TickSimulator::run() {
  for (;; ++tick_) {
    memory_ends();
    release();
    vector_ends();
    vector_starts();
    if (tick_ % ticks == 0 && !halted_) control();
    vector_starts();  // what was issued just now and takes no time to get there
    streams_begin();
    if (idle()) break;
    serve();
  }
  run_.cycles =
      std::max(static_cast<double>(std::max(last_issue_ + 1, last_end_)), static_cast<double>(last_memory_) / ticks);
  return run_;
}

bool TickSimulator::idle() const {
  return halted_ && queue_.empty() && !storing_ &&
         std::ranges::all_of(units_, [](const auto& unit) { return unit.empty(); });
}

void TickSimulator::memory_ends() {
  while (!fifo_.empty() && fifo_.front().work <= 0) {
    run_.layer_ends[static_cast<std::size_t>(fifo_.front().layer)] = tick_;
    const std::int64_t surplus = fifo_.front().work;
    fifo_.pop_front();
    if (!fifo_.empty()) fifo_.front().work += surplus;
    last_memory_ = tick_;
  }
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (units_[u].empty() || units_[u].front().begin < 0 || units_[u].front().work > 0) continue;
    run_.streams.push_back({units_[u].front().begin, tick_, units_[u].front().index});
    units_[u].pop_front();
    unit_end_[u] = last_memory_ = tick_;
  }
  if (fifo_.empty()) storing_ = false;
}

bool TickSimulator::written_later(const Load& load) const {
  const auto touches = [&](const std::set<std::int64_t>& words) {
    const auto word = words.lower_bound(load.dram);
    return word != words.end() && *word < load.dram + load.words;
  };
  return std::ranges::any_of(fifo_, [&](const Stored& stored) { return touches(stored.words); }) ||
         std::ranges::any_of(queue_, [&](const Vector& v) { return v.number < load.number && touches(v.writes); });
}

void TickSimulator::release() {
  for (auto& unit : units_)
    for (Load& load : unit)
      if (load.request < 0 && !written_later(load)) load.request = tick_;
}

void TickSimulator::vector_ends() {
  if (queue_.empty() || queue_.front().start < 0 || (queue_.front().start + queue_.front().cycles) * ticks != tick_)
    return;
  const Vector& v = queue_.front();
  last_end_ = v.start + v.cycles;
  run_.vectors.push_back({v.start, last_end_, v.index});
  if (v.gathers) last_gather_ = last_end_;
  if (!v.writes.empty()) {
    fifo_.push_back({v.writes, v.bytes * work_of_byte_, v.bytes, v.layer});
    storing_ = true;
  }
  queue_.pop_front();
}

std::int64_t TickSimulator::room_needed(const Vector& vector) const {
  std::int64_t work = vector.bytes * work_of_byte_;
  for (const Stored& stored : fifo_) work += stored.work;
  return work;
}

void TickSimulator::vector_starts() {
  if (queue_.empty() || tick_ % ticks != 0) return;
  Vector& v = queue_.front();
  const std::int64_t cycle = tick_ / ticks;
  if (v.start >= 0 || cycle < v.earliest) return;
  for (const auto& unit : units_)
    for (const Load& load : unit)
      if (load.number < v.number &&
          std::ranges::any_of(load.fills, [&](const auto& place) { return v.reads.contains(place); }))
        return;
  if (v.bytes > 0 && room_needed(v) > machine_.store_fifo_bytes * work_of_byte_) return;
  if (v.gathers && cycle + v.cycles < last_gather_ + machine_.gather) return;
  v.start = cycle;
}

void TickSimulator::streams_begin() {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (units_[u].empty()) continue;
    Load& load = units_[u].front();
    if (load.begin >= 0 || load.request < 0) continue;
    if (tick_ < load.request + machine_.load_latency * ticks || tick_ < unit_end_[u] + machine_.load_gap * ticks)
      continue;
    load.begin = tick_;
  }
}

void TickSimulator::serve() {
  std::int64_t active = storing_ ? 1 : 0;
  for (const auto& unit : units_) active += !unit.empty() && unit.front().begin >= 0 ? 1 : 0;
  if (active == 0) return;
  const std::int64_t rate = std::min(cap_rate_, all_rate_ / active);
  if (storing_) fifo_.front().work -= rate;
  // What is over goes to the next results at once.
  for (std::size_t i = 0; i + 1 < fifo_.size() && fifo_[i].work < 0; ++i) {
    fifo_[i + 1].work += fifo_[i].work;
    fifo_[i].work = 0;
  }
  for (auto& unit : units_)
    if (!unit.empty() && unit.front().begin >= 0) unit.front().work -= rate;
}

bool TickSimulator::ready(const Instruction& instruction) const {
  const std::int64_t cycle = tick_ / ticks;
  for (const int source : read_registers(instruction))
    if (readable_[static_cast<std::size_t>(source)] > cycle) return false;
  const bool vector =
      instruction.opcode == Opcode::mac || instruction.opcode == Opcode::max || instruction.opcode == Opcode::vmov;
  if (vector) return queue_.size() < static_cast<std::size_t>(machine_.queue);
  if (instruction.opcode == Opcode::ld)
    return units_[static_cast<std::size_t>(load_field(instruction.immediate)->unit)].size() <
           static_cast<std::size_t>(machine_.loads_per_unit);
  if (instruction.opcode >= Opcode::ble && instruction.opcode <= Opcode::beq && instruction.mode)
    for (const auto& unit : units_)
      for (const Load& load : unit)
        if (load.target == LoadTarget::instructions && load.bank != bank_) return false;
  return true;
}

void TickSimulator::control() {
  const int index = banks_[static_cast<std::size_t>(bank_)][static_cast<std::size_t>(pc_)];
  const Instruction instruction = *decode(program_.code[static_cast<std::size_t>(index)]);
  if (!ready(instruction)) return;
  run_.issues.push_back({tick_ / ticks, index});
  last_issue_ = tick_ / ticks;
  issue(instruction);
  ++number_;
  if (halted_) return;
  ++pc_;
  if (slots_ < 0 || slots_-- > 0) return;
  if (taken_) pc_ = target_;
  if (taken_ && jumps_) bank_ = 1 - bank_;
}

void TickSimulator::issue(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mac:
    case Opcode::max:
    case Opcode::vmov:
      return dispatch(instruction);
    case Opcode::ld:
      return load(instruction);
    case Opcode::ble:
    case Opcode::bgt:
    case Opcode::beq:
      return branch(instruction);
    default:
      return scalar(instruction);
  }
}

void TickSimulator::scalar(const Instruction& i) {
  const auto immediate = static_cast<std::uint32_t>(i.immediate);
  std::uint32_t result = immediate;
  if (i.opcode == Opcode::mov) result = at(i.rs1) << i.rs2;
  if (i.opcode == Opcode::add) result = at(i.rs1) + at(i.rs2);
  if (i.opcode == Opcode::addi) result = at(i.rs1) + immediate;
  if (i.opcode == Opcode::mul) result = at(i.rs1) * at(i.rs2);
  if (i.opcode == Opcode::muli) result = at(i.rs1) * immediate;
  if (i.rd == 0) return;
  at(i.rd) = result;
  readable_[i.rd] = tick_ / ticks + machine_.result_latency;
}

void TickSimulator::branch(const Instruction& i) {
  const bool equal = value(i.rs1) == value(i.rs2), greater = value(i.rs1) > value(i.rs2);
  taken_ = i.opcode == Opcode::beq ? equal : i.opcode == Opcode::bgt ? greater : !greater;
  jumps_ = i.mode;
  target_ = i.mode ? i.immediate : pc_ + i.immediate;
  halted_ = i.opcode == Opcode::beq && !i.mode && i.rs1 == 0 && i.rs2 == 0 && i.immediate == 0;
  slots_ = machine_.delay_slots;
}

void TickSimulator::dispatch(const Instruction& i) {
  Vector v;
  v.instruction = i;
  v.index = run_.issues.back().instruction;
  v.layer = layer_of(program_, v.index);
  v.number = number_;
  v.earliest = tick_ / ticks + (queue_.empty() ? machine_.vector_start : 0);
  const Configuration c = configuration(at(26));
  const bool lanes = i.opcode == Opcode::max || (i.opcode == Opcode::mac && c.lanes);
  const int length = vector_field(i.immediate).length;
  if (i.opcode != Opcode::vmov)
    v.cycles = lanes ? length / machine_.macs : i.mode ? length : (length + machine_.macs - 1) / machine_.macs;
  if (writes_back(i)) {
    v.cycles += machine_.write_back;
    v.gathers = i.opcode == Opcode::mac && !lanes && !i.mode;
    const int words = lanes ? machine_.macs : i.mode ? machine_.vmacs * machine_.macs : machine_.vmacs;
    for (int cu = 0; cu < machine_.cus; ++cu)
      for (int w = 0; w < words && (c.cus >> cu & 1) != 0; ++w) v.writes.insert(value(i.rd) + cu * value(27) + w);
    v.bytes = std::int64_t{std::popcount(static_cast<unsigned>(c.cus))} * words * word_bytes;
  }
  read_buffers(v, c);
  queue_.push_back(v);
}

void TickSimulator::read_buffers(Vector& v, const Configuration& c) {
  const Instruction& i = v.instruction;
  const int m = machine_.macs, length = vector_field(i.immediate).length;
  const auto maps = [&](int cu, std::int64_t word) { v.reads.insert({LoadTarget::maps, cu, 0, word / 512}); };
  const auto kernel = [&](int cu, int vmac, std::int64_t word) {
    v.reads.insert({LoadTarget::kernels, cu, vmac, word / 128});
  };
  for (int cu = 0; cu < machine_.cus; ++cu) {
    if ((c.cus >> cu & 1) == 0) continue;
    if (i.opcode == Opcode::max || (i.opcode == Opcode::mac && c.lanes)) {
      for (int k = 0; k < length / m; ++k)
        for (int j = 0; j < m; ++j) maps(cu, value(i.rs1) + std::int64_t{k} * std::max(1, c.hop) * m + j);
      if (i.opcode == Opcode::mac) kernel(cu, 0, value(i.rs2));
      continue;
    }
    for (int vmac = 0; vmac < machine_.vmacs; ++vmac) {
      if (i.opcode == Opcode::mac) {
        for (int w = 0; w < length; ++w) maps(cu, value(i.rs1) + w);
        for (int w = 0; w < length * (i.mode ? m : 1); ++w) kernel(cu, vmac, value(i.rs2) + w);
      } else if (!i.mode) {
        for (int w = 0; w < (i.immediate == 1 ? 1 : m); ++w) kernel(cu, vmac, value(i.rs1) + w);
      } else {
        const int number = i.immediate == 0 || i.immediate == 3 ? machine_.vmacs * cu + vmac : vmac;
        const int words = i.immediate >= 2 ? m : 1;
        for (int w = 0; w < words; ++w) maps(cu, value(i.rs1) + std::int64_t{words} * number + w);
      }
    }
  }
}

void TickSimulator::load(const Instruction& i) {
  const LoadField field = *load_field(i.immediate);
  Load l;
  l.index = run_.issues.back().instruction;
  l.number = number_;
  l.target = field.target;
  l.bank = 1 - bank_;
  l.dram = value(i.rs1);
  l.words = value(i.rs2);
  l.work = l.words * word_bytes * work_of_byte_ + std::int64_t{machine_.load_cost_bytes} * unit_of_work;
  for (std::int64_t w = 0; w < l.words; ++w) {
    const std::int64_t word = value(i.rd) + w;
    for (int cu = 0; cu < machine_.cus && field.target != LoadTarget::instructions; ++cu)
      if (i.mode || cu == field.cu)
        l.fills.insert(field.target == LoadTarget::maps ? std::tuple{LoadTarget::maps, cu, 0, word / 512}
                                                        : std::tuple{LoadTarget::kernels, cu, field.vmac, word / 128});
    if (field.target != LoadTarget::instructions || w % 2 != 0) continue;
    for (const CodeBlock& block : program_.blocks)
      if (l.dram + w >= block.dram_word && l.dram + w < block.dram_word + 2 * block.count)
        banks_[static_cast<std::size_t>(1 - bank_)][static_cast<std::size_t>(word / 2)] =
            block.first + static_cast<int>((l.dram + w - block.dram_word) / 2);
  }
  if (!written_later(l)) l.request = tick_;
  units_[static_cast<std::size_t>(field.unit)].push_back(l);
}

}  // namespace convscope::snowflake
