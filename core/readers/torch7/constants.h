#pragma once
// Tensors of an archive as constants of a graph.

#include <optional>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/torch7/tables.h"

namespace convscope::readers::torch7 {

/// A tensor that is there and not empty, with its storage.
struct StoredTensor {
  const TensorLayout& layout;
  const Array& array;

  std::int64_t elements() const;
  /// Whether the elements stand one after the other, in the order of the dimensions.
  bool contiguous() const;
};

std::optional<StoredTensor> stored_tensor(const Tables& tables, const Value& value);

/// Gives `constant` the tensor's type and values, whatever the dimensions that it has: without a copy if the tensor is
/// contiguous, else gathered, which takes its bytes off `budget`. False if the budget doesn't suffice.
bool give_tensor(const StoredTensor& tensor, network::Constant& constant, std::size_t& budget);

/// Elements as integers, of a LongStorage, a tensor of one dimension or a list of numbers; nothing if it is none of
/// these or longer than `limit`.
std::optional<std::vector<std::int64_t>> integers_of(Tables& tables, const Value& value, std::size_t limit = 32);

}  // namespace convscope::readers::torch7
