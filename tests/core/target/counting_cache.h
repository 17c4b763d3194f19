#pragma once
// A pass cache that tells what passes were asked for and what they computed.

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/target/pass_cache.h"

namespace convscope::target {

class CountingCache : public PassCache {
 public:
  /// Computations by pass, since the last call.
  std::map<std::string, int> take_counts() { return std::exchange(counts_, {}); }
  int count(const std::string& pass) const { return counts_.count(pass) ? counts_.at(pass) : 0; }
  /// Keys by pass that were asked for, since the last call.
  std::map<std::string, std::set<std::string>> take_keys() { return std::exchange(keys_, {}); }

 protected:
  std::shared_ptr<const void> get_erased(std::string_view pass, const std::string& key,
                                         const std::function<std::shared_ptr<const void>()>& compute) override {
    keys_[std::string(pass)].insert(key);
    auto& result = results_[{std::string(pass), key}];
    if (result) return result;
    ++counts_[std::string(pass)];
    return result = compute();
  }

 private:
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const void>> results_;
  std::map<std::string, int> counts_;
  std::map<std::string, std::set<std::string>> keys_;
};

}  // namespace convscope::target
