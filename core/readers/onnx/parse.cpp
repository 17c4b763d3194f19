#include "core/readers/onnx/parse.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include "core/base/text.h"
#include "core/readers/onnx/skeleton.h"

namespace convscope::readers::onnx_format {
namespace {

namespace protobuf = google::protobuf;

constexpr int recursion_limit = 16;  // Of a skeleton: model, graph, node, attribute, tensor, entry.

template <typename Parsed>
bool parse(const std::string& bytes, Parsed& message, Report& report) {
  // What protobuf would print is said by the error below.
  const protobuf::LogSilencer silence;
  protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                        static_cast<int>(bytes.size()));
  stream.SetTotalBytesLimit(static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(recursion_limit);
  if (message.ParsePartialFromCodedStream(&stream)) return true;
  report.error(0, {}, "protobuf cannot decode its fields", "an ONNX message", "the file is damaged");
  return false;
}

class TextErrors : public protobuf::io::ErrorCollector {
 public:
  explicit TextErrors(Report& report) : report_(report) {}
  void AddError(int line, protobuf::io::ColumnNumber column, const std::string& message) override {
    report_.error(line + 1, fmt::format("column {}", column + 1), clean(message), "an ONNX model as protobuf text");
  }
  // Fields of later versions of onnx.proto.
  void AddWarning(int line, protobuf::io::ColumnNumber, const std::string& message) override {
    report_.note(line + 1, {}, clean(message));
  }

 private:
  Report& report_;
};

std::vector<int> lines_of_nodes(const onnx::ModelProto& model, const protobuf::TextFormat::ParseInfoTree& tree) {
  const auto* graph_field = onnx::ModelProto::descriptor()->FindFieldByName("graph");
  const auto* node_field = onnx::GraphProto::descriptor()->FindFieldByName("node");
  const auto* graph = tree.GetTreeForNested(graph_field, -1);
  std::vector<int> lines;
  for (int i = 0; graph != nullptr && i < model.graph().node_size(); ++i)
    lines.push_back(graph->GetLocation(node_field, i).line + 1);
  return lines;
}

}  // namespace

std::optional<ParsedModel> parse_binary(std::string_view bytes, Report& report) {
  auto skeleton = skeleton_of(bytes, Message::model, report);
  if (!skeleton) return std::nullopt;
  const auto model = std::make_shared<onnx::ModelProto>();
  if (!parse(skeleton->bytes, *model, report)) return std::nullopt;
  return ParsedModel{model, std::move(skeleton->bulk), {}};
}

std::optional<ParsedTensor> parse_tensor(std::string_view bytes, Report& report) {
  auto skeleton = skeleton_of(bytes, Message::tensor, report);
  if (!skeleton) return std::nullopt;
  const auto tensor = std::make_shared<onnx::TensorProto>();
  if (!parse(skeleton->bytes, *tensor, report)) return std::nullopt;
  return ParsedTensor{tensor, std::move(skeleton->bulk)};
}

std::optional<ParsedModel> parse_text(std::string_view text, Report& report) {
  constexpr std::size_t cap = std::size_t{16} << 20;
  if (text.size() > cap) {
    report.error(0, {}, fmt::format("{} bytes of text", text.size()), fmt::format("at most {}", cap),
                 "large models are read in ONNX's binary form");
    return std::nullopt;
  }
  const protobuf::LogSilencer silence;
  const auto model = std::make_shared<onnx::ModelProto>();
  TextErrors errors(report);
  protobuf::TextFormat::ParseInfoTree tree;
  protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&tree);
  parser.AllowUnknownField(true);
  parser.AllowPartialMessage(true);
  parser.SetRecursionLimit(64);
  protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, model.get())) {
    if (!report.any_error()) report.error(0, {}, "this is no protobuf text", "an ONNX model as protobuf text");
    return std::nullopt;
  }
  return ParsedModel{model, {}, lines_of_nodes(*model, tree)};
}

}  // namespace convscope::readers::onnx_format
