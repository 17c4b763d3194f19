#include "core/readers/onnx/schema.h"

#include <span>

namespace convscope::readers::onnx_format {
namespace {

constexpr Field model_fields[] = {
    {1, "ir_version", Keep::number},
    {2, "producer_name", Keep::text},
    {7, "graph", Keep::message, Message::graph},
    {8, "opset_import", Keep::message, Message::operator_set},
    {25, "functions", Keep::message, Message::function},
};
constexpr Field operator_set_fields[] = {{1, "domain", Keep::text}, {2, "version", Keep::number}};
constexpr Field function_fields[] = {{1, "name", Keep::text}, {10, "domain", Keep::text}};
constexpr Field graph_fields[] = {
    {1, "node", Keep::message, Message::node},
    {2, "name", Keep::text},
    {5, "initializer", Keep::message, Message::tensor},
    {11, "input", Keep::message, Message::value_info},
    {12, "output", Keep::message, Message::value_info},
    {13, "value_info", Keep::message, Message::value_info},
    {15, "sparse_initializer", Keep::message, Message::sparse_tensor},
};
constexpr Field subgraph_fields[] = {{1, "node", Keep::message, Message::empty}, {2, "name", Keep::text}};
constexpr Field node_fields[] = {
    {1, "input", Keep::text},   {2, "output", Keep::text}, {3, "name", Keep::text},
    {4, "op_type", Keep::text}, {7, "domain", Keep::text}, {5, "attribute", Keep::message, Message::attribute},
};
constexpr Field attribute_fields[] = {
    {1, "name", Keep::text},
    {2, "f", Keep::number},
    {3, "i", Keep::number},
    {4, "s", Keep::text},
    {5, "t", Keep::message, Message::tensor},
    {6, "g", Keep::message, Message::subgraph},
    {7, "floats", Keep::number},
    {8, "ints", Keep::number},
    {9, "strings", Keep::text},
    {11, "graphs", Keep::message, Message::subgraph},
    {20, "type", Keep::number},
    {22, "sparse_tensor", Keep::message, Message::sparse_tensor},
};
constexpr Field tensor_fields[] = {
    {1, "dims", Keep::number},           {2, "data_type", Keep::number},
    {4, "float_data", Keep::bulk},       {5, "int32_data", Keep::number},
    {7, "int64_data", Keep::number},     {8, "name", Keep::text},
    {9, "raw_data", Keep::bulk},         {10, "double_data", Keep::bulk},
    {11, "uint64_data", Keep::number},   {13, "external_data", Keep::message, Message::entry},
    {14, "data_location", Keep::number},
};
constexpr Field sparse_tensor_fields[] = {
    {1, "values", Keep::message, Message::sparse_values},
    {3, "dims", Keep::number},
};
constexpr Field sparse_values_fields[] = {{2, "data_type", Keep::number}, {8, "name", Keep::text}};
constexpr Field entry_fields[] = {{1, "key", Keep::text}, {2, "value", Keep::text}};
constexpr Field value_info_fields[] = {{1, "name", Keep::text}, {2, "type", Keep::message, Message::type}};
constexpr Field type_fields[] = {
    {1, "tensor_type", Keep::message, Message::tensor_type}, {4, "sequence_type", Keep::message, Message::empty},
    {5, "map_type", Keep::message, Message::empty},          {8, "sparse_tensor_type", Keep::message, Message::empty},
    {9, "optional_type", Keep::message, Message::empty},
};
constexpr Field tensor_type_fields[] = {
    {1, "elem_type", Keep::number},
    {2, "shape", Keep::message, Message::shape},
};
constexpr Field shape_fields[] = {{1, "dim", Keep::message, Message::dimension}};
constexpr Field dimension_fields[] = {{1, "dim_value", Keep::number}, {2, "dim_param", Keep::text}};

std::span<const Field> fields_of(Message message) {
  switch (message) {
    case Message::model:
      return model_fields;
    case Message::operator_set:
      return operator_set_fields;
    case Message::function:
      return function_fields;
    case Message::graph:
      return graph_fields;
    case Message::subgraph:
      return subgraph_fields;
    case Message::node:
      return node_fields;
    case Message::attribute:
      return attribute_fields;
    case Message::tensor:
      return tensor_fields;
    case Message::sparse_tensor:
      return sparse_tensor_fields;
    case Message::sparse_values:
      return sparse_values_fields;
    case Message::entry:
      return entry_fields;
    case Message::value_info:
      return value_info_fields;
    case Message::type:
      return type_fields;
    case Message::tensor_type:
      return tensor_type_fields;
    case Message::shape:
      return shape_fields;
    case Message::dimension:
      return dimension_fields;
    case Message::empty:
      return {};
  }
  return {};
}

}  // namespace

const Field* field_of(Message message, std::uint64_t number) {
  for (const Field& field : fields_of(message))
    if (static_cast<std::uint64_t>(field.number) == number) return &field;
  return nullptr;
}

}  // namespace convscope::readers::onnx_format
