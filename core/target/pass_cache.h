#pragma once
// Memoization by pass: the key is the pass's name and its narrow parameters, so dragging one parameter
// recomputes only the passes that look at it.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace convscope::target {

template <typename Result, typename... Inputs>
class Pass;

/// Entries are made by passes alone (pass.h), whose keys are complete.
class PassCache {
 public:
  virtual ~PassCache() = default;

 private:
  template <typename Result, typename... Inputs>
  friend class Pass;

  /// The cached result for (pass, key), or compute()'s, which is then kept. May be called from many threads; the same
  /// key is computed once while others wait. A compute() that throws leaves nothing behind. `bytes` is a rough size.
  template <typename T>
  std::shared_ptr<const T> get(std::string_view pass, const std::string& key,
                               const std::function<std::shared_ptr<const T>()>& compute) {
    return std::static_pointer_cast<const T>(
        get_erased(pass, key, [&]() -> std::shared_ptr<const void> { return compute(); }));
  }

 protected:
  /// get() for any type.
  virtual std::shared_ptr<const void> get_erased(std::string_view pass, const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& compute) = 0;
};

/// Remembers nothing: for one-shot compilations and tests.
class NoCache : public PassCache {
 protected:
  std::shared_ptr<const void> get_erased(std::string_view, const std::string&,
                                         const std::function<std::shared_ptr<const void>()>& compute) override {
    return compute();
  }
};

}  // namespace convscope::target
