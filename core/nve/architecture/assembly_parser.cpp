#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/architecture/assembly_cells.h"
#include "core/nve/architecture/assembly_lexer.h"
#include "core/nve/architecture/program_check.h"

namespace convscope::nve {
namespace {

constexpr std::size_t most_diagnostics = 100;
constexpr std::size_t most_instructions = 1 << 16;

enum class Section { head, initial, prologue, repeat, pass, final };

struct InstructionLine {
  int number = 0;
  std::vector<Token> tokens;
  Section section = Section::initial;
};

class AssemblyParser {
 public:
  AssemblyParser(const std::string& file, Diagnostics& diagnostics)
      : file_(file), all_(diagnostics), machine_(machine_description()) {}

  std::optional<Program> parse(std::string_view text) {
    split(text);
    if (found_.items().size() < most_diagnostics) finish();
    all_.append(found_);
    if (found_.has_errors() || !check_program(program_, file_, all_)) return std::nullopt;
    return std::move(program_);
  }

  /// Of each instruction.
  std::vector<int> lines() const {
    std::vector<int> numbers;
    for (const InstructionLine& line : lines_) numbers.push_back(line.number);
    return numbers;
  }

 private:
  void fail(const std::string& what, const std::string& expected, const std::string& element = {}) {
    found_.error({file_, line_, element}, what, expected);
  }

  // ---- lines

  void split(std::string_view text) {
    std::size_t begin = 0;
    while (begin < text.size() && found_.items().size() < most_diagnostics) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      raw_ = text.substr(begin, end - begin);
      parse_line();
      begin = end + 1;
    }
  }

  void parse_line() {
    std::string error;
    auto tokens = tokens_of(raw_, error);
    if (!tokens) return fail(error, "a directive, a section or an instruction");
    if (tokens->empty()) return;
    if (tokens->back().spelling == ":" && tokens->back().kind == Token::Kind::sign) return section(*tokens);
    if (section_ == Section::head) return directive(std::move(*tokens));
    if (lines_.size() == most_instructions) return fail("too many instructions", fmt::format("{}", most_instructions));
    lines_.push_back({line_, std::move(*tokens), section_});
  }

  void section(const std::vector<Token>& tokens) {
    static const std::map<std::string, Section> names = {{"initial", Section::initial},
                                                         {"prologue", Section::prologue},
                                                         {"repeat", Section::repeat},
                                                         {"pass", Section::pass},
                                                         {"final", Section::final}};
    const auto name = names.find(tokens[0].spelling);
    const bool counted = name != names.end() && (name->second == Section::repeat || name->second == Section::pass);
    if (name == names.end() || tokens.size() != (counted ? 3 : 2) ||
        (counted && tokens[1].kind != Token::Kind::number)) {
      if (section_ == Section::head) section_ = Section::initial;  // what follows are instructions, not directives
      return fail("unknown section", "initial:, prologue:, repeat N:, pass N: or final:");
    }
    if (name->second <= section_)
      return fail("section repeated or out of order", "initial, prologue, repeat, pass, final");
    if (name->second == Section::pass && section_ != Section::repeat)
      return fail("passes outside the repeated part", "repeat N: before pass N:");
    section_ = name->second;
    if (counted) (section_ == Section::pass ? program_.passes : program_.iterations) = tokens[1].number;
  }

  // ---- directives

  void directive(std::vector<Token> tokens) {
    using Handler = void (AssemblyParser::*)(TokenCursor&);
    static const std::map<std::string, Handler> handlers = {{"program", &AssemblyParser::name},
                                                            {"machine", &AssemblyParser::machine},
                                                            {"layer", &AssemblyParser::layer},
                                                            {"kernel", &AssemblyParser::kernel},
                                                            {"stride", &AssemblyParser::stride},
                                                            {"dilation", &AssemblyParser::dilation},
                                                            {"polyphase", &AssemblyParser::polyphase},
                                                            {"padding", &AssemblyParser::padding},
                                                            {"output", &AssemblyParser::output},
                                                            {"input", &AssemblyParser::input},
                                                            {"inputs", &AssemblyParser::inputs},
                                                            {"map", &AssemblyParser::map},
                                                            {"coefficients", &AssemblyParser::coefficients},
                                                            {"increment", &AssemblyParser::increment},
                                                            {"toggle", &AssemblyParser::toggle},
                                                            {"activation_shift", &AssemblyParser::activation_shift},
                                                            {"bias_shift", &AssemblyParser::bias_shift},
                                                            {"units", &AssemblyParser::units},
                                                            {"lead", &AssemblyParser::lead}};
    const std::string word = tokens[0].spelling;
    const auto handler = handlers.find(word);
    if (handler == handlers.end() || tokens[0].kind != Token::Kind::word)
      return fail(fmt::format("unknown directive '{}'", word.substr(0, 40)),
                  "a directive, or a section such as initial:");
    const bool many = word == "machine" || word == "map" || word == "coefficients";
    if (!many && !seen_.emplace(word, line_).second)
      return fail(fmt::format("'{}' is given twice", word), fmt::format("one; the first is in line {}", seen_[word]));
    TokenCursor cursor(std::move(tokens));
    cursor.take();
    (this->*handler->second)(cursor);
    if (word == "machine") return;
    cursor.expect_end();
    if (!cursor.error().empty()) fail(cursor.error(), directive_form(word), word);
  }

  static std::string directive_form(const std::string& word) {
    static const std::map<std::string, std::string> forms = {
        {"program", "program \"NAME\""},
        {"layer", "layer \"NAME\""},
        {"kernel", "kernel HEIGHT x WIDTH"},
        {"stride", "stride VERTICAL x HORIZONTAL"},
        {"dilation", "dilation VERTICAL x HORIZONTAL"},
        {"polyphase", "polyphase"},
        {"padding", "padding TOP x LEFT"},
        {"output", "output HEIGHT x WIDTH"},
        {"input", "input MAPS x HEIGHT x WIDTH"},
        {"inputs", "inputs = MAP …"},
        {"map", "map POSITION = MAP from INPUT …, positions in order from 0"},
        {"coefficients", "coefficients INDEX = MAP.ORDINAL or - …, indices in order from 0"}};
    const auto form = forms.find(word);
    return form == forms.end() ? word + " NUMBER" : form->second;
  }

  void name(TokenCursor& cursor) { program_.name = cursor.text(); }
  void layer(TokenCursor& cursor) { program_.layer = cursor.text(); }
  void polyphase(TokenCursor&) { program_.polyphase = true; }
  void increment(TokenCursor& cursor) { program_.increment = cursor.number(); }
  void toggle(TokenCursor& cursor) { program_.toggle = cursor.number(); }
  void activation_shift(TokenCursor& cursor) { program_.activation_shift = cursor.number(); }
  void bias_shift(TokenCursor& cursor) { program_.bias_shift = cursor.number(); }
  void units(TokenCursor& cursor) { program_.units = cursor.number(); }
  void lead(TokenCursor& cursor) { program_.lead = cursor.number(); }
  void pair(TokenCursor& cursor, int& first, int& second) {
    first = cursor.number();
    cursor.expect("x");
    second = cursor.number();
  }
  void kernel(TokenCursor& cursor) { pair(cursor, program_.kernel_height, program_.kernel_width); }
  void stride(TokenCursor& cursor) { pair(cursor, program_.stride_height, program_.stride_width); }
  void dilation(TokenCursor& cursor) { pair(cursor, program_.dilation_height, program_.dilation_width); }
  void padding(TokenCursor& cursor) { pair(cursor, program_.padding_top, program_.padding_left); }
  void output(TokenCursor& cursor) { pair(cursor, program_.out_height, program_.out_width); }
  void input(TokenCursor& cursor) {
    program_.in_maps = cursor.number();
    cursor.expect("x");
    pair(cursor, program_.in_height, program_.in_width);
  }
  void inputs(TokenCursor& cursor) {
    cursor.expect("=");
    program_.inputs = cursor.numbers();
  }

  /// The value is what stands between the name and the comment: choices hold signs, rates a point.
  void machine(TokenCursor& cursor) {
    const std::string parameter = cursor.word();
    const Token* const value = cursor.peek();
    if (!value) return fail("machine directive without a value", "machine PARAMETER VALUE", "machine");
    if (!seen_.emplace("machine " + parameter, line_).second)
      return fail(fmt::format("parameter '{}' is given twice", parameter), "one value", "machine");
    std::string_view rest = raw_.substr(value->begin);
    rest = rest.substr(0, std::min(rest.find(';'), rest.size()));
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t' || rest.back() == '\r')) rest.remove_suffix(1);
    machine_.set(parameter, rest, found_, {file_, line_, {}});
  }

  void map(TokenCursor& cursor) {
    OutputMap map;
    if (cursor.number() != static_cast<int>(program_.maps.size())) cursor.refuse("position is out of order");
    cursor.expect("=");
    map.map = cursor.number();
    cursor.expect("from");
    map.inputs = cursor.numbers();
    program_.maps.push_back(std::move(map));
  }

  void coefficients(TokenCursor& cursor) {
    std::vector<Coefficient> word;
    if (cursor.number() != static_cast<int>(program_.coefficient_words.size())) cursor.refuse("index is out of order");
    cursor.expect("=");
    while (!cursor.at_end() && cursor.error().empty()) {
      Coefficient coefficient;
      if (!cursor.accept("-")) {
        coefficient.map = cursor.number();
        cursor.expect(".");
        coefficient.ordinal = cursor.number();
      }
      word.push_back(coefficient);
    }
    program_.coefficient_words.push_back(std::move(word));
  }

  // ---- instructions, once the machine is known

  void finish() {
    line_ = 0;
    for (const char* word : {"kernel", "output", "input", "inputs"})
      if (!seen_.contains(word)) fail(fmt::format("no '{}' directive", word), directive_form(word));
    if (section_ == Section::head) fail("no section", "initial:, prologue:, repeat N: and final:");
    if (!check_machine() || found_.has_errors()) return;
    program_.machine = machine_from(machine_);
    for (InstructionLine& line : lines_) {
      if (found_.items().size() >= most_diagnostics) return;
      line_ = line.number;
      instruction(line);
    }
    if (program_.prologue_begin < 0 || !prologue_) program_.prologue_begin = program_.initial_size;
  }

  bool check_machine() {
    Diagnostics constraints;
    if (machine_.check(constraints)) return true;
    for (Diagnostic diagnostic : constraints.items()) {
      diagnostic.where.file = file_;
      found_.add(std::move(diagnostic));
    }
    return false;
  }

  SectionTraffic& traffic(Section section) {
    if (section == Section::repeat) return program_.repeat;
    if (section == Section::pass) return program_.pass;
    return section == Section::final ? program_.final : program_.initial;
  }

  void instruction(InstructionLine& line) {
    count(line.section);
    TokenCursor cursor(std::move(line.tokens));
    const Instruction instruction = parse_cells(cursor, program_.machine, traffic(line.section));
    if (!cursor.error().empty()) return fail(cursor.error(), instruction_form(program_.machine));
    program_.words.push_back(encode(instruction, program_.machine));
  }

  void count(Section section) {
    if (section == Section::prologue && !prologue_) {
      prologue_ = true;
      program_.prologue_begin = program_.initial_size;
    }
    if (section == Section::pass) ++program_.pass_size;
    if (section == Section::repeat || section == Section::pass)
      ++program_.repeat_size;
    else if (section == Section::final)
      ++program_.final_size;
    else
      ++program_.initial_size;
  }

  const std::string& file_;
  Diagnostics& all_;
  Diagnostics found_;
  arch::ParameterValues machine_;
  Program program_;
  std::map<std::string, int> seen_;  ///< directive, line
  std::vector<InstructionLine> lines_;
  Section section_ = Section::head;
  bool prologue_ = false;
  std::string_view raw_;
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

}  // namespace convscope::nve
