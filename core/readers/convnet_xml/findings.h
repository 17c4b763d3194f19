#pragma once
// What is wrong with a descriptor. A hostile file can hold thousands of mistakes; people need the first hundred.

#include <string>

#include "core/base/diagnostic.h"
#include "core/readers/common/text.h"

namespace convscope::readers {

class Findings {
 public:
  static constexpr int cap = 100;

  explicit Findings(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Beyond the cap, errors are counted as such but no longer listed; the last one listed says so.
  void error(const Location& where, std::string what, std::string expected = {}, std::string hint = {});
  void note(const Location& where, std::string what);
  bool any_error() const { return errors_ > 0; }

 private:
  Diagnostics& diagnostics_;
  int errors_ = 0;
  int notes_ = 0;
};

}  // namespace convscope::readers
