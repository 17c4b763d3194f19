#pragma once
// Element types of tensors, as the formats name them.

#include <cstdint>
#include <string_view>

namespace convscope::network {

enum class ElementType {
  unknown,
  float32,
  float16,
  bfloat16,
  float64,
  int4,
  uint4,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  other
};

std::string_view element_type_name(ElementType type);
/// Bits of one element; 0 for unknown, string and other.
int element_bits(ElementType type);
/// Of a number in ONNX's TensorProto.DataType, as attributes (Cast's `to`) hold it too; other if we have no such type.
ElementType element_type_of_onnx(std::int64_t number);

}  // namespace convscope::network
