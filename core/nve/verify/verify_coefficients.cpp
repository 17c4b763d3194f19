#include "core/nve/architecture/pass_order.h"
#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::Report;

/// Counts the places of each coefficient of each map.
class CoefficientRule {
 public:
  CoefficientRule(const Program& program, Report& report) : program_(program), report_(report) {
    for (const OutputMap& map : program.maps)
      places_.emplace_back(1 + map.inputs.size() * static_cast<std::size_t>(program.kernel_width) *
                                   static_cast<std::size_t>(program.kernel_height));
  }

  void count(std::size_t word, std::size_t place, const Coefficient& coefficient) {
    const auto map = static_cast<std::size_t>(coefficient.map);
    if (coefficient.map < 0) return;
    const auto element = [&] { return fmt::format("coefficient word {}, place {}", word, place); };
    if (place >= static_cast<std::size_t>(program_.machine.coefficients_per_set()))
      report_.error(element(), "set rw does not load this place",
                    fmt::format("one of the first {}", program_.machine.coefficients_per_set()));
    if (map >= places_.size() || coefficient.ordinal < 0 ||
        static_cast<std::size_t>(coefficient.ordinal) >= places_[map].size())
      return report_.error(element(), fmt::format("map {} has no coefficient {}", coefficient.map, coefficient.ordinal),
                           "a coefficient of the program's maps");
    ++places_[map][static_cast<std::size_t>(coefficient.ordinal)];
  }

  void finish() {
    for (std::size_t map = 0; map < places_.size(); ++map)
      for (std::size_t ordinal = 0; ordinal < places_[map].size(); ++ordinal)
        if (places_[map][ordinal] != 1)
          report_.error(fmt::format("map {}, coefficient {}", map, ordinal),
                        fmt::format("{} places", places_[map][ordinal]), "1");
  }

 private:
  const Program& program_;
  Report& report_;
  std::vector<std::vector<int>> places_;
};

}  // namespace

void verify_coefficients(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  const Program& program = decoded.program;
  Report report(program, diagnostics);
  const bool ordered = program.units > 0 && program.lead >= 0 && pass_order_complaint(program).empty();
  const int per_word = program.machine.coefficients_per_set();
  const std::int64_t ordered_words = ordered ? PassOrder(program).ordered_words() : 0;
  std::int64_t places = ordered_words * per_word, needed = 0;
  for (const auto& word : program.coefficient_words) places += static_cast<std::int64_t>(word.size());
  for (const OutputMap& map : program.maps)
    needed += 1 + static_cast<std::int64_t>(map.inputs.size()) * program.kernel_width * program.kernel_height;
  // What a file of few bytes can ask for would not fit any memory.
  if (needed > places)
    return report.error("coefficients", fmt::format("{} places in all words", places),
                        fmt::format("at least {}, one for each coefficient of the maps", needed));
  CoefficientRule rule(program, report);
  for (std::size_t w = 0; w < program.coefficient_words.size(); ++w)
    for (std::size_t p = 0; p < program.coefficient_words[w].size(); ++p)
      rule.count(w, p, program.coefficient_words[w][p]);
  const CoefficientSource source(program);
  const std::size_t explicit_words = program.coefficient_words.size();
  for (std::size_t w = explicit_words; w < explicit_words + static_cast<std::size_t>(ordered_words); ++w)
    for (int p = 0; p < per_word; ++p) rule.count(w, static_cast<std::size_t>(p), source.at(static_cast<int>(w), p));
  rule.finish();
}

}  // namespace convscope::nve
