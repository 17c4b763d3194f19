#pragma once
// The fields of onnx.proto3 (onnx/onnx 1.20, IR 13) that the reader reads, by message and number. Fields that are not
// listed are skipped where they stand in the file and never cost memory.

#include <cstdint>

namespace convscope::readers::onnx_format {

enum class Message {
  model,
  operator_set,
  function,
  graph,
  subgraph,  ///< of control flow: its name and the number of its nodes
  node,
  attribute,
  tensor,
  sparse_tensor,
  sparse_values,  ///< name and type only
  entry,
  value_info,
  type,
  tensor_type,
  shape,
  dimension,
  empty  ///< that it is there matters, not what is in it
};

enum class Keep {
  number,   ///< copied as it stands
  text,     ///< copied as it stands
  message,  ///< entered
  bulk      ///< values of a tensor: stay in the file, a reference is kept
};

struct Field {
  int number;
  const char* name;
  Keep keep;
  Message message = Message::empty;  ///< for Keep::message
};

/// Null if the field is not read.
const Field* field_of(Message message, std::uint64_t number);

/// References to bulk values stand in the tensor as a field of this number, plus the number of the field that they
/// replace. onnx.proto has no field beyond 100, and none that is not listed above survives.
inline constexpr int bulk_reference = 1000;

}  // namespace convscope::readers::onnx_format
