#include <algorithm>
#include <optional>

#include "core/nve/architecture/stored_column.h"
#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::memory_fields;
using verification::Report;
using verification::Section;

/// What a buffer word holds, and since when.
struct Content {
  std::int64_t written = 0;
  StreamWord item;
  std::int64_t repetition = 0;
};

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

 private:
  static constexpr std::ptrdiff_t kept = 16;  ///< more than the longest latency
  std::vector<Arrival> arrivals_;
};

/// Walks the unrolled program once. Contents of what is set are compared in repetitions after the first only: before,
/// a rotated kernel works on an iteration that does not exist.
class TimingRule {
 public:
  TimingRule(const Program& program, const std::vector<Instruction>& all, Report& report)
      : program_(program),
        machine_(program.machine),
        column_(program.stored_column()),
        layout_(column_.registers()),
        report_(report),
        all_(all),
        buffer_(static_cast<std::size_t>(machine_.local_buffer_words)) {
    note_lanes();
  }

  void check() {
    for (const Section& section : verification::sections(program_)) {
      const int repetitions = section.repetitions == 1 ? 1 : unrolled(section);
      for (repetition_ = 0; repetition_ < repetitions && report_.count() == 0; ++repetition_) walk(section);
    }
  }

 private:
  /// Enough repetitions for each circular address to come round once, in step with the real end of the loop.
  int unrolled(const Section& section) const {
    const int ring = program_.increment > 0 && program_.toggle > 0 ? program_.toggle / program_.increment : 1;
    const int enough = std::max(ring, 1) + 4;
    if (section.repetitions <= 2 * enough) return section.repetitions;
    return enough + (section.repetitions - enough) % std::max(ring, 1);
  }

  void note_lanes() {
    bool halves[2] = {false, false};
    for (const Section& section : verification::sections(program_))
      for (const OutputWord& item : section.traffic->outputs) halves[item.half != 0] = true;
    first_lane_ = halves[0] ? 0 : machine_.lanes / 2;
    last_lane_ = halves[1] ? machine_.lanes - 1 : machine_.lanes / 2 - 1;
  }

  void walk(const Section& section) {
    steady_ = section.traffic != &program_.initial && (section.repetitions == 1 || repetition_ > 0);
    stream_ = 0;
    for (address_ = section.begin; address_ < section.begin + section.size; ++address_, ++cycle_) {
      const Instruction& instruction = all_[static_cast<std::size_t>(address_)];
      registers(instruction);
      for (MemoryKindOfAccess kind : {MemoryKindOfAccess::write, MemoryKindOfAccess::read})
        for (Field field : memory_fields)
          if (instruction.memory(field).kind == kind) access(section, field, instruction.memory(field));
    }
  }

  // ---- memory

  int address_of(const MemoryField& memory) const {
    if (!memory.circular) return memory.offset + memory.update;
    const std::int64_t moved = memory.update + repetition_ * std::int64_t{program_.increment};
    return memory.offset + static_cast<int>(moved % program_.toggle);
  }

  void access(const Section& section, Field field, const MemoryField& memory) {
    const int word = address_of(memory);
    auto& content = buffer_[static_cast<std::size_t>(word)];
    if (memory.kind == MemoryKindOfAccess::write) {
      content = Content{cycle_, section.traffic->stream[stream_++], repetition_};
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
    if (first->item.index != second->item.index || column(*first) != column(*second) ||
        column_.phase_of(first->item.word) != column_.phase_of(second->item.word))
      fail("IREG",
           fmt::format("set ri finds input {}, column {}, word {} at port A but input {}, column {}, word {} at port B",
                       first->item.index, column(*first), first->item.word, second->item.index, column(*second),
                       second->item.word),
           program_.polyphase ? "two words of one column and phase" : "two words of one column");
  }

  std::int64_t column(const Content& content) const {
    return content.item.column + content.repetition * program_.stride_width;
  }

  /// Half a vector needs fewer words; what the others' port shows does not matter.
  bool needed(int word) const {
    const int first = word * layout_.pixels_per_word, last = first + layout_.pixels_per_word - 1;
    return last >= first_lane_ * layout_.stride && first <= last_lane_ * layout_.stride + column_.largest_span() - 1;
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
  int first_lane_ = 0, last_lane_ = 0;
  std::int64_t cycle_ = 0, repetition_ = 0;
  int address_ = 0;
  std::size_t stream_ = 0;
  bool steady_ = false;
};

}  // namespace

void verification::check_timing(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  Report report(decoded.program, diagnostics);
  TimingRule(decoded.program, decoded.instructions, report).check();
}

void verify_timing(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  Diagnostics others;
  verify_shape(decoded, others);
  verify_fields(decoded, others);
  verify_addresses(decoded, others);
  verify_traffic(decoded, others);
  if (!others.has_errors()) verification::check_timing(decoded, diagnostics);
}

}  // namespace convscope::nve
