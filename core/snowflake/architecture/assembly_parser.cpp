#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/architecture/assembly_fields.h"
#include "core/snowflake/architecture/assembly_instructions.h"
#include "core/snowflake/architecture/program_check.h"

namespace convscope::snowflake {
namespace {

class AssemblyParser {
 public:
  AssemblyParser(const std::string& file, Diagnostics& diagnostics)
      : file_(file), all_(diagnostics), machine_(machine_description()) {}

  std::optional<Program> parse(std::string_view text) {
    std::size_t begin = 0;
    while (begin < text.size() && !full()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      raw_ = text.substr(begin, end - begin);
      parse_line();
      begin = end + 1;
    }
    finish();
    all_.append(found_);
    if (found_.has_errors() || !check_program(program_, file_, all_)) return std::nullopt;
    return std::move(program_);
  }

  /// Of each instruction.
  const std::vector<int>& lines() const { return lines_; }

 private:
  struct LabelUse {
    std::string label;
    int address = 0, line = 0;
  };

  bool full() const { return found_.count(Severity::error) >= Diagnostics::cap; }
  void fail(const std::string& what, const std::string& expected, const std::string& element = {}) {
    found_.error({file_, line_, element}, what, expected);
  }
  int here() const { return static_cast<int>(program_.code.size()); }

  void parse_line() {
    if (const std::string_view line = trimmed(raw_); line.starts_with(".machine")) return machine(line.substr(8));
    std::string error;
    auto tokens = tokens_of(raw_, error);
    if (!tokens) return fail(error, "a directive, a label or an instruction");
    TokenCursor cursor(std::move(*tokens));
    while (begins_with_label(cursor)) label(cursor);
    if (cursor.at_end()) return;
    const std::string first = cursor.peek()->spelling;
    if (first.starts_with('.') && first != ".word")
      directive(first, cursor);
    else
      instruction(cursor);
  }

  static bool begins_with_label(const TokenCursor& cursor) {
    const Token *const name = cursor.peek(), *const colon = cursor.peek(1);
    return colon && name->kind == Token::Kind::word && colon->kind == Token::Kind::sign && colon->spelling == ":";
  }

  void label(TokenCursor& cursor) {
    const std::string name = cursor.word("a label");
    cursor.take();
    if (!labels_.emplace(name, here()).second)
      fail("label " + convscope::quoted(name) + " is given twice", "one place for each");
  }

  void instruction(TokenCursor& cursor) {
    if (here() == most_instructions) return fail("too many instructions", fmt::format("{}", most_instructions));
    const ParsedInstruction parsed = parse_instruction(cursor);
    cursor.expect_end();
    if (!cursor.error().empty()) fail(cursor.error(), "an instruction such as 'addi r1, r2, -3'");
    if (!parsed.label.empty()) uses_.push_back({parsed.label, here(), line_});
    program_.code.push_back(parsed.word);
    lines_.push_back(line_);
  }

  // ---- directives

  void directive(const std::string& word, TokenCursor& cursor) {
    using Handler = void (AssemblyParser::*)(TokenCursor&);
    static const std::map<std::string, Handler> handlers = {
        {".program", &AssemblyParser::name}, {".dram", &AssemblyParser::dram},   {".region", &AssemblyParser::region},
        {".layer", &AssemblyParser::layer},  {".block", &AssemblyParser::block}, {".range", &AssemblyParser::range}};
    const auto handler = handlers.find(word);
    if (handler == handlers.end())
      return fail("unknown directive " + convscope::quoted(word),
                  ".program, .machine, .dram, .region, .layer, .block or .range");
    cursor.take();
    (this->*handler->second)(cursor);
    cursor.expect_end();
    if (!cursor.error().empty()) fail(cursor.error(), "see docs/snowflake-encoding.md", word);
  }

  void name(TokenCursor& cursor) {
    once(cursor, ".program");
    program_.name = cursor.text("a name in quotes");
  }
  void dram(TokenCursor& cursor) {
    once(cursor, ".dram");
    program_.dram_words = cursor.number("words", 0, most_dram_words);
  }
  void once(TokenCursor& cursor, const std::string& word) {
    if (!seen_.emplace(word, line_).second) cursor.refuse(fmt::format("given twice, first in line {}", seen_[word]));
  }

  /// A line of its own kind: values have signs and points, as on the command line.
  void machine(std::string_view line) {
    const std::vector<std::string> given = words(line.substr(0, line.find(';')));
    if (given.size() != 2) return fail("not one parameter and its value", ".machine PARAMETER VALUE", ".machine");
    if (!seen_.emplace(".machine " + given[0], line_).second)
      return fail(fmt::format("parameter {} is given twice", convscope::quoted(given[0])), "one value", ".machine");
    machine_.set(given[0], given[1], found_, {file_, line_, {}});
  }

  void region(TokenCursor& cursor) { add(cursor, program_.regions, {}, most_parts); }
  void layer(TokenCursor& cursor) { add(cursor, program_.layers, {}, most_parts); }

  /// A block or range without a count goes on to the next one.
  void block(TokenCursor& cursor) {
    end_open(program_.blocks);
    add(cursor, program_.blocks, {here(), open_count, 0}, most_instructions);
  }
  void range(TokenCursor& cursor) {
    end_open(program_.ranges);
    CodeRange range;
    range.first = here();
    range.count = open_count;
    add(cursor, program_.ranges, range, most_instructions);
  }

  template <typename Part>
  static void add(TokenCursor& cursor, std::vector<Part>& parts, Part part, std::int64_t most) {
    if (static_cast<std::int64_t>(parts.size()) >= most) return cursor.refuse(fmt::format("more than {}", most));
    DirectiveFields(cursor).read(part);
    parts.push_back(std::move(part));
  }
  template <typename Part>
  void end_open(std::vector<Part>& parts) {
    if (!parts.empty() && parts.back().count == open_count) parts.back().count = here() - parts.back().first;
  }

  // ---- when all lines are read

  void finish() {
    end_open(program_.blocks);
    end_open(program_.ranges);
    for (const LabelUse& use : uses_) {
      if (full()) return;
      line_ = use.line;
      resolve(use);
    }
    Diagnostics constraints;
    if (!machine_.check(constraints)) {
      for (Diagnostic diagnostic : constraints.items()) {
        diagnostic.where.file = file_;
        found_.add(std::move(diagnostic));
      }
      return;
    }
    program_.machine = machine_from(machine_);
  }

  void resolve(const LabelUse& use) {
    const auto found = labels_.find(use.label);
    if (found == labels_.end())
      return fail("there is no label " + convscope::quoted(use.label), "a label of this text");
    EncodedInstruction& word = program_.code[static_cast<std::size_t>(use.address)];
    Instruction branch = *decode(word);
    branch.immediate = found->second - use.address;
    if (!operator_in_range(branch))
      return fail(fmt::format("{} is {} instructions away", convscope::quoted(use.label), branch.immediate),
                  "-2048 to 2047");
    word = encode(branch);
  }

  static constexpr int open_count = -1;

  const std::string& file_;
  Diagnostics& all_;
  Diagnostics found_;
  arch::ParameterValues machine_;
  Program program_;
  std::map<std::string, int> seen_;    ///< directive, line
  std::map<std::string, int> labels_;  ///< address
  std::vector<LabelUse> uses_;
  std::string_view raw_;
  std::vector<int> lines_;  ///< of each instruction
  int line_ = 0;
};

}  // namespace

std::optional<Program> parse_assembly(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                      std::vector<int>* lines) {
  if (text.size() > largest_text) {
    diagnostics.error({file, 0, {}}, "text is too large", fmt::format("at most {} bytes", largest_text));
    return std::nullopt;
  }
  AssemblyParser parser(file, diagnostics);
  auto program = parser.parse(text);
  if (lines != nullptr) *lines = parser.lines();
  return program;
}

}  // namespace convscope::snowflake
