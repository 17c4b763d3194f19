#pragma once
// The same thing across artifacts of one program: operation, listing address, cycle, memory word.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/artifact/ref.h"

namespace convscope::artifact {

/// Where one operation of a program stands.
struct OperationPlace {
  OperationKey operation = 0;
  std::vector<std::int64_t> addresses;  ///< listing addresses (prologue and steady state), ascending
  std::vector<MemoryWord> words;        ///< that it may touch over its iterations, ascending; empty if none
  std::int64_t steady_cycle = -1;       ///< cycle inside the steady state; -1 if it is not part of it
  int stage = 0;                        ///< iterations it runs ahead in the steady state
};

class Links {
 public:
  explicit Links(std::vector<OperationPlace> places);
  const OperationPlace* find(OperationKey operation) const;
  const std::vector<OperationPlace>& places() const { return places_; }
  /// Operations issued at a listing address.
  std::vector<OperationKey> at_address(std::int64_t address) const;
  /// Operations that touch a word.
  std::vector<OperationKey> at_word(MemoryWord word) const;

 private:
  std::vector<OperationPlace> places_;
  std::unordered_map<OperationKey, std::size_t> index_;
};

}  // namespace convscope::artifact
