#include "core/nve/verify/verify_sums.h"

#include <algorithm>
#include <utility>

namespace convscope::nve::verification {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

SumRule::SumRule(const Program& program, int first_lane, int last_lane, Report& report)
    : program_(program),
      column_(program.stored_column()),
      layout_(column_.registers()),
      first_lane_(first_lane),
      last_lane_(last_lane),
      report_(report),
      image_(at(layout_.base_words) + 1),
      words_(program),
      current_(at(program.machine.accumulators)) {
  std::size_t coefficients = 0;
  for (const OutputMap& map : program.maps) {
    first_of_map_.push_back(coefficients);
    coefficients += 1 + map.inputs.size() * at(program.kernel_width) * at(program.kernel_height);
  }
  used_by_.assign(coefficients, 0);
}

void SumRule::execute(std::int64_t cycle, int address, const Instruction& instruction, const OutputWord* output,
                      std::int64_t output_column) {
  cycle_ = cycle;
  address_ = address;
  for (; !pending_.empty() && pending_.front().cycle + program_.machine.set_to_use <= cycle; pending_.pop_front())
    apply(pending_.front());
  vector_ = instruction.accumulator;
  if (instruction.vector == VectorOperation::set_bias) set_bias();
  if (instruction.vector == VectorOperation::mac) multiply();
  while (finished_.size() > 1 && finished_[1].visible <= cycle) finished_.pop_front();
  if (output != nullptr && output_column >= 0 && output_column < program_.out_width) give_out(*output, output_column);
}

void SumRule::issue(const Instruction& instruction, const Content* port_a, const Content* port_b) {
  const auto loaded = [](const Content* content) { return content == nullptr ? Loaded{} : Loaded{true, *content}; };
  pending_.push_back(
      {cycle_, instruction.weight, instruction.image, instruction.image_group, loaded(port_a), loaded(port_b)});
}

void SumRule::move_on(std::int64_t columns) {
  right_vector_ = {};
  for (Registers& operations : pending_) {
    operations.a.move_on(columns);
    operations.b.move_on(columns);
  }
  for (ImageWord& word : image_) word.loaded.move_on(columns);
  for (Sum& sum : current_)
    if (sum.repeated) sum.column += columns;
  for (Sum& sum : finished_)
    if (sum.repeated) sum.column += columns;
}

// ---- registers

void SumRule::apply(const Registers& operations) {
  if (operations.weight == WeightOperation::set) {
    const bool coefficients = operations.a.valid && operations.a.content.item.kind == StreamWord::Kind::coefficients;
    weight_word_ = coefficients ? operations.a.content.item.index : -1;
    weight_place_ = 0;
  }
  if (operations.weight == WeightOperation::shift) ++weight_place_;
  if (operations.image == ImageOperation::none) return;
  right_vector_ = {};
  if (operations.image == ImageOperation::set) return set_group(operations);
  if (operations.image == ImageOperation::set_shift) {
    const std::int64_t late = shifts_ - image_.front().set_at;
    if (late == 0)
      image_.back() = {program_.machine.has_port_b() ? operations.b : operations.a, shifts_};
    else
      spoiled_from_ = std::min(spoiled_from_, layout_.base_words * layout_.pixels_per_word + late);
  }
  ++shifts_;
}

void SumRule::set_group(const Registers& operations) {
  const int word = operations.group * layout_.words_per_set;
  image_[at(word)] = {operations.a, shifts_};
  if (layout_.words_per_set == 2 && word + 1 < layout_.base_words) image_[at(word + 1)] = {operations.b, shifts_};
  image_.back() = {};  // it belonged to the vector before
  spoiled_from_ = nowhere;
}

// The head of rw; nothing if there is none, or a place of a word that holds no coefficient. Programs with units have
// zeros there, which change no sum: they come without a map.
std::optional<Coefficient> SumRule::head() const {
  if (weight_word_ < 0 || weight_place_ >= program_.machine.coefficients_per_set()) return std::nullopt;
  const Coefficient coefficient = words_.at(weight_word_, weight_place_);
  if (coefficient.map < 0 && program_.units == 0) return std::nullopt;
  return coefficient;
}

// ---- sums

std::string SumRule::name(const Coefficient& coefficient) const {
  return coefficient.ordinal == 0 ? fmt::format("the bias of map {}", coefficient.map)
                                  : fmt::format("coefficient {} of map {}", coefficient.ordinal, coefficient.map);
}

void SumRule::flaw(std::string text) {
  Sum& sum = current();
  if (!sum.flaw.empty()) return;
  sum.flaw = std::move(text);
  sum.flaw_cycle = cycle_;
  sum.flaw_address = address_;
}

void SumRule::set_bias() {
  Sum& sum = current();
  sum.visible = cycle_ + program_.machine.output_latency;
  finished_.push_back(std::move(sum));
  sum = {};
  sum.number = ++sums_;
  const std::optional<Coefficient> bias = head();
  if (!bias || bias->map < 0) return flaw("set rb finds no coefficient at rw[0]");
  if (bias->ordinal != 0) return flaw(fmt::format("set rb takes {}", name(*bias)));
  sum.map = bias->map;
  use_once(*bias);
}

bool SumRule::use_once(const Coefficient& coefficient) {
  std::int64_t& last = used_by_[first_of_map_[at(coefficient.map)] + at(coefficient.ordinal)];
  if (last == current().number) return false;
  last = current().number;
  ++current().coefficients;
  return true;
}

void SumRule::multiply() {
  if (!current().flaw.empty()) return;
  const std::optional<Coefficient> coefficient = head();
  if (!coefficient) return flaw("mac finds no coefficient at rw[0]");
  if (coefficient->map < 0) return;  // a zero
  if (coefficient->map != current().map)
    return flaw(fmt::format("mac takes {} for the sum of map {}", name(*coefficient), current().map));
  if (!use_once(*coefficient)) return flaw(fmt::format("mac takes {} once more", name(*coefficient)));
  multiply(*coefficient);
}

void SumRule::multiply(const Coefficient& coefficient) {
  const int weight = coefficient.ordinal - 1, height = program_.kernel_height;
  const int y = weight % height, x = weight / height % program_.kernel_width;
  const int input = inputs(coefficient.map)[at(weight / (height * program_.kernel_width))];
  const int phases = program_.polyphase ? program_.stride_height : 1;
  // Maps of a group take the same vector one after the other.
  if (const Vector wanted{input, y}; wanted != right_vector_) {
    if (std::string wrong = vector_flaw(input, y % phases, y / phases * program_.dilation_height); !wrong.empty())
      return flaw(fmt::format("mac takes {}, row {} and column {} of the kernel at input {}, but {}", name(coefficient),
                              y, x, input, wrong));
    right_vector_ = wanted;
  }
  const int first = first_lane_ * layout_.stride + y / phases * program_.dilation_height;
  const Content& pixels = image_[at(first / layout_.pixels_per_word)].loaded.content;
  const std::int64_t column = pixels.column - std::int64_t{x} * program_.dilation_width;
  Sum& sum = current();
  if (sum.has_pixels && column != sum.column)
    return flaw(
        fmt::format("mac takes {}, column {} of the kernel, with pixels of column {}, but the sum began at "
                    "column {} of the padded input",
                    name(coefficient), x, pixels.column, sum.column));
  sum.has_pixels = true;
  sum.column = column;
  sum.repeated = pixels.repeated;
}

// Why the vector that lanes see isn't that of an input and phase, shifted so often; empty if it is.
std::string SumRule::vector_flaw(int input, int phase, int shift) const {
  const std::int64_t set_at = image_.front().set_at;
  for (int word = 0; word < layout_.base_words; ++word)
    if (image_[at(word)].set_at != set_at || set_at < 0) return "not all groups of ri were set since as many shifts";
  if (shifts_ - set_at != shift) return fmt::format("ri was shifted {} times; expected {}", shifts_ - set_at, shift);
  const int first = first_lane_ * layout_.stride + shift, last = last_lane_ * layout_.stride + shift;
  if (last >= spoiled_from_) return "a setsh after the first shift loaded its word beside its place";
  const int from = first / layout_.pixels_per_word, to = last / layout_.pixels_per_word;
  if (last >= layout_.register_pixels()) return "the image register ends before";
  if (to >= layout_.base_words && image_.back().set_at != set_at) return "no setsh loaded the extension";
  const Content& content = image_[at(from)].loaded.content;
  for (int word = from; word <= to; ++word)
    if (std::string wrong = word_flaw(word, input, phase, content); !wrong.empty()) return wrong;
  return {};
}

std::string SumRule::word_flaw(int word, int input, int phase, const Content& first) const {
  const Loaded& loaded = image_[at(word)].loaded;
  const StreamWord& item = loaded.content.item;
  if (!loaded.valid || item.kind != StreamWord::Kind::pixels) return fmt::format("word {} of ri holds no pixels", word);
  if (item.index != input) return fmt::format("word {} of ri holds pixels of input {}", word, item.index);
  if (column_.phase_of(item.word) != phase || column_.place(item.word) != word)
    return fmt::format("word {} of ri holds word {} of a column", word, item.word);
  if (loaded.content.column != first.column)
    return fmt::format("ri holds pixels of columns {} and {}", first.column, loaded.content.column);
  return {};
}

void SumRule::give_out(const OutputWord& output, std::int64_t column) {
  const auto wanted = [&] { return fmt::format("map {}, column {}", output.map, column); };
  const auto wrong = [&](const std::string& what, const std::string& expected) {
    report_.at(address_, "ACT", fmt::format("{} leaves: {} (cycle {})", wanted(), what, cycle_), expected);
  };
  if (finished_.empty() || finished_.front().visible > cycle_)
    return wrong("there is no sum", "a set rb that moved it out before");
  const Sum& sum = finished_.front();
  if (!sum.flaw.empty())
    return report_.at(sum.flaw_address, "VMAC",
                      fmt::format("{} (cycle {}, part of {})", sum.flaw, sum.flaw_cycle, wanted()),
                      "its bias, then each weight once, with the pixels that it is for");
  if (sum.map < 0) return wrong("its sum has no bias", "a set rb before the first mac");
  if (sum.map != output.map) return wrong(fmt::format("the sum is that of map {}", sum.map), "its own sum");
  const std::size_t all = 1 + inputs(sum.map).size() * at(program_.kernel_width) * at(program_.kernel_height);
  if (at(sum.coefficients) != all)
    return wrong(fmt::format("the sum holds {} coefficients", sum.coefficients), fmt::format("all {}", all));
  if (sum.has_pixels && sum.column != column * program_.stride_width)
    wrong(fmt::format("the sum began at column {} of the padded input", sum.column),
          fmt::format("column {}", column * program_.stride_width));
}

}  // namespace convscope::nve::verification
