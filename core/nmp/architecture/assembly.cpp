#include "core/nmp/architecture/assembly.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/nmp/architecture/instruction_text.h"
#include "core/nmp/architecture/program_fields.h"
#include "core/nmp/architecture/program_json.h"

namespace convscope::nmp {
namespace {

/// Where branches and jumps of the code go: instruction by instruction, those that are a target.
std::map<std::int64_t, std::string> labels_of(const std::vector<EncodedInstruction>& code) {
  std::map<std::int64_t, std::string> labels;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto instruction = decode(code[i]);
    if (!instruction) continue;
    const Format format = format_of(instruction->operation);
    if (format != Format::b && format != Format::j) continue;
    const std::int64_t target = static_cast<std::int64_t>(i) + instruction->immediate / 4;
    if (target >= 0 && target < static_cast<std::int64_t>(code.size())) labels.emplace(target, "");
  }
  int number = 0;
  for (auto& [target, name] : labels) name = fmt::format("L{}", ++number);
  return labels;
}

std::string range_comment(const Program& program, int instruction) {
  for (const CodeRange& range : program.ranges)
    if (range.first == instruction && range.count > 0)
      return fmt::format("# {}\n", range_kind_names[static_cast<std::size_t>(range.kind)]);
  return {};
}

/// JSON behind a directive.
struct Member {
  std::string value;
  int line = 0;
};

/// Lines of assembly to words, labels and members of the program.
class Assembler {
 public:
  Assembler(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  bool read(std::string_view text, bool with_members) {
    if (text.size() > largest_text) {
      error(0, fmt::format("{} bytes", text.size()), fmt::format("at most {}", largest_text));
      return false;
    }
    with_members_ = with_members;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      line(trimmed(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    resolve();
    return !wrong_;
  }
  const std::vector<EncodedInstruction>& code() const { return code_; }
  const std::vector<int>& lines() const { return lines_; }
  const std::map<std::string, Member, std::less<>>& members() const { return members_; }

 private:
  struct Branch {
    std::size_t instruction;
    std::string label;
    int line;
  };

  void error(int line, std::string what, std::string expected) {
    wrong_ = true;
    diagnostics_.error({file_, line, ""}, std::move(what), std::move(expected));
  }

  void line(std::string_view text) {
    if (with_members_ && text.starts_with('.') && !text.starts_with(".word") && !text.starts_with(".insn"))
      return member(text.substr(1));
    text = trimmed(text.substr(0, text.find('#')));
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
      label(trimmed(text.substr(0, colon)));
      text = trimmed(text.substr(colon + 1));
    }
    if (text.empty()) return;
    std::string wrong;
    const ParsedInstruction parsed = parse_instruction(text, wrong);
    if (!wrong.empty()) return error(line_, wrong, "docs/nmp-program.md");
    if (static_cast<std::int64_t>(code_.size()) == most_instructions)
      return error(line_, "too many instructions", fmt::format("at most {}", most_instructions));
    if (!parsed.label.empty()) branches_.push_back({code_.size(), parsed.label, line_});
    code_.push_back(parsed.word);
    lines_.push_back(line_);
  }

  void label(std::string_view name) {
    if (name.empty() || name.find_first_of(" \t,") != std::string_view::npos)
      return error(line_, "a label that is no word: " + convscope::quoted(name), "a word before the colon");
    if (!labels_.emplace(std::string(name), static_cast<std::int64_t>(code_.size())).second)
      error(line_, convscope::quoted(name) + " stands twice", "labels that differ");
  }

  // ".regions [...]": a member of the program file, on one line.
  void member(std::string_view text) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    std::string name(text.substr(0, end));
    const std::string_view value = trimmed(text.substr(end));
    Diagnostics found;
    if (name == "program") name = "name";
    if (!check_json(value, file_, {largest_text, program_depth}, "JSON behind the directive", found))
      return error(line_, "." + convscope::clean(name) + ": " + found.items().front().what, "JSON on one line");
    if (name == "code" || !members_.emplace(name, Member{std::string(value), line_}).second)
      error(line_, convscope::quoted(name) + " can't stand here", "each member of a program file once, but its code");
  }

  void resolve() {
    for (const Branch& branch : branches_) {
      const auto found = labels_.find(branch.label);
      if (found == labels_.end()) {
        error(branch.line, "no label " + convscope::quoted(branch.label), "a label of this file, or .+8");
        continue;
      }
      auto instruction = decode(code_[branch.instruction]);
      instruction->immediate =
          static_cast<std::int32_t>(4 * (found->second - static_cast<std::int64_t>(branch.instruction)));
      if (in_range(*instruction))
        code_[branch.instruction] = encode(*instruction);
      else
        error(branch.line, convscope::quoted(branch.label) + " is too far away", "4 KiB (branches), 1 MiB (jal)");
    }
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  int line_ = 0;
  bool with_members_ = true, wrong_ = false;
  std::vector<EncodedInstruction> code_;
  std::map<std::string, std::int64_t, std::less<>> labels_;
  std::vector<Branch> branches_;
  std::vector<int> lines_;  ///< of each instruction
  std::map<std::string, Member, std::less<>> members_;
};

/// What is about a member's content is told at its directive: "region 2 end" at ".regions".
void append_at_members(const Diagnostics& found, const Assembler& assembler, Diagnostics& diagnostics) {
  for (Diagnostic each : found.items()) {
    const std::string_view element = each.where.element;
    const std::string_view word = element.substr(0, element.find(' '));
    for (const auto& [name, member] : assembler.members())
      if (each.where.line == 0 && !word.empty() && (word == name || std::string(word) + 's' == name))
        each.where.line = member.line;
    diagnostics.add(std::move(each));
  }
}

}  // namespace

std::string print_assembly(const Program& program) {
  std::string text;
  for (const auto& [name, value] : program_members(program, false))
    text += fmt::format(".{} {}\n", name == "name" ? "program" : name, value);
  // The name comes first: by it the text is known.
  const std::size_t first = text.find(".program ");
  const std::size_t end = text.find('\n', first) + 1;
  text = text.substr(first, end - first) + text.substr(0, first) + text.substr(end);
  const auto labels = labels_of(program.code);
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    text += range_comment(program, static_cast<int>(i));
    if (const auto label = labels.find(position); label != labels.end()) text += label->second + ":\n";
    const auto instruction = decode(program.code[i]);
    const auto target = labels.find(position + (instruction ? instruction->immediate / 4 : 0));
    text += "  " + instruction_text(program.code[i], target == labels.end() ? "" : target->second) + '\n';
  }
  return text;
}

std::optional<Program> parse_assembly(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                      std::vector<int>* lines) {
  Assembler assembler(file, diagnostics);
  if (!assembler.read(text, true)) return std::nullopt;
  if (lines != nullptr) *lines = assembler.lines();
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, member] : assembler.members()) json[name] = nlohmann::json::parse(member.value);
  json["code"] = nlohmann::json::array({hexadecimal(assembler.code())});
  Diagnostics found;
  auto program = program_from(json, file, found);
  append_at_members(found, assembler, diagnostics);
  return program;
}

std::optional<std::vector<EncodedInstruction>> assemble(std::string_view text, const std::string& file,
                                                        Diagnostics& diagnostics) {
  Assembler assembler(file, diagnostics);
  if (!assembler.read(text, false)) return std::nullopt;
  return assembler.code();
}

std::optional<Program> read_any_program(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                        std::vector<int>* lines) {
  const std::string_view content = trimmed(text);
  return content.starts_with('{') ? read_program_file(text, file, diagnostics)
                                  : parse_assembly(text, file, diagnostics, lines);
}

}  // namespace convscope::nmp
