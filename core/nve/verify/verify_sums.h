#pragma once
// What each result is the sum of: coefficients and pixels followed through registers and accumulators, without values.
// Private to the verifier.

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/nve/architecture/pass_order.h"
#include "core/nve/architecture/stored_column.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve::verification {

/// What a buffer word holds, and since when.
struct Content {
  std::int64_t written = 0;  ///< cycle
  StreamWord item;          ///< coefficients: number of the word (CoefficientSource); pixels: of an input, -1 for zeros
  std::int64_t column = 0;  ///< of pixels: of the padded input
  bool repeated = false;    ///< written by the repeated section
};

/// Follows a program cycle by cycle. What is wrong with a sum is reported when it leaves for a column of the output:
/// what a rotated kernel computes before its first iteration may be nonsense. Takes words, fields, positions,
/// coefficients and timing for granted.
class SumRule {
 public:
  /// Lanes `first_lane` to `last_lane` give out results. All must outlive it.
  SumRule(const Program& program, int first_lane, int last_lane, Report& report);

  /// One cycle: first vector operation and ACT, with registers as operations left them that were issued `set_to_use`
  /// cycles before; then what this instruction does to registers.
  void execute(std::int64_t cycle, int address, const Instruction& instruction, const OutputWord* output,
               std::int64_t output_column);
  /// Of the instruction just executed: what its register operations find at the ports; null: nothing there.
  void issue(const Instruction& instruction, const Content* port_a, const Content* port_b);
  /// The program is so many columns of the padded input further, with all that its repeated section wrote.
  void move_on(std::int64_t columns);

 private:
  struct Loaded {
    bool valid = false;
    Content content;
    void move_on(std::int64_t columns) {
      if (content.repeated) content.column += columns;
    }
  };
  struct Registers {
    std::int64_t cycle = 0;  ///< of the issue
    WeightOperation weight = WeightOperation::none;
    ImageOperation image = ImageOperation::none;
    int group = 0;
    Loaded a, b;
  };
  struct Sum {
    int map = -1;             ///< position in Program::maps; -1: not begun with a bias
    std::int64_t number = 0;  ///< tells sums apart
    int coefficients = 0;     ///< the bias and each weight used, once each
    bool has_pixels = false;
    std::int64_t column = 0;  ///< of the padded input that output and kernel begin at
    bool repeated = false;
    std::string flaw;  ///< the first thing that is wrong with it
    std::int64_t flaw_cycle = 0;
    int flaw_address = 0;
    std::int64_t visible = 0;  ///< first cycle in which ACT finds it
  };
  /// What lanes shall see.
  struct Vector {
    int input = -1, kernel_row = -1;
    bool operator==(const Vector&) const = default;
  };
  struct ImageWord {
    Loaded loaded;
    std::int64_t set_at = -1;  ///< shifts of the register before
  };

  std::optional<Coefficient> head() const;
  Sum& current() { return current_[static_cast<std::size_t>(vector_)]; }
  const std::vector<int>& inputs(int map) const { return program_.maps[static_cast<std::size_t>(map)].inputs; }
  std::string name(const Coefficient& coefficient) const;
  void flaw(std::string text);
  void apply(const Registers& operations);
  void set_group(const Registers& operations);
  void set_bias();
  void multiply();
  bool use_once(const Coefficient& coefficient);
  void multiply(const Coefficient& coefficient);
  std::string vector_flaw(int input, int phase, int shift) const;
  std::string word_flaw(int word, int input, int phase, const Content& first) const;
  void give_out(const OutputWord& output, std::int64_t column);

  static constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

  const Program& program_;
  StoredColumn column_;
  const RegisterLayout& layout_;
  int first_lane_, last_lane_;
  Report& report_;

  std::deque<Registers> pending_;
  int weight_word_ = -1, weight_place_ = 0;
  std::vector<ImageWord> image_;         ///< base words, then the extension
  Vector right_vector_;                  ///< what lanes were found to see since the register last changed
  std::int64_t shifts_ = 0;              ///< of the image register
  std::int64_t spoiled_from_ = nowhere;  ///< pixel from which on a late extension lies beside its place
  std::vector<std::size_t> first_of_map_;
  std::vector<std::int64_t> used_by_;  ///< by coefficient of each position: number of the sum that used it last
  std::int64_t sums_ = 0;
  CoefficientSource words_;
  std::vector<Sum> current_;  ///< by vector of accumulators
  int vector_ = 0;            ///< of the operation
  std::deque<Sum> finished_;  ///< the front is what ACT sees once it is visible
  std::int64_t cycle_ = 0;
  int address_ = 0;
};

}  // namespace convscope::nve::verification
