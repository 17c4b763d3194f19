#include "tests/core/nve/architecture_hand_programs.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace convscope::nve::hand {

const char* const one_by_one = R"(; One input, kernel 1x1. Columns lie alternately in words 1-2 and 3-4.
program "by hand"
layer "L"
kernel 1 x 1
output 16 x 4
input 1 x 16 x 4
inputs = 0
map 0 = 0 from 0
coefficients 0 = 0.0 0.1
increment 2
toggle 4
activation_shift 6
; MEMA | MEMB | WREG | IREG | VMAC | ACT
initial:
  wr 0 <- coefficients 0
  wr 1 <- pixels 0 column 0 word 0
  wr 2 <- pixels 0 column 0 word 1
  nop
repeat 4:
  rd 0
  rd 1+0c | rd 2+0c
  wr 1+2c <- pixels 0 column 1 word 0 | | set rw
  wr 2+2c <- pixels 0 column 1 word 1 | | sh rw | set ri 0 | set rb
  | | | | mac
  nop
  | | | | | act 0 -> map 0 column -1
  | | | | | act 1 -> map 0 column -1
final:
  | | | | set rb
  nop
  nop
  | | | | | act 0 -> map 0 column 3
  | | | | | act 1 -> map 0 column 3
)";

const char* const three_by_three = R"(
program "filter"
layer "F"
kernel 3 x 3
output 16 x 5
input 1 x 18 x 7
inputs = 0
map 0 = 0 from 0
coefficients 0 = 0.0 0.1 0.2 -
coefficients 1 = 0.3 0.4 0.5 -
coefficients 2 = 0.6 0.7 0.8 0.9
increment 3
toggle 12
activation_shift 8
initial:
  wr 0 <- coefficients 0
  wr 1 <- coefficients 1
  wr 2 <- coefficients 2
  wr 3 <- pixels 0 column 0 word 0
  wr 4 <- pixels 0 column 0 word 1
  wr 5 <- pixels 0 column 0 word 2
  wr 6 <- pixels 0 column 1 word 0
  wr 7 <- pixels 0 column 1 word 1
  wr 8 <- pixels 0 column 1 word 2
  wr 9 <- pixels 0 column 2 word 0
  wr 10 <- pixels 0 column 2 word 1
  wr 11 <- pixels 0 column 2 word 2
repeat 5:
  rd 0
  rd 3+0c | rd 4+0c
  | rd 5+0c | set rw
  rd 1 | | sh rw | set ri 0 | set rb
  rd 3+3c | rd 4+3c | sh rw | setsh ri | mac
  | rd 5+3c | set rw | sh ri | mac
  rd 2 | | sh rw | set ri 0 | mac | act 0 -> map 0 column -1
  rd 3+6c | rd 4+6c | sh rw | setsh ri | mac | act 1 -> map 0 column -1
  wr 3+9c <- pixels 0 column 3 word 0 | rd 5+6c | set rw | sh ri | mac
  wr 4+9c <- pixels 0 column 3 word 1 | | sh rw | set ri 0 | mac
  wr 5+9c <- pixels 0 column 3 word 2 | | sh rw | setsh ri | mac
  | | sh rw | sh ri | mac
  | | | | mac
final:
  | | | | set rb
  nop
  nop
  | | | | | act 0 -> map 0 column 4
  | | | | | act 1 -> map 0 column 4
)";

Program program(const std::string& text) {
  Diagnostics diagnostics;
  auto parsed = parse_assembly(text, "hand", diagnostics);
  EXPECT_TRUE(parsed) << diagnostics.text();
  return parsed.value_or(Program{});
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << "nothing to replace: " << from;
  std::string out = text;
  return position == std::string::npos ? out : out.replace(position, from.size(), to);
}

namespace {

/// Puts operations into slots and keeps the traffic in their order.
class Builder {
 public:
  Builder(const Machine& machine, int stride) : layout_(machine, stride) {
    program_.machine = machine;
    program_.name = "built";
    program_.layer = "B";
    program_.stride_height = stride;
    program_.stride_width = stride;
    program_.out_height = machine.lanes;
    program_.out_width = 5;
    program_.in_height = (machine.lanes - 1) * stride + 1;
    program_.in_width = 4 * stride + 1;
    program_.inputs = {0};
    program_.maps = {{0, {0}}};
    program_.coefficient_words = {{{0, 0}, {0, 1}}};
    program_.activation_shift = 6;
    program_.iterations = program_.out_width;
    banked_ = machine.memory == MemoryKind::two_banks;
    program_.increment = banked_ ? (layout_.base_words + 1) / 2 : layout_.base_words;
    program_.toggle = 2 * program_.increment;
  }

  Program build() {
    initial();
    repeat();
    final();
    return std::move(program_);
  }

 private:
  Instruction& slot(std::size_t s) {
    if (body_.size() <= s) body_.resize(s + 1);
    return body_[s];
  }
  int address(int word) const {
    if (!banked_) return 1 + word;
    return layout_.port(word) == 0 ? 1 + word / 2 : program_.machine.local_buffer_words / 2 + word / 2;
  }
  MemoryField& write_port(std::size_t s) { return program_.machine.has_write_port() ? slot(s).memw : slot(s).mema; }
  void close(SectionTraffic& to, int& size) {
    to = std::move(traffic_);
    traffic_ = {};
    size = static_cast<int>(body_.size());
    for (const Instruction& instruction : body_) program_.words.push_back(encode(instruction, program_.machine));
    body_.clear();
  }

  void initial() {
    write_port(0) = {MemoryKindOfAccess::write, false, 0, 0};
    traffic_.stream.push_back({StreamWord::Kind::coefficients, 0, 0, 0});
    for (int w = 0; w < layout_.base_words; ++w) {
      write_port(body_.size()) = {MemoryKindOfAccess::write, false, address(w), 0};
      traffic_.stream.push_back({StreamWord::Kind::pixels, 0, 0, w});
    }
    slot(body_.size() + static_cast<std::size_t>(program_.machine.write_to_read) - 1);
    close(program_.initial, program_.initial_size);
    program_.prologue_begin = program_.initial_size;
  }

  void repeat() {
    const Machine& m = program_.machine;
    const auto groups = static_cast<std::size_t>(layout_.groups());
    const auto read_to_set = static_cast<std::size_t>(m.read_to_set), use = static_cast<std::size_t>(m.set_to_use);
    slot(0).mema = {MemoryKindOfAccess::read, false, 0, 0};
    for (std::size_t g = 0; g < groups; ++g) read_group(g);
    slot(read_to_set).weight = WeightOperation::set;
    slot(read_to_set + 1).weight = WeightOperation::shift;
    slot(read_to_set + use).vector = VectorOperation::set_bias;
    slot(read_to_set + groups + use).vector = VectorOperation::mac;
    for (int w = 0; w < layout_.base_words; ++w) {
      write_port(groups + 1 + static_cast<std::size_t>(w)) = {MemoryKindOfAccess::write, true, address(w),
                                                              program_.increment};
      traffic_.stream.push_back({StreamWord::Kind::pixels, 0, program_.stride_width, w});
    }
    activations(read_to_set + use + static_cast<std::size_t>(m.output_latency), -1);
    slot(body_.size() + static_cast<std::size_t>(m.write_to_read));
    close(program_.repeat, program_.repeat_size);
  }

  void read_group(std::size_t g) {
    const int word = static_cast<int>(g) * layout_.words_per_set;
    slot(1 + g).mema = {MemoryKindOfAccess::read, true, address(word), 0};
    if (layout_.words_per_set == 2 && word + 1 < layout_.base_words)
      slot(1 + g).memb = {MemoryKindOfAccess::read, true, address(word + 1), 0};
    Instruction& set = slot(static_cast<std::size_t>(program_.machine.read_to_set) + 1 + g);
    set.image = ImageOperation::set;
    set.image_group = static_cast<int>(g);
  }

  void activations(std::size_t s, int column) {
    for (int half : {0, 1}) {
      slot(s + static_cast<std::size_t>(half)).activate = true;
      slot(s + static_cast<std::size_t>(half)).half = half;
      traffic_.outputs.push_back({0, half, column});
    }
  }

  void final() {
    slot(0).vector = VectorOperation::set_bias;
    activations(static_cast<std::size_t>(program_.machine.output_latency), program_.out_width - 1);
    close(program_.final, program_.final_size);
  }

  Program program_;
  RegisterLayout layout_;
  bool banked_ = false;
  std::vector<Instruction> body_;
  SectionTraffic traffic_;
};

/// Any fixed numbers that leave no symmetry.
std::uint8_t pixel(const Program& program, int input, int row, int column) {
  if (row >= program.in_height || column >= program.in_width) return 0;
  return static_cast<std::uint8_t>((input * 71 + row * 37 + column * 101 + row * column * 13) % 251);
}
std::int16_t coefficient(int map, int ordinal) {
  return static_cast<std::int16_t>((map * 517 + ordinal * 1237 + 300) % 401 - (ordinal == 0 ? 2000 : 200));
}

void supply(const Program& program, const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) {
  std::fill(word.begin(), word.end(), std::uint8_t{0});
  if (item.kind == StreamWord::Kind::pixels) {
    const int column = item.column + static_cast<int>(repetition) * program.stride_width;
    for (std::size_t i = 0; i < word.size(); ++i)
      word[i] = pixel(program, item.index, item.word * static_cast<int>(word.size()) + static_cast<int>(i), column);
    return;
  }
  const auto& places = program.coefficient_words[static_cast<std::size_t>(item.index)];
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].map < 0) continue;
    const auto bits = static_cast<std::uint16_t>(coefficient(places[i].map, places[i].ordinal));
    word[2 * i] = static_cast<std::uint8_t>(bits & 255U);
    word[2 * i + 1] = static_cast<std::uint8_t>(bits >> 8);
  }
}

std::uint8_t expected(const Program& program, int map, int row, int column) {
  std::int32_t sum = coefficient(map, 0);
  const auto& inputs = program.maps[static_cast<std::size_t>(map)].inputs;
  int ordinal = 1;
  for (int input : inputs)
    for (int x = 0; x < program.kernel_width; ++x)
      for (int y = 0; y < program.kernel_height; ++y)
        sum += coefficient(map, ordinal++) *
               pixel(program, input, row * program.stride_height + y, column * program.stride_width + x);
  return activation()[static_cast<std::size_t>(std::clamp(sum >> program.activation_shift, -512, 511) + 512)];
}

}  // namespace

Program build_one_by_one(const Machine& machine, int stride) {
  return Builder(machine, stride).build();
}

Program read_of_the_other_bank() {
  Machine machine;
  machine.memory = MemoryKind::two_banks;
  Program program = build_one_by_one(machine, 1);
  const auto read = static_cast<std::size_t>(program.initial_size) + 1;
  Instruction instruction = *decode(program.words[read], machine);
  std::swap(instruction.mema.offset, instruction.memb.offset);
  program.words[read] = encode(instruction, machine);
  return program;
}

const ActivationTable& activation() {
  static const ActivationTable table = [] {
    ActivationTable entries{};
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<std::uint8_t>(i / 4);
    return entries;
  }();
  return table;
}

Execution execute(const Program& program) {
  Execution execution;
  const auto size = program.maps.size() * static_cast<std::size_t>(program.out_height * program.out_width);
  execution.outputs.resize(size);
  Host host;
  host.supply = [&](const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) {
    supply(program, item, repetition, word);
  };
  host.accept = [&](const OutputWord& item, std::int64_t repetition, std::span<const std::uint8_t> pixels) {
    const bool repeated =
        std::find(program.repeat.outputs.begin(), program.repeat.outputs.end(), item) != program.repeat.outputs.end();
    const int column = item.iteration + (repeated ? static_cast<int>(repetition) : 0);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const int row = item.half * program.machine.activation_lanes() + static_cast<int>(i);
      execution.outputs[static_cast<std::size_t>((item.map * program.out_height + row) * program.out_width + column)] =
          pixels[i];
    }
  };
  execution.run = run_strip(program, activation(), host);
  for (std::size_t map = 0; map < program.maps.size(); ++map)
    for (int row = 0; row < program.out_height; ++row)
      for (int column = 0; column < program.out_width; ++column)
        execution.expected.push_back(expected(program, static_cast<int>(map), row, column));
  return execution;
}

}  // namespace convscope::nve::hand
