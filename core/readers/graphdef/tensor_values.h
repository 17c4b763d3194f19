#pragma once
// Values of constants: from a TensorProto, and computed from other constants while reading.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/graphdef/model.h"

namespace convscope::readers::graphdef {

/// What may be copied or computed of a file's constants; beyond, their values are left out and their shapes stand.
class CopyBudget {
 public:
  bool spend(std::size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  std::size_t left_ = std::size_t{64} << 20;
};

/// The constant that a tensor of the file stands for: its bytes where it has them, else the list's values, of which the
/// last is repeated; without any, zeros. Null, with an error, if they don't fit its shape. Without values where they
/// are no numbers or the budget is used up.
std::shared_ptr<const network::Constant> constant_of(const TensorProto& tensor, const std::string& element, int line,
                                                     CopyBudget& budget, Report& report);

/// The same values with other dimensions of the same product.
std::shared_ptr<const network::Constant> reshaped(const network::Constant& source,
                                                  std::vector<std::int64_t> dimensions);

/// Axis i of the result is axis order[i] of the source. Null if the budget or the type forbids the copy.
std::shared_ptr<const network::Constant> transposed(const network::Constant& source,
                                                    const std::vector<std::int64_t>& order, CopyBudget& budget);

/// An operator on float32 constants, value by value, as TensorFlow computes it; one with two operands broadcasts them.
/// Null if it isn't one of those that are folded, the operands don't fit, or the budget is used up.
std::shared_ptr<const network::Constant> folded(const std::string& operator_name,
                                                const std::vector<const network::Constant*>& operands,
                                                CopyBudget& budget);

}  // namespace convscope::readers::graphdef
