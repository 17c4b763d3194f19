#include "core/readers/onnx/report.h"

#include <utility>

namespace convscope::readers::onnx_format {
void Report::error(std::string element, std::string what, std::string expected, std::string hint, int line) {
  if (++errors_ > cap) return;
  if (errors_ == cap) hint = "this is the 100th error; further ones are not listed";
  diagnostics_.error({file_, line, std::move(element)}, std::move(what), std::move(expected), std::move(hint));
}

void Report::note(std::string element, std::string what, int line) {
  if (++notes_ > cap) return;
  if (notes_ == cap) what += " (this is the 100th note; further ones are not listed)";
  diagnostics_.note({file_, line, std::move(element)}, std::move(what));
}

}  // namespace convscope::readers::onnx_format
