#pragma once
// A pass: a name and a plain function, remembered by what it is called with. The function can't capture anything, so
// all that it looks at is among its inputs, and every input with all its fields is part of its key: what a pass looks
// at can't be missing there. Keep inputs narrow: what is among them and doesn't matter makes the pass run in vain.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/key.h"
#include "core/target/pass_cache.h"

namespace convscope::target {

/// What passes run with; no result depends on it.
struct PassRun {
  PassCache& cache;
  const std::stop_token& stop;
};

/// What a pass returned. As an input of another pass, the key that it was returned for stands for it.
template <typename Result>
class Remembered {
 public:
  Remembered(std::shared_ptr<const Result> result, std::string key)
      : result_(std::move(result)), key_(std::move(key)) {}
  const Result& operator*() const { return *result_; }
  const Result* operator->() const { return result_.get(); }
  const std::shared_ptr<const Result>& pointer() const { return result_; }
  const std::string& key() const { return key_; }

 private:
  std::shared_ptr<const Result> result_;
  std::string key_;
};

/// Made as a constant: `constexpr Pass schedule{"nve.structure", &schedule_all};` for a function
/// `Program schedule_all(const PassRun& run, const Structure& structure, const SchedulingMachine& machine)`.
/// Inputs are numbers, enumerations, texts, optionals and vectors of them, plain structs, and what other passes
/// returned. An input that is a base of a machine takes the whole machine and lets only that part through.
template <typename Result, typename... Inputs>
class Pass {
 public:
  using Function = Result (*)(const PassRun& run, Inputs... inputs);
  constexpr Pass(std::string_view name, Function function) : name_(name), function_(function) {}

  /// May be called from many threads. What the function throws, Cancelled above all, passes through.
  Remembered<Result> operator()(const PassRun& run, const std::remove_cvref_t<Inputs>&... inputs) const {
    KeyBuilder builder;
    (add(builder, inputs), ...);
    std::string key = builder.take();
    auto result = run.cache.get<Result>(name_, key, [&]() -> std::shared_ptr<const Result> {
      return std::make_shared<const Result>(function_(run, inputs...));
    });
    return {std::move(result), std::move(key)};
  }

 private:
  template <typename Input>
  static void add(KeyBuilder& key, const Input& input) {
    key.add(input);
  }
  template <typename Other>
  static void add(KeyBuilder& key, const Remembered<Other>& input) {
    key.add(input.key());
  }

  std::string_view name_;
  Function function_;
};

}  // namespace convscope::target
