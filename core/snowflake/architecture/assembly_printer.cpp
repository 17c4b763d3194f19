#include <algorithm>

#include <fmt/format.h>

#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/architecture/program_fields.h"

namespace convscope::snowflake {
namespace {

std::string in_assembly_quotes(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// All fields as "name=value".
class TextVisitor {
 public:
  explicit TextVisitor(std::string prefix = {}) : prefix_(std::move(prefix)) {}
  void text(const char* name, const std::string& value) { add(name, in_assembly_quotes(value)); }
  void flag(const char* name, bool value) { add(name, value ? "yes" : "no"); }
  template <typename Choice>
  void choice(const char* name, Choice value, std::span<const std::string_view> names) {
    add(name, std::string(names[static_cast<std::size_t>(value)]));
  }
  void number(const char* name, std::int64_t value, std::int64_t, std::int64_t) { add(name, fmt::format("{}", value)); }
  template <typename Part>
  void part(const char* name, const Part& value) {
    TextVisitor inner(prefix_ + name + '.');
    visit_fields(inner, value);
    items.insert(items.end(), inner.items.begin(), inner.items.end());
  }

  std::vector<std::string> items;

 private:
  void add(const char* name, const std::string& value) { items.push_back(prefix_ + name + '=' + value); }
  std::string prefix_;
};

/// Fields that differ from those of `usual`.
template <typename Part>
std::string fields_text(const Part& part, const Part& usual) {
  TextVisitor all, plain;
  visit_fields(all, part);
  visit_fields(plain, usual);
  std::string text;
  for (std::size_t i = 0; i < all.items.size(); ++i)
    if (all.items[i] != plain.items[i]) text += ' ' + all.items[i];
  return text;
}

class AssemblyPrinter {
 public:
  explicit AssemblyPrinter(const Program& program) : program_(program) {}

  std::string print() {
    line(".program {}", in_assembly_quotes(program_.name));
    machine();
    line(".dram {}", program_.dram_words);
    for (const Region& region : program_.regions) line(".region{}", fields_text(region, {}));
    for (const ProgramLayer& layer : program_.layers) line(".layer{}", fields_text(layer, {}));
    find_labels();
    for (std::size_t address = 0; address <= program_.code.size(); ++address) instruction(address);
    while (block_ < program_.blocks.size()) block();
    while (range_ < program_.ranges.size()) range(program_.code.size());
    return std::move(out_);
  }

 private:
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }

  void machine() {
    const auto values = parameter_values(program_.machine), defaults = parameter_values(Machine{});
    for (std::size_t i = 0; i < values.description().parameters.size(); ++i)
      if (values.at(i) != defaults.at(i))
        line(".machine {} {}", values.description().parameters[i].name, values.text(i));
  }

  /// Where the branch at an address goes; -1 if it is none, or leaves the code.
  std::int64_t target(std::size_t address) const {
    const auto instruction = decode(program_.code[address]);
    if (!instruction || instruction->mode || instruction->immediate == 0) return -1;
    if (instruction->opcode < Opcode::ble || instruction->opcode > Opcode::beq) return -1;
    const std::int64_t to = static_cast<std::int64_t>(address) + instruction->immediate;
    return to < static_cast<std::int64_t>(program_.code.size()) ? to : -1;
  }

  void find_labels() {
    is_target_.assign(program_.code.size(), false);
    for (std::size_t address = 0; address < program_.code.size(); ++address)
      if (const std::int64_t to = target(address); to >= 0) is_target_[static_cast<std::size_t>(to)] = true;
  }

  void instruction(std::size_t address) {
    while (block_ < program_.blocks.size() && program_.blocks[block_].first == static_cast<int>(address)) block();
    while (range_ < program_.ranges.size() && program_.ranges[range_].first == static_cast<int>(address))
      range(address);
    if (address == program_.code.size()) return;
    if (is_target_[address]) line("L{}:", address);
    const std::int64_t to = target(address);
    const std::string label = to < 0 ? std::string() : fmt::format("L{}", to);
    line("  {:<38} ; {}", instruction_text(program_.code[address], label), address);
  }

  /// Blocks come in the order in which they are filled; their first instructions are written if that isn't the place.
  void block() {
    const CodeBlock& block = program_.blocks[block_++];
    line(".block{}", fields_text(block, {-1, -1, 0}));
  }
  void range(std::size_t address) {
    CodeRange usual;
    usual.first = static_cast<int>(address);
    usual.count = -1;
    line(".range{}", fields_text(program_.ranges[range_++], usual));
  }

  const Program& program_;
  std::vector<bool> is_target_;
  std::size_t block_ = 0, range_ = 0;
  std::string out_;
};

}  // namespace

std::string print_assembly(const Program& program) {
  return AssemblyPrinter(program).print();
}

}  // namespace convscope::snowflake
