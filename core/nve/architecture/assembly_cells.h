#pragma once
// The cells of an instruction line, and the cursor over its tokens. Private to core/nve/architecture.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nve/architecture/assembly_lexer.h"
#include "core/nve/architecture/program.h"

namespace convscope::nve {

/// Walks over tokens and keeps the first complaint; after one, everything it returns is zero or empty.
class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  bool at_end() const { return position_ == tokens_.size(); }
  const Token* peek() const { return at_end() ? nullptr : &tokens_[position_]; }
  void take() { ++position_; }
  /// Takes a word or sign if it comes next.
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling);
  void expect_end();
  int number();
  std::vector<int> numbers();  ///< all that follow
  std::string word();
  std::string text();
  void refuse(const std::string& what);
  const std::string& error() const { return error_; }

 private:
  std::string found() const;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::string error_;
};

/// Reads one instruction, its cells in the order of the machine's fields; trailing empty cells may be missing. What the
/// host supplies or takes is appended to `traffic`. Ranges are checked, so that the instruction can be encoded.
Instruction parse_cells(TokenCursor& cursor, const Machine& machine, SectionTraffic& traffic);

/// What a line of instructions must look like.
std::string instruction_form(const Machine& machine);

}  // namespace convscope::nve
