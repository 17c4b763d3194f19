#pragma once
// What the rules share: decoded instructions with their section, and capped reports. Private to the verifier.

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/diagnostic.h"
#include "core/nve/architecture/program.h"
#include "core/nve/verify/verify_program.h"

namespace convscope::nve::verification {

inline constexpr Field memory_fields[] = {Field::mema, Field::memb, Field::memw};

struct Section {
  const char* name = "";
  const SectionTraffic* traffic = nullptr;
  int begin = 0;
  int size = 0;
  int repetitions = 1;
};

/// The sections in the order of execution; that of passes is empty without an inner loop, and `repeat` is the head of
/// an iteration where there is one.
inline std::vector<Section> sections(const Program& program) {
  return {{"initial", &program.initial, 0, program.initial_size, 1},
          {"repeat", &program.repeat, program.initial_size, program.head_size(), program.iterations},
          {"pass", &program.pass, program.initial_size + program.head_size(), program.pass_size, program.iterations},
          {"final", &program.final, program.initial_size + program.repeat_size, program.final_size, 1}};
}

/// As verify_timing and verify_sums in one walk, for a program in which the other rules found nothing: it takes
/// addresses, sizes, traffic and coefficients for granted. No sums are reported where words come late.
void check_timing(const DecodedProgram& decoded, Diagnostics& late, Diagnostics& wrong_sums);

/// A section's instructions; empty where sizes are wrong (another rule's business).
inline bool section_fits(const Section& section, std::size_t words) {
  return section.begin >= 0 && section.size >= 0 &&
         static_cast<std::size_t>(section.begin) + static_cast<std::size_t>(section.size) <= words;
}

/// Reports of one rule; a rule that fails everywhere need not say so a thousand times.
class Report {
 public:
  Report(const Program& program, Diagnostics& diagnostics) : name_(program.name), diagnostics_(diagnostics) {}

  void at(int address, const std::string& field, const std::string& what, const std::string& expected) {
    error(fmt::format("instruction {}{}{}", address, field.empty() ? "" : ", ", field), what, expected);
  }
  void error(const std::string& element, const std::string& what, const std::string& expected) {
    if (++count_ <= most) diagnostics_.error({name_, 0, element}, what, expected);
  }
  int count() const { return count_; }

 private:
  static constexpr int most = 20;
  const std::string& name_;
  Diagnostics& diagnostics_;
  int count_ = 0;
};

}  // namespace convscope::nve::verification
