#include "core/artifact/metrics.h"

namespace convscope::artifact {

const Quantity* Metrics::find(std::string_view key) const {
  if (key == "cycles") return &cycles;
  if (key == "seconds") return &seconds;
  if (key == "utilization") return &utilization;
  for (const NamedQuantity& figure : target_figures)
    if (figure.key == key) return &figure.quantity;
  return nullptr;
}

std::string_view Metrics::text(std::string_view key) const {
  for (const NamedQuantity& figure : target_figures)
    if (figure.key == key) return figure.text;
  return {};
}

}  // namespace convscope::artifact
