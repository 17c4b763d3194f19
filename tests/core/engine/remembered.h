#pragma once
// A pass cache without passes: any key, any function. For the tests of caches and of what uses them.

#include <memory>
#include <string>

#include "core/target/pass_cache.h"

namespace convscope::engine {

class OpenedCache : public target::PassCache {
 public:
  template <typename T>
  static std::shared_ptr<const T> get(target::PassCache& cache, std::string_view pass, const std::string& key,
                                      const std::function<std::shared_ptr<const T>()>& compute) {
    const auto get = &OpenedCache::get_erased;
    return std::static_pointer_cast<const T>(
        (cache.*get)(pass, key, [&]() -> std::shared_ptr<const void> { return compute(); }));
  }
};

template <typename T>
std::shared_ptr<const T> remembered(target::PassCache& cache, std::string_view pass, const std::string& key,
                                    const std::function<std::shared_ptr<const T>()>& compute) {
  return OpenedCache::get<T>(cache, pass, key, compute);
}

}  // namespace convscope::engine
