#pragma once
// Protobuf's text format (protobuf.dev, "Text Format Language Specification") as a tree of fields, without a schema.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/readers/common/report.h"

namespace convscope::readers::protobuf_text {

inline constexpr std::size_t text_cap = std::size_t{16} << 20;
inline constexpr int depth_cap = 32;
inline constexpr int field_cap = 500'000;

struct Message;

/// `name: value` or `name { … }`.
struct Field {
  std::string name;
  int line = 0;
  std::string value;                 ///< as written; of strings what they hold
  std::shared_ptr<Message> message;  ///< null for values
};

struct Message {
  std::vector<Field> fields;
  int line = 0;

  /// The last field of that name, as protobuf takes it; null if there is none.
  const Field* find(std::string_view name) const;
  std::vector<const Field*> all(std::string_view name) const;
  /// The last message of that name; an empty one if there is none.
  const Message& sub(std::string_view name) const;
};

/// The tree of a text; null, with an error that names the line, if it is malformed, larger than `cap` bytes, or too
/// deep.
std::shared_ptr<const Message> parse_text(std::string_view text, Report& report, std::size_t cap = text_cap);

/// True if a field `name {` of one of the names stands at the top level of the first `limit` bytes.
bool has_message(std::string_view text, const std::vector<std::string_view>& names, std::size_t limit);

/// Typed fields of a message; what is not of the type or out of its limits is an error with its line.
class Fields {
 public:
  Fields(const Message& message, std::string layer, Report& report)
      : message_(message), layer_(std::move(layer)), report_(report) {}

  bool has(std::string_view name) const { return message_.find(name) != nullptr; }
  std::int64_t integer(std::string_view name, std::int64_t fallback, std::int64_t smallest, std::int64_t largest) const;
  double real(std::string_view name, double fallback) const;
  bool boolean(std::string_view name, bool fallback) const;
  std::string text(std::string_view name, const std::string& fallback = {}) const;
  std::vector<std::int64_t> integers(std::string_view name, std::int64_t smallest, std::int64_t largest) const;
  std::vector<double> reals(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  Fields sub(std::string_view name) const { return {message_.sub(name), layer_, report_}; }

 private:
  std::int64_t integer_of(const Field& field, std::int64_t fallback, std::int64_t smallest, std::int64_t largest) const;
  double real_of(const Field& field, double fallback) const;

  const Message& message_;
  std::string layer_;
  Report& report_;
};

}  // namespace convscope::readers::protobuf_text
