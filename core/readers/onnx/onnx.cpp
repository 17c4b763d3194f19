#include "core/readers/onnx/onnx.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "core/base/text.h"
#include "core/readers/onnx/build_graph.h"
#include "core/readers/onnx/parse.h"
#include "core/readers/onnx/recognize.h"

namespace convscope::readers {

using namespace onnx_format;

namespace {

// What people have when a download went wrong.
bool is_something_else(std::string_view bytes, Report& report) {
  if (bytes.empty()) report.error(0, {}, "the file is empty", "an ONNX model");
  if (looks_like_lfs_pointer(bytes))
    report.error(0, {}, "this is a Git LFS pointer, not the model", "an ONNX model",
                 "fetch the model with: git lfs pull");
  if (bytes.starts_with("<!DOCTYPE") || bytes.starts_with("<!doctype") || bytes.starts_with("<html"))
    report.error(0, {}, "this is a web page, not the model", "an ONNX model", "download the file that the page shows");
  return report.any_error();
}

// Version of ONNX's own operators; 0 if the file doesn't say.
int operator_set_of(const onnx::ModelProto& model) {
  std::int64_t version = 0;
  for (const auto& import : model.opset_import())
    if (import.domain().empty() || import.domain() == "ai.onnx") version = import.version();
  return static_cast<int>(std::clamp<std::int64_t>(version, 0, 1'000'000));
}

void note_versions(const onnx::ModelProto& model, Report& report) {
  constexpr int newest_ir = 13, newest_operators = 25;
  const auto note = [&](const char* what, std::int64_t version) {
    report.note(0, what, fmt::format("{} is newer than any that this reader was tried with", version));
  };
  if (model.ir_version() > newest_ir) note("ir_version", model.ir_version());
  if (operator_set_of(model) > newest_operators) note("opset_import", operator_set_of(model));
}

std::optional<network::Graph> graph_of(const ParsedModel& model, const MappedFile& file, Report& report) {
  if (!model.message->has_graph()) {
    report.error(0, {}, "there is no graph in it", "an ONNX model");
    return std::nullopt;
  }
  note_versions(*model.message, report);
  ExternalFiles external(report.file(), report);
  const ValueSource source{model.message, file.owner(), model.bulk, external};
  auto graph = build_graph(model, source, report);
  if (graph) graph->opset = operator_set_of(*model.message);
  return graph;
}

}  // namespace

bool is_onnx(std::string_view head) {
  return looks_like_lfs_pointer(head) || looks_like_text(head) || looks_like_binary(head);
}

std::optional<network::Network> read_onnx(const MappedFile& file, const std::string& path, Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  if (is_something_else(file.bytes(), report)) return std::nullopt;
  const auto model =
      looks_like_text(file.bytes()) ? parse_text(file.bytes(), report) : parse_binary(file.bytes(), report);
  if (!model) return std::nullopt;
  auto graph = graph_of(*model, file, report);
  if (!graph) return std::nullopt;
  network::Network network;
  network.name = clean(std::filesystem::path(path).stem().string());
  network.source_file = path;
  network.format = "onnx";
  network.graph = std::make_shared<const network::Graph>(std::move(*graph));
  return network;
}

std::optional<network::Constant> read_onnx_tensor(const MappedFile& file, const std::string& path,
                                                  Diagnostics& diagnostics, std::string* name) {
  Report report(path, diagnostics);
  if (is_something_else(file.bytes(), report)) return std::nullopt;
  const auto tensor = parse_tensor(file.bytes(), report);
  if (!tensor) return std::nullopt;
  ExternalFiles external(path, report);
  const ValueSource source{tensor->message, file.owner(), tensor->bulk, external};
  auto constant = constant_of(*tensor->message, source, "tensor " + in_quotes(tensor->message->name()), report);
  if (constant && name != nullptr) *name = clean(tensor->message->name());
  return constant;
}

}  // namespace convscope::readers
