#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "core/nve/architecture/pass_order.h"
#include "core/nve/architecture/stored_column.h"
#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_sums.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::Content;
using verification::memory_fields;
using verification::Report;
using verification::Section;
using verification::SumRule;

/// A read that arrives at a port's output.
struct Arrival {
  std::int64_t cycle = 0;
  Content content;
};

/// The latest reads of a port: what its output shows at a given cycle.
class PortHistory {
 public:
  void read(std::int64_t arrives, const Content& content) {
    if (arrivals_.size() == std::size_t{2 * kept}) arrivals_.erase(arrivals_.begin(), arrivals_.begin() + kept);
    arrivals_.push_back({arrives, content});
  }
  const Arrival* output(std::int64_t cycle) const {
    for (auto arrival = arrivals_.rbegin(); arrival != arrivals_.rend(); ++arrival)
      if (arrival->cycle <= cycle) return &*arrival;
    return nullptr;
  }
  template <typename Change>
  void each(const Change& change) {
    for (Arrival& arrival : arrivals_) change(arrival.content);
  }

 private:
  static constexpr std::ptrdiff_t kept = 16;  ///< more than the longest latency
  std::vector<Arrival> arrivals_;
};

/// Walks the unrolled program once. Contents of what is set are compared in repetitions after the first only: before,
/// a rotated kernel works on an iteration that does not exist.
class TimingRule {
 public:
  TimingRule(const Program& program, const std::vector<Instruction>& all, Report& report, Report& wrong_sums)
      : program_(program),
        machine_(program.machine),
        column_(program.stored_column()),
        layout_(column_.registers()),
        report_(report),
        all_(all),
        buffer_(static_cast<std::size_t>(machine_.local_buffer_words)),
        lanes_(lanes(program)),
        words_(program),
        sums_(program, lanes_.first, lanes_.last, wrong_sums) {
    if (program.units > 0) order_.emplace(program);
  }

  void check() {
    const std::vector<Section> sections = verification::sections(program_);
    walk(sections[0]);
    const Section &head = sections[1], &pass = sections[2];
    const int left_out = head.repetitions - unrolled(head);
    for (; repetition_ < head.repetitions && report_.count() == 0; ++repetition_) {
      if (left_out > 0 && repetition_ == enough()) leave_out(left_out);
      if (repetition_ == head.repetitions) break;
      walk(head);
      for (pass_ = 1; pass_ <= program_.passes && report_.count() == 0; ++pass_) walk(pass);
      pass_ = 0;
    }
    repetition_ = 0;
    if (report_.count() == 0) walk(sections[3]);
  }

 private:
  struct Lanes {
    int first = 0, last = 0;  ///< of those that give out results
  };
  static Lanes lanes(const Program& program) {
    bool halves[2] = {false, false};
    for (const Section& section : verification::sections(program))
      for (const OutputWord& item : section.traffic->outputs) halves[item.half != 0] = true;
    const int half = program.machine.lanes / 2;
    return {halves[0] ? 0 : half, halves[1] ? program.machine.lanes - 1 : half - 1};
  }

  /// Passes in which circular addresses go round; without an inner loop, an iteration is one.
  int turns_of_ring() const { return program_.increment > 0 ? std::max(program_.toggle / program_.increment, 1) : 1; }
  /// Iterations after which addresses and iterations begin together.
  int ring() const { return turns_of_ring() / std::gcd(turns_of_ring(), program_.passes + 1); }
  /// Repetitions until each circular address has come round once, and the last of what came before is gone.
  int enough() const {
    const int turns = turns_of_ring() + 4, each = program_.passes + 1;
    return (turns + each - 1) / each + (program_.passes > 0 ? 1 : 0);
  }
  /// Those that are walked, in step with the real end of the loop.
  int unrolled(const Section& section) const {
    if (section.repetitions <= 2 * enough()) return section.repetitions;
    return enough() + (section.repetitions - enough()) % ring();
  }

  /// Goes on as after so many more repetitions, whole rounds of the ring: the same but for the pixels' columns.
  void leave_out(int repetitions) {
    repetition_ += repetitions;
    const std::int64_t columns = std::int64_t{repetitions} * program_.stride_width;
    const auto move_on = [&](Content& content) {
      if (content.repeated) content.column += columns;
    };
    for (auto& content : buffer_)
      if (content) move_on(*content);
    for (PortHistory& port : ports_) port.each(move_on);
    sums_.move_on(columns);
  }

  void walk(const Section& section) {
    steady_ = section.traffic != &program_.initial && (section.repetitions == 1 || repetition_ > 0);
    stream_ = output_ = 0;
    for (address_ = section.begin; address_ < section.begin + section.size; ++address_, ++cycle_) {
      const Instruction& instruction = all_[static_cast<std::size_t>(address_)];
      vectors(section, instruction);
      registers(instruction);
      for (MemoryKindOfAccess kind : {MemoryKindOfAccess::write, MemoryKindOfAccess::read})
        for (Field field : memory_fields)
          if (instruction.memory(field).kind == kind) access(section, field, instruction.memory(field));
    }
  }

  bool repeated(const Section& section) const {
    return section.traffic == &program_.repeat || section.traffic == &program_.pass;
  }

  void vectors(const Section& section, const Instruction& instruction) {
    const OutputWord* output = instruction.activate ? &section.traffic->outputs[output_++] : nullptr;
    const std::int64_t column = output != nullptr ? output->iteration + repetition_ : 0;
    sums_.execute(cycle_, address_, instruction, output, column);
    if (instruction.weight == WeightOperation::none && instruction.image == ImageOperation::none) return;
    const Arrival *a = ports_[0].output(cycle_), *b = ports_[1].output(cycle_);
    sums_.issue(instruction, a != nullptr ? &a->content : nullptr, b != nullptr ? &b->content : nullptr);
  }

  /// Times that the pointers of circular addresses moved on; passes of the iterations before and of this one.
  std::int64_t turn() const { return repetition_ * (std::int64_t{program_.passes} + 1) + pass_; }

  Content brought(const StreamWord& item, bool repeated) const {
    if (!item.holds_pixels()) {
      const StreamWord word{StreamWord::Kind::coefficients, words_.number(item, turn()), 0, 0};
      return {cycle_, word, 0, repeated};
    }
    if (item.kind == StreamWord::Kind::pixels)
      return {cycle_, item, item.column + repetition_ * program_.stride_width, repeated};
    const PassOrder::Unit unit = order_->unit(item, turn());
    return {cycle_, {StreamWord::Kind::pixels, unit.input, 0, item.word}, order_->column(unit), repeated};
  }

  // ---- memory

  int address_of(const MemoryField& memory) const {
    if (!memory.circular) return memory.offset + memory.update;
    const std::int64_t moved = memory.update + turn() * program_.increment;
    return memory.offset + static_cast<int>(moved % program_.toggle);
  }

  void access(const Section& section, Field field, const MemoryField& memory) {
    const int word = address_of(memory);
    auto& content = buffer_[static_cast<std::size_t>(word)];
    if (memory.kind == MemoryKindOfAccess::write) {
      content = brought(section.traffic->stream[stream_++], repeated(section));
      return;
    }
    if (!content)
      return fail(field_name(field), fmt::format("reads word {}, which was never written", word), "a write before");
    if (cycle_ - content->written < machine_.write_to_read)
      return fail(field_name(field),
                  fmt::format("reads word {} {} cycles after its write", word, cycle_ - content->written),
                  fmt::format("at least {} cycles", machine_.write_to_read));
    ports_[field == Field::memb].read(cycle_ + machine_.read_to_set, *content);
  }

  // ---- registers

  void registers(const Instruction& instruction) {
    if (instruction.weight == WeightOperation::set) set_weight();
    if (instruction.image == ImageOperation::set) set_image(instruction.image_group * layout_.words_per_set);
    if (instruction.image == ImageOperation::set_shift) set_word(layout_.base_words, machine_.has_port_b());
  }

  void set_weight() {
    const Arrival* arrival = arrived("WREG", false);
    if (!arrival || !steady_ || arrival->content.item.kind == StreamWord::Kind::coefficients) return;
    fail("WREG", "set rw finds a word of pixels: its coefficients were replaced or not read", "coefficients");
  }

  void set_image(int word) {
    const Content* first = set_word(word, false);
    if (layout_.words_per_set < 2 || word + 1 >= layout_.base_words) return;
    const Content* second = set_word(word + 1, true);
    if (!first || !second || !needed(word) || !needed(word + 1) || !steady_) return;
    if (first->item.index != second->item.index || first->column != second->column ||
        column_.phase_of(first->item.word) != column_.phase_of(second->item.word))
      fail("IREG",
           fmt::format("set ri finds input {}, column {}, word {} at port A but input {}, column {}, word {} at port B",
                       first->item.index, first->column, first->item.word, second->item.index, second->column,
                       second->item.word),
           program_.polyphase ? "two words of one column and phase" : "two words of one column");
  }

  /// Half a vector needs fewer words; what the others' port shows does not matter.
  bool needed(int word) const {
    const int first = word * layout_.pixels_per_word, last = first + layout_.pixels_per_word - 1;
    return last >= lanes_.first * layout_.stride && first <= lanes_.last * layout_.stride + column_.largest_span() - 1;
  }

  const Content* set_word(int word, bool port_b) {
    const Arrival* arrival = arrived("IREG", port_b);
    if (!arrival || !steady_ || !needed(word)) return arrival ? &arrival->content : nullptr;
    const StreamWord& item = arrival->content.item;
    const char* part = program_.polyphase ? "phase" : "column";
    if (item.kind != StreamWord::Kind::pixels)
      fail("IREG", "finds coefficients: its pixels were replaced or not read", "pixels");
    else if (column_.place(item.word) != word)
      fail("IREG", fmt::format("finds word {} of a {}", column_.place(item.word), part), fmt::format("word {}", word));
    return &arrival->content;
  }

  const Arrival* arrived(const char* field, bool port_b) {
    const Arrival* arrival = ports_[port_b].output(cycle_);
    if (!arrival)
      fail(field, fmt::format("port {} holds no word", port_b ? 'B' : 'A'),
           fmt::format("a read at least {} cycles before", machine_.read_to_set));
    return arrival;
  }

  void fail(const std::string& field, const std::string& what, const std::string& expected) {
    report_.at(address_, field, fmt::format("{} (cycle {})", what, cycle_), expected);
  }

  const Program& program_;
  const Machine& machine_;
  StoredColumn column_;
  const RegisterLayout& layout_;
  Report& report_;
  const std::vector<Instruction>& all_;
  std::vector<std::optional<Content>> buffer_;
  PortHistory ports_[2];
  Lanes lanes_;
  CoefficientSource words_;
  std::optional<PassOrder> order_;
  SumRule sums_;
  std::int64_t cycle_ = 0, repetition_ = 0, pass_ = 0;
  int address_ = 0;
  std::size_t stream_ = 0, output_ = 0;
  bool steady_ = false;
};

}  // namespace

void verification::check_timing(const DecodedProgram& decoded, Diagnostics& late, Diagnostics& wrong_sums) {
  Diagnostics sums_found;
  Report timing(decoded.program, late), sums(decoded.program, sums_found);
  TimingRule(decoded.program, decoded.instructions, timing, sums).check();
  if (timing.count() == 0) wrong_sums.append(sums_found);
}

namespace {

/// The other rules find nothing.
bool may_be_walked(const DecodedProgram& decoded) {
  Diagnostics others;
  for (const auto rule : {verify_shape, verify_fields, verify_addresses, verify_traffic, verify_coefficients})
    rule(decoded, others);
  return !others.has_errors();
}

}  // namespace

void verify_timing(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  Diagnostics sums;
  if (may_be_walked(decoded)) verification::check_timing(decoded, diagnostics, sums);
}

void verify_sums(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  Diagnostics timing;
  if (may_be_walked(decoded)) verification::check_timing(decoded, timing, diagnostics);
}

}  // namespace convscope::nve
