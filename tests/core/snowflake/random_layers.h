#pragma once
// Random layers and machines for tests of the compiler: the same for the same seed.

#include <initializer_list>
#include <random>

#include "compiled_layer.h"

namespace convscope::snowflake {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  int from(int low, int high) { return low + static_cast<int>(generator_() % static_cast<unsigned>(high - low + 1)); }
  bool once_in(int n) { return from(1, n) == 1; }
  int of(std::initializer_list<int> list) { return list.begin()[from(0, static_cast<int>(list.size()) - 1)]; }

 private:
  std::mt19937 generator_;
};

Machine random_machine(Random& random);
/// A convolution or pool of any kind that all machines should take.
LayerSpec random_layer(Random& random);

}  // namespace convscope::snowflake
