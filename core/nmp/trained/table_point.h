#pragma once
// Where the point of a function's inputs stands best.

#include <functional>

namespace convscope::nmp {

/// The point of a function's inputs of magnitudes up to `most`, of those from `fraction` on the one at which its table
/// is off by least at worst: inputs that saturate make the table's segments shorter.
int fraction_for_table(const std::function<double(double)>& function, int bits, int fraction, double most);

}  // namespace convscope::nmp
