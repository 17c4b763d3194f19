#pragma once
// Small TensorFlow Lite models for tests, made field by field (numbers of schema.fbs).

#include <map>
#include <string>
#include <vector>

#include "tests/core/readers/flat_writer.h"

namespace convscope::readers {

using Int32s = std::vector<std::int32_t>;

inline std::string bytes_of(const Int32s& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int32_t)};
}

struct SmallModel {
  std::vector<FlatFields> tensors, operators, codes;
  std::vector<FlatFields> buffers{FlatFields{}};
  Int32s inputs, outputs;

  /// Types: 0 float32, 2 int32, 9 int8. Values make it a constant.
  std::int32_t tensor(const std::string& name, const Int32s& shape, std::int64_t type = 0,
                      const std::string& values = {}) {
    FlatFields fields{{{0, shape}, {1, type}, {3, name}}};
    if (!values.empty()) {
      fields.fields[2] = static_cast<std::int64_t>(buffers.size());
      buffers.push_back({{{0, values}}});
    }
    tensors.push_back(fields);
    return static_cast<std::int32_t>(tensors.size()) - 1;
  }
  std::int32_t integers(const std::string& name, const Int32s& values) {
    return tensor(name, {static_cast<std::int32_t>(values.size())}, 2, bytes_of(values));
  }
  void add(std::int64_t builtin, const Int32s& from, const Int32s& to, const FlatFields& options = {},
           const std::string& custom = {}) {
    FlatFields code{{{0, std::int64_t{std::min<std::int64_t>(builtin, 127)}}, {3, builtin}}};
    if (!custom.empty()) code.fields[1] = custom;
    operators.push_back(
        {{{0, static_cast<std::int64_t>(codes.size())}, {1, from}, {2, to}, {3, options_type(builtin)}, {4, options}}});
    codes.push_back(code);
  }
  /// Number in the union of options; 0 for operators that have none here.
  static std::int64_t options_type(std::int64_t builtin) {
    static const std::map<std::int64_t, std::int64_t> types{
        {0, 11},  {1, 5},   {2, 10},  {3, 1},   {4, 2},   {5, 94},  {9, 8},   {17, 5},
        {18, 21}, {23, 15}, {25, 9},  {26, 19}, {40, 27}, {41, 28}, {42, 29}, {45, 32},
        {67, 49}, {74, 27}, {81, 27}, {82, 27}, {89, 27}, {97, 74}, {98, 75}, {100, 77}};
    const auto found = types.find(builtin);
    return found == types.end() ? 0 : found->second;
  }
  std::string file() const {
    const FlatFields subgraph{{{0, tensors}, {1, inputs}, {2, outputs}, {3, operators}}};
    return FlatWriter::file({{{0, std::int64_t{3}}, {1, codes}, {2, std::vector<FlatFields>{subgraph}}, {4, buffers}}},
                            "TFL3");
  }
};

}  // namespace convscope::readers
