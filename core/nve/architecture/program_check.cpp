#include "core/nve/architecture/program_check.h"

#include <fmt/format.h>

#include "core/nve/architecture/pass_order.h"

namespace convscope::nve {
namespace {

constexpr int largest_column_words = 1024;

class ProgramCheck {
 public:
  ProgramCheck(const Program& program, const std::string& file, Diagnostics& diagnostics)
      : program_(program), file_(file), diagnostics_(diagnostics) {}

  bool all() {
    layer();
    if (ok_) maps();
    if (ok_) coefficients();
    if (ok_) settings();
    if (ok_) inner_loop();
    if (ok_) instructions();
    return ok_;
  }

 private:
  void fail(const std::string& element, const std::string& what, const std::string& expected) {
    diagnostics_.error({file_, 0, element}, what, expected);
    ok_ = false;
  }
  void range(const std::string& element, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) fail(element, fmt::format("{}", value), fmt::format("{} to {}", low, high));
  }
  static std::int64_t last(std::size_t size) { return static_cast<std::int64_t>(size) - 1; }

  void layer() {
    range("kernel height", program_.kernel_height, 1, largest_kernel);
    range("kernel width", program_.kernel_width, 1, largest_kernel);
    range("vertical stride", program_.stride_height, 1, largest_stride);
    range("horizontal stride", program_.stride_width, 1, largest_stride);
    range("vertical dilation", program_.dilation_height, 1, program_.polyphase ? 1 : largest_kernel);
    range("horizontal dilation", program_.dilation_width, 1, largest_kernel);
    range("padding above", program_.padding_top, 0, largest_size);
    range("padding on the left", program_.padding_left, 0, largest_size);
    range("output height", program_.out_height, 1, largest_size);
    range("output width", program_.out_width, 1, largest_size);
    range("input maps", program_.in_maps, 1, largest_size);
    range("input height", program_.in_height, 1, largest_size);
    range("input width", program_.in_width, 1, largest_size);
    for (int input : program_.inputs) range("inputs", input, 0, program_.in_maps - 1);
  }

  void maps() {
    for (std::size_t m = 0; m < program_.maps.size(); ++m) {
      range(fmt::format("map {}", m), program_.maps[m].map, 0, largest_size);
      for (int input : program_.maps[m].inputs) range(fmt::format("map {}", m), input, 0, last(program_.inputs.size()));
    }
  }

  void coefficients() {
    for (std::size_t w = 0; w < program_.coefficient_words.size() && ok_; ++w) {
      const std::string element = fmt::format("coefficient word {}", w);
      const auto& word = program_.coefficient_words[w];
      if (last(word.size()) >= program_.machine.coefficients_per_word())
        fail(element, fmt::format("{} coefficients", word.size()),
             fmt::format("at most {}", program_.machine.coefficients_per_word()));
      for (const Coefficient& coefficient : word) {
        range(element, coefficient.map, -1, last(program_.maps.size()));
        range(element, coefficient.ordinal, 0, coefficient.map < 0 ? 0 : std::int64_t{largest_size} * largest_kernel);
      }
    }
  }

  void settings() {
    range("initial size", program_.initial_size, 0, last(program_.words.size()) + 1);
    range("prologue begin", program_.prologue_begin, 0, program_.initial_size);
    range("repeat size", program_.repeat_size, 0, last(program_.words.size()) + 1);
    range("final size", program_.final_size, 0, last(program_.words.size()) + 1);
    range("iterations", program_.iterations, 0, largest_size);
    range("increment", program_.increment, 0, program_.machine.local_buffer_words);
    range("toggle", program_.toggle, 0, program_.machine.local_buffer_words);
    range("activation shift", program_.activation_shift, 0, 31);
    range("bias shift", program_.bias_shift, 0, program_.machine.bias_shift);
    const std::int64_t sum = std::int64_t{program_.initial_size} + program_.repeat_size + program_.final_size;
    range("sum of the sections' sizes", sum, last(program_.words.size()) + 1, last(program_.words.size()) + 1);
  }

  void inner_loop() {
    const bool looped = program_.passes != 0 || program_.pass_size != 0;
    if ((looped || program_.units != 0) && program_.machine.loop == InnerLoop::off)
      return fail("passes, units", "the machine has no inner loop", "none, or the machine's parameter loop on");
    range("passes", program_.passes, looped ? 1 : 0, looped ? largest_size : 0);
    range("head size", program_.head_size(), 0, program_.repeat_size - (looped ? 1 : 0));
    range("units", program_.units, 0, largest_units);
    range("lead", program_.lead, 0, program_.units > 0 ? largest_size : 0);
    if (!ok_) return;
    range("cycles of an iteration", looped ? program_.cycles_per_iteration() : 0, 0, longest_iteration);
    if (program_.units == 0) return;
    if (const std::string complaint = pass_order_complaint(program_); !complaint.empty()) fail("units", complaint, "");
  }

  void instructions() {
    section("initial", program_.initial, 0, program_.initial_size);
    section("repeat", program_.repeat, program_.initial_size, program_.head_size());
    section("pass", program_.pass, program_.initial_size + program_.head_size(), program_.pass_size);
    section("final", program_.final, program_.initial_size + program_.repeat_size, program_.final_size);
  }

  void section(const std::string& name, const SectionTraffic& traffic, int begin, int size) {
    std::size_t writes = 0, outputs = 0;
    for (int address = begin; address < begin + size; ++address) {
      std::string error;
      const auto instruction = decode(program_.words[static_cast<std::size_t>(address)], program_.machine, &error);
      if (!instruction) {
        fail(fmt::format("instruction {}", address), error, "an encoded instruction of this machine");
        continue;
      }
      for (Field field : {Field::mema, Field::memb, Field::memw})
        writes += instruction->memory(field).kind == MemoryKindOfAccess::write;
      if (!instruction->activate) continue;
      if (outputs < traffic.outputs.size())
        range(fmt::format("half of the output of instruction {}", address), traffic.outputs[outputs].half,
              instruction->half, instruction->half);
      ++outputs;
    }
    count(name + " stream", traffic.stream.size(), writes, "write");
    count(name + " outputs", traffic.outputs.size(), outputs, "ACT");
    for (const StreamWord& item : traffic.stream) stream_word(name + " stream", item);
    for (const OutputWord& item : traffic.outputs) {
      range(name + " outputs", item.map, 0, last(program_.maps.size()));
      range(name + " outputs", item.iteration, -largest_size, largest_size);
    }
  }

  void count(const std::string& element, std::size_t items, std::size_t operations, const char* operation) {
    if (items != operations)
      fail(element, fmt::format("{} items", items), fmt::format("{}, one for each {}", operations, operation));
  }

  void stream_word(const std::string& element, const StreamWord& item) {
    const bool pixels = item.kind == StreamWord::Kind::pixels;
    const bool of_pass = item.kind == StreamWord::Kind::unit || item.kind == StreamWord::Kind::ordered;
    if (of_pass && program_.units == 0)
      return fail(element, "a unit or ordered word, but a pass has no units", "units 1 or more");
    range(element, item.index, 0,
          of_pass ? largest_size : last(pixels ? program_.inputs.size() : program_.coefficient_words.size()));
    range(element, item.column, pixels ? -largest_size : 0, pixels ? largest_size : 0);
    range(element, item.word, 0, item.holds_pixels() ? largest_column_words : 0);
  }

  const Program& program_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  bool ok_ = true;
};

}  // namespace

bool check_program(const Program& program, const std::string& file, Diagnostics& diagnostics) {
  return ProgramCheck(program, file, diagnostics).all();
}

}  // namespace convscope::nve
