#pragma once
// An archive's tables, looked up by key.

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/readers/torch7/archive.h"

namespace convscope::readers::torch7 {

class Tables {
 public:
  explicit Tables(const Archive& archive) : archive_(archive) {}

  const Archive& archive() const { return archive_; }
  const Object& object(int index) const { return archive_.objects[static_cast<std::size_t>(index)]; }
  /// The object of a value; null if it isn't one.
  const Object* object_of(const Value& value) const;
  /// An instance's fields; null if it has none.
  const Object* fields_of(const Value& value) const;

  /// The value of a key of the table or instance; nil if it has no such key, or isn't one.
  Value field(const Value& of, std::string_view key);
  /// Values of the keys 1, 2, … up to the first that is absent.
  const std::vector<Value>& list(const Value& of);

 private:
  using Fields = std::unordered_map<std::string_view, Value>;

  int table_of(const Value& value) const;
  const Fields& fields(int table);

  const Archive& archive_;
  std::unordered_map<int, Fields> fields_;             ///< by table, once asked for
  std::unordered_map<int, std::vector<Value>> lists_;  ///< the same
};

}  // namespace convscope::readers::torch7
