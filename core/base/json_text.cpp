#include "core/base/json_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace convscope {
namespace {

using Json = nlohmann::json;

class JsonScan : public nlohmann::json_sax<Json> {
 public:
  explicit JsonScan(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return --depth_ >= 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    position_ = position;
    return false;
  }

  bool too_deep() const { return depth_ > limits_.depth; }
  bool too_many() const { return values_ > limits_.values; }
  std::size_t position() const { return position_; }

 private:
  bool count() { return ++values_ <= limits_.values; }
  bool enter() { return count() && ++depth_ <= limits_.depth; }

  const JsonLimits& limits_;
  int depth_ = 0;
  std::size_t values_ = 0, position_ = 0;
};

int line_of(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace

bool check_json(std::string_view text, const std::string& file, const JsonLimits& limits, const std::string& expected,
                Diagnostics& diagnostics) {
  if (text.size() > limits.bytes) {
    diagnostics.error({file, 0, {}}, "file is too large", fmt::format("at most {} bytes", limits.bytes));
    return false;
  }
  JsonScan scan(limits);
  if (Json::sax_parse(text.begin(), text.end(), &scan)) return true;
  if (scan.too_deep())
    diagnostics.error({file, 0, {}}, "members nest too deeply", fmt::format("at most {} levels", limits.depth));
  else if (scan.too_many())
    diagnostics.error({file, 0, {}}, "too many values", fmt::format("at most {}", limits.values));
  else
    diagnostics.error({file, line_of(text, scan.position()), {}}, "malformed JSON", expected);
  return false;
}

}  // namespace convscope
