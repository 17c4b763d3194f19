#include "core/readers/onnx/recognize.h"

#include <algorithm>
#include <array>

#include "core/readers/common/protobuf_wire.h"

namespace convscope::readers::onnx_format {
namespace {

constexpr std::uint64_t ir_version = 1, graph = 7, operator_set_import = 8;

// Fields of ModelProto: caffe.NetParameter begins with its name as field 1, tensorflow.GraphDef with a node as field 1,
// TensorProto has a number as field 2; a TensorFlow SavedModel has a number as field 1, but no field 7 or 8.
bool is_model_field(const Tag& tag) {
  constexpr std::array<std::uint64_t, 2> numbers = {ir_version, 5};
  constexpr std::array<std::uint64_t, 10> bytes = {2, 3, 4, 6, graph, operator_set_import, 14, 20, 25, 26};
  const auto has = [&](const auto& list) { return std::find(list.begin(), list.end(), tag.number) != list.end(); };
  if (tag.type == WireType::varint) return has(numbers);
  return tag.type == WireType::bytes && has(bytes);
}

std::string_view without_space_and_comments(std::string_view text) {
  for (;;) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    text.remove_prefix(std::min(start, text.size()));
    if (text.empty() || text.front() != '#') return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

}  // namespace

bool looks_like_lfs_pointer(std::string_view bytes) {
  return bytes.starts_with("version https://git-lfs.github.com/spec/");
}

bool looks_like_text(std::string_view bytes) {
  constexpr std::array<std::string_view, 8> names = {"ir_version", "opset_import",  "producer_name", "producer_version",
                                                     "graph",      "model_version", "doc_string",    "metadata_props"};
  const std::string_view text = without_space_and_comments(bytes.substr(0, 65536));
  const std::size_t length = std::min(text.find_first_of(": \t\r\n{<"), text.size());
  const std::string_view rest = without_space_and_comments(text.substr(length));
  if (rest.empty() || (rest.front() != ':' && rest.front() != '{' && rest.front() != '<')) return false;
  return std::find(names.begin(), names.end(), text.substr(0, length)) != names.end();
}

bool looks_like_binary(std::string_view bytes) {
  Cursor cursor{bytes, 0, bytes.size()};
  bool has_version = false, has_operators = false;
  for (int field = 0; field < 32 && !cursor.done(); ++field) {
    const auto tag = read_tag(cursor);
    if (!tag || !is_model_field(*tag)) return false;
    has_version |= tag->number == ir_version;
    has_operators |= tag->number == graph || tag->number == operator_set_import;
    if (tag->number == graph) return true;
    if (!read_payload(cursor, tag->type)) break;
  }
  return has_version && has_operators;
}

}  // namespace convscope::readers::onnx_format
