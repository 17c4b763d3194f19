#include "core/readers/tflite/tflite.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/tflite/translation.h"

namespace convscope::readers {
namespace {

using namespace tflite;

constexpr const char* format_id = "tflite";

/// A tensor that two operators make has no single meaning.
bool has_one_producer_each(const Model& model, Report& report) {
  std::vector<bool> made(model.tensors.size(), false);
  for (const std::int64_t input : model.inputs) made[static_cast<std::size_t>(input)] = true;
  for (const ModelOperator& entry : model.operators) {
    for (const std::int64_t output : entry.outputs) {
      const auto index = static_cast<std::size_t>(output);
      if (made[index] || !model.tensors[index].data.empty()) {
        report.error(0, fmt::format("tensor '{}'", model.tensors[index].name),
                     "it is made by an operator, but also fed, constant, or made by another one");
        return false;
      }
      made[index] = true;
    }
  }
  return true;
}

}  // namespace

bool is_tflite(std::string_view head) {
  return head.size() >= 8 && head.substr(4, 4) == "TFL3";
}

std::optional<network::Network> read_tflite_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                                  const std::string& path, Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  if (!is_tflite(bytes)) {
    report.error(0, {}, "the file is not a TensorFlow Lite model", "the identifier TFL3 at byte 4");
    return std::nullopt;
  }
  const std::optional<Model> model = read_model(bytes, report);
  if (!model || !has_one_producer_each(*model, report)) return std::nullopt;
  if (model->operators.empty()) report.error(0, {}, "the subgraph has no operators");
  Translation translation(*model, std::move(owner), report);
  for (const ModelOperator& entry : model->operators) translate(entry, translation);
  if (report.any_error()) return std::nullopt;
  network::Network network;
  network.graph = translation.finish();
  if (!network.graph || report.any_error()) return std::nullopt;
  network.name = stem_of(path);
  network.source_file = path;
  network.format = format_id;
  return network;
}

std::optional<network::Network> read_tflite(const MappedFile& file, const std::string& path, Diagnostics& diagnostics) {
  return read_tflite_bytes(file.bytes(), file.owner(), path, diagnostics);
}

}  // namespace convscope::readers
