#include "core/artifact/metrics.h"

#include <cassert>
#include <utility>

namespace convscope::artifact {

NamedQuantity described(const std::vector<FigureDescription>& figures, std::string_view key, double value,
                        Origin origin) {
  const FigureDescription* description = find_figure(figures, key);
  assert(description != nullptr);
  return {description->key, {value, description->unit, origin}};
}

const Quantity* Metrics::find(std::string_view key) const {
  if (key == "cycles") return &cycles;
  if (key == "seconds") return &seconds;
  if (key == "utilization") return &utilization;
  for (const NamedQuantity& figure : target_figures)
    if (figure.key == key) return &figure.quantity;
  return nullptr;
}

Quantity* Metrics::find(std::string_view key) {
  return const_cast<Quantity*>(std::as_const(*this).find(key));
}

std::string_view Metrics::text(std::string_view key) const {
  for (const NamedQuantity& figure : target_figures)
    if (figure.key == key) return figure.text;
  return {};
}

}  // namespace convscope::artifact
