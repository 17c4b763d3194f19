#pragma once
// How far off results may be.

#include <optional>
#include <string>
#include <string_view>

namespace convscope::cpu {

/// How errors e of outputs y are told: the largest, max|e| / rms(y), or all together, |e| / |y|.
enum class ErrorMetric { max, l2 };

std::string_view key(ErrorMetric metric);
std::optional<ErrorMetric> find_error_metric(std::string_view key);

/// What a program's errors may be at most.
struct Accuracy {
  ErrorMetric metric = ErrorMetric::max;
  /// 0: nothing was asked for; then programs of transformed kernels may err as much as `usual_error`, or as a plain
  /// sum may.
  double bound = 0;
};
inline constexpr double usual_error = 1e-5;

/// "max error up to 1e-05", as it stands in a search's name; empty if nothing was asked for.
std::string text(const Accuracy& accuracy);
/// What the name of a search has of it; nothing if there is none.
std::optional<Accuracy> find_accuracy(std::string_view name);

}  // namespace convscope::cpu
