#pragma once
// What a Torch7 file holds: values that refer to objects by index, shared and circular as they may be
// (torch/File.lua, readObject).

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/readers/torch7/source.h"

namespace convscope::readers::torch7 {

enum class Kind : std::uint8_t { nothing, number, text, boolean, object };

struct Value {
  Kind kind = Kind::nothing;
  double number = 0;  ///< of a boolean 0 or 1
  std::string_view text = {};
  int object = -1;  ///< in Archive::objects
};

enum class ObjectKind : std::uint8_t { table, instance, function, tensor, storage };

/// Elements of a storage: (i, j, …) stands at offset + i * strides[0] + j * strides[1] + …
struct TensorLayout {
  std::vector<std::int64_t> dimensions, strides;
  std::int64_t offset = 0;
};

struct Object {
  ObjectKind kind = ObjectKind::table;
  std::string_view type;  ///< class, as "nn.Linear"; "" of tables and functions
  Place place;
  /// A table's keys and values in turn; an instance's fields, as one table; a tensor's storage; a function's upvalues.
  std::vector<Value> values;
  int detail = -1;  ///< of a tensor in Archive::layouts, of a storage in Archive::arrays
};

struct Archive {
  Form form;
  Value root;
  std::vector<Object> objects;
  std::vector<TensorLayout> layouts;
  std::vector<Array> arrays;
};

inline constexpr std::size_t object_cap = std::size_t{1} << 20;
inline constexpr std::size_t value_cap = std::size_t{1} << 24;

/// The whole file, functions skipped; nothing if something doesn't fit, which `problem` then tells.
std::optional<Archive> read_archive(std::string_view bytes, const std::shared_ptr<const void>& owner, Form form,
                                    Source::Problem& problem);

/// The same with the form found out: the one that the whole file fits. If none does, the problem of the more likely
/// one.
std::optional<Archive> read_archive(std::string_view bytes, const std::shared_ptr<const void>& owner,
                                    Source::Problem& problem);

}  // namespace convscope::readers::torch7
