#pragma once
// Sums of products over channels, as generated programs compute them.

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace convscope::winograd {

/// A sum for each of several kernels. After every `chain` products the sum so far is put aside and a new one begun; 0
/// is never.
class Chains {
 public:
  Chains(std::size_t kernels, int chain) : chain_(static_cast<std::size_t>(chain)), sums_(kernels), open_(kernels) {}

  /// weights: one for each kernel.
  void add(float value, std::span<const float> weights) {
    for (std::size_t k = 0; k < open_.size(); ++k) open_[k] = std::fma(value, weights[k], open_[k]);
    if (chain_ > 0 && ++length_ == chain_) close();
  }

  /// The sums; begins anew.
  std::vector<float> take() {
    close();
    std::vector<float> result(sums_.size());
    result.swap(sums_);
    return result;
  }

 private:
  void close() {
    for (std::size_t k = 0; k < open_.size(); ++k) {
      sums_[k] += open_[k];
      open_[k] = 0;
    }
    length_ = 0;
  }

  std::size_t chain_, length_ = 0;
  std::vector<float> sums_, open_;
};

}  // namespace convscope::winograd
