#include "core/network/attributes.h"

namespace convscope::network {
namespace {

using Values = std::map<std::string, AttributeValue, std::less<>>;

template <typename T>
T value_or(const Values& values, std::string_view name, T fallback) {
  const auto found = values.find(name);
  if (found == values.end()) return fallback;
  const T* value = std::get_if<T>(&found->second);
  return value ? *value : fallback;
}

}  // namespace

std::int64_t Attributes::integer(std::string_view name, std::int64_t fallback) const {
  return value_or<std::int64_t>(values_, name, fallback);
}

double Attributes::real(std::string_view name, double fallback) const {
  return value_or<double>(values_, name, fallback);
}

std::string Attributes::text(std::string_view name, const std::string& fallback) const {
  return value_or<std::string>(values_, name, fallback);
}

std::vector<std::int64_t> Attributes::integers(std::string_view name) const {
  return value_or<std::vector<std::int64_t>>(values_, name, {});
}

std::vector<double> Attributes::reals(std::string_view name) const {
  return value_or<std::vector<double>>(values_, name, {});
}

}  // namespace convscope::network
