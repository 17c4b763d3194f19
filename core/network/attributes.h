#pragma once
// Attributes of a node, with the names and meanings that ONNX gives them; readers of other formats translate.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace convscope::network {

using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                                    std::vector<std::string>>;

class Attributes {
 public:
  void set(const std::string& name, AttributeValue value) { values_[name] = std::move(value); }
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  /// The value, or the fallback if it is absent or of another type.
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  double real(std::string_view name, double fallback) const;
  std::string text(std::string_view name, const std::string& fallback = {}) const;
  std::vector<std::int64_t> integers(std::string_view name) const;
  std::vector<double> reals(std::string_view name) const;
  const std::map<std::string, AttributeValue, std::less<>>& all() const { return values_; }
  bool operator==(const Attributes&) const = default;

 private:
  std::map<std::string, AttributeValue, std::less<>> values_;
};

}  // namespace convscope::network
