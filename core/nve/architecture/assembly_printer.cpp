#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += std::string{'\\', c};
    else if (static_cast<unsigned char>(c) < ' ')
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

template <typename Numbers>
std::string numbers(const Numbers& values) {
  std::string out;
  for (int value : values) out += fmt::format(" {}", value);
  return out;
}

class AssemblyPrinter {
 public:
  explicit AssemblyPrinter(const Program& program) : program_(program) {
    for (int i = 0; i < field_count; ++i)
      if (has_field(program.machine, static_cast<Field>(i))) fields_.push_back(static_cast<Field>(i));
  }

  std::string print() {
    line("program {}", quoted(program_.name));
    machine();
    layer();
    settings();
    sections();
    return std::move(out_);
  }

 private:
  using Row = std::vector<std::string>;

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }

  void machine() {
    const auto values = parameter_values(program_.machine), defaults = parameter_values(Machine{});
    for (std::size_t i = 0; i < values.description().parameters.size(); ++i)
      if (values.at(i) != defaults.at(i))
        line("machine {} {}", values.description().parameters[i].name, values.text(i));
  }

  void layer() {
    line("layer {}", quoted(program_.layer));
    line("kernel {} x {}", program_.kernel_height, program_.kernel_width);
    line("stride {} x {}", program_.stride_height, program_.stride_width);
    if (program_.dilation_height != 1 || program_.dilation_width != 1)
      line("dilation {} x {}", program_.dilation_height, program_.dilation_width);
    if (program_.polyphase) line("polyphase");
    if (program_.padding_top != 0 || program_.padding_left != 0)
      line("padding {} x {}", program_.padding_top, program_.padding_left);
    line("output {} x {}", program_.out_height, program_.out_width);
    line("input {} x {} x {}", program_.in_maps, program_.in_height, program_.in_width);
    line("inputs ={}", numbers(program_.inputs));
    for (std::size_t m = 0; m < program_.maps.size(); ++m)
      line("map {} = {} from{}", m, program_.maps[m].map, numbers(program_.maps[m].inputs));
    for (std::size_t w = 0; w < program_.coefficient_words.size(); ++w) line("coefficients {} ={}", w, coefficients(w));
  }

  std::string coefficients(std::size_t word) const {
    std::string out;
    for (const Coefficient& coefficient : program_.coefficient_words[word])
      out += coefficient.map < 0 ? " -" : fmt::format(" {}.{}", coefficient.map, coefficient.ordinal);
    return out;
  }

  void settings() {
    line("increment {}", program_.increment);
    line("toggle {}", program_.toggle);
    line("activation_shift {}", program_.activation_shift);
    if (program_.bias_shift != 0) line("bias_shift {}", program_.bias_shift);
    if (program_.units == 0) return;
    line("units {}", program_.units);
    line("lead {}", program_.lead);
  }

  void sections() {
    std::vector<Row> rows = section_rows(program_.initial, 0, program_.initial_size);
    const int pass_begin = program_.initial_size + program_.head_size();
    const int final_begin = program_.initial_size + program_.repeat_size;
    const std::vector<Row> repeat = section_rows(program_.repeat, program_.initial_size, program_.head_size());
    const std::vector<Row> pass = section_rows(program_.pass, pass_begin, program_.pass_size);
    const std::vector<Row> final = section_rows(program_.final, final_begin, program_.final_size);
    rows.insert(rows.end(), repeat.begin(), repeat.end());
    rows.insert(rows.end(), pass.begin(), pass.end());
    rows.insert(rows.end(), final.begin(), final.end());
    const std::vector<std::size_t> widths = column_widths(rows);
    heading(widths);
    for (int address = 0; address <= static_cast<int>(rows.size()); ++address) {
      if (address == 0) line("initial:");
      if (address == program_.prologue_begin) line("prologue:");
      if (address == program_.initial_size) line("repeat {}:", program_.iterations);
      if (address == pass_begin && program_.passes > 0) line("pass {}:", program_.passes);
      if (address == final_begin) line("final:");
      if (address < static_cast<int>(rows.size()))
        instruction(rows[static_cast<std::size_t>(address)], widths, address);
    }
  }

  std::vector<Row> section_rows(const SectionTraffic& traffic, int begin, int size) const {
    std::vector<Row> rows;
    std::size_t stream = 0, output = 0;
    for (int address = begin; address < begin + size; ++address) {
      const auto instruction = decode(program_.words[static_cast<std::size_t>(address)], program_.machine);
      Row row(fields_.size(), instruction ? "" : "undecodable");
      for (std::size_t i = 0; instruction && i < fields_.size(); ++i) {
        row[i] = field_text(*instruction, fields_[i]);
        const bool write = row[i].starts_with("wr ");
        if (write && stream < traffic.stream.size()) row[i] += source(traffic.stream[stream++]);
        if (fields_[i] == Field::act && !row[i].empty() && output < traffic.outputs.size())
          row[i] += destination(traffic.outputs[output++]);
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  static std::string source(const StreamWord& item) {
    if (item.kind == StreamWord::Kind::coefficients) return fmt::format(" <- coefficients {}", item.index);
    if (item.kind == StreamWord::Kind::unit) return fmt::format(" <- unit {} word {}", item.index, item.word);
    if (item.kind == StreamWord::Kind::ordered) return fmt::format(" <- ordered {}", item.index);
    return fmt::format(" <- pixels {} column {} word {}", item.index, item.column, item.word);
  }
  static std::string destination(const OutputWord& item) {
    return fmt::format(" -> map {} column {}", item.map, item.iteration);
  }

  std::vector<std::size_t> column_widths(const std::vector<Row>& rows) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      std::size_t width = std::string_view(field_name(fields_[i])).size();
      for (const Row& row : rows) width = std::max(width, row[i].size());
      widths.push_back(width);
    }
    return widths;
  }

  void heading(const std::vector<std::size_t>& widths) {
    out_ += '\n';
    std::string out;
    for (std::size_t i = 0; i < fields_.size(); ++i)
      out += fmt::format("{}{:<{}}", i == 0 ? "; " : " | ", field_name(fields_[i]), widths[i]);
    line("{} ; address", out);
  }

  void instruction(const Row& row, const std::vector<std::size_t>& widths, int address) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i)
      out += fmt::format("{}{:<{}}", i == 0 ? "  " : " | ", row[i], widths[i]);
    line("{} ; {}", out, address);
  }

  const Program& program_;
  std::vector<Field> fields_;
  std::string out_;
};

}  // namespace

std::string print_assembly(const Program& program) {
  return AssemblyPrinter(program).print();
}

}  // namespace convscope::nve
