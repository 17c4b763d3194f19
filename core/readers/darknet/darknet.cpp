#include "core/readers/darknet/darknet.h"

#include <fmt/format.h>

#include "core/readers/darknet/layers.h"

namespace convscope::readers {
namespace {

using namespace darknet;

constexpr const char* format_id = "darknet";

/// The network's input from section [net].
Output read_input(const Section& net, GraphBuilder& graph, Report& report) {
  const Options options(net, "[net]", report);
  const Limits pixels{1, 1 << 20};
  const auto dimension = [&](const char* key) {
    if (!options.has(key))
      report.error(net.line, "[net]", fmt::format("option '{}' is missing", key), "an integer from 1 to 1048576");
    return options.integer(key, 1, pixels);
  };
  Output input;
  if (options.has("inputs") && !options.has("height")) {
    input.flat = true;
    input.maps = {options.integer("inputs", 1, {1, 1 << 30}), 1, 1};
  } else {
    input.maps = {dimension("channels"), dimension("height"), dimension("width")};
  }
  if (!input.maps.elements())
    report.error(net.line, "[net]",
                 fmt::format("the input is {} x {} x {}", input.maps.maps, input.maps.height, input.maps.width),
                 fmt::format("at most {} elements", network::element_cap));
  input.tensor = graph.input("data", input.shape());
  return input;
}

void translate_sections(const std::vector<Section>& sections, bool transposed, GraphBuilder& graph, WeightOrder& order,
                        Report& report) {
  Output current = read_input(sections.front(), graph, report);
  std::vector<Output> outputs;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const Section& section = sections[i];
    const std::string name = fmt::format("{} {}", i - 1, section.type);
    const LayerContext context{section,   Options(section, fmt::format("layer '{}'", name), report),
                               name,      current,
                               outputs,   graph,
                               order,     report,
                               transposed};
    current = translate(context);
    if (!current.maps.bounded()) {
      context.error(
          fmt::format("it has {} maps of {} x {} pixels", current.maps.maps, current.maps.height, current.maps.width),
          fmt::format("at most {} elements", network::element_cap));
      current = {};
    }
    outputs.push_back(current);
  }
}

bool has_network(const std::vector<Section>& sections, Report& report) {
  if (report.any_error()) return false;
  const bool named = !sections.empty() && (sections.front().type == "net" || sections.front().type == "network");
  if (!named) report.error(sections.empty() ? 1 : sections.front().line, {}, "the file does not start with [net]");
  if (named && sections.size() == 1) report.error(sections.front().line, {}, "the network has no layers");
  return !report.any_error();
}

void assign_weights(const WeightOrder& order, const MappedFile* weights, GraphBuilder& graph, Report& report) {
  if (weights == nullptr) {
    report.note(0, "weights", "there is no .weights file of the same name: weights have shapes, but no values");
  } else {
    order.assign(graph, *weights, report);
  }
}

}  // namespace

bool is_darknet(std::string_view head) {
  Diagnostics ignored;
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    std::string_view line = head.substr(0, end);
    head = end == std::string_view::npos ? std::string_view() : head.substr(end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#' || line[first] == ';') continue;
    line.remove_prefix(first);
    return line.starts_with("[net]") || line.starts_with("[network]");
  }
  return false;
}

std::optional<network::Network> read_darknet_text(std::string_view text, const std::string& path,
                                                  const MappedFile* weights, Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  if (text.size() > text_cap) {
    report.error(0, {}, fmt::format("the file has {} bytes", text.size()), fmt::format("at most {}", text_cap));
    return std::nullopt;
  }
  const std::vector<Section> sections = parse_sections(text, report);
  if (!has_network(sections, report)) return std::nullopt;
  GraphBuilder graph(report);
  WeightOrder order;
  const auto header = weights == nullptr ? std::nullopt : weights_header(weights->bytes());
  translate_sections(sections, header && header->transposed, graph, order, report);
  if (report.any_error()) return std::nullopt;
  assign_weights(order, weights, graph, report);
  network::Network network;
  network.name = stem_of(path);
  network.source_file = path;
  network.format = format_id;
  network.graph = graph.finish();
  return network;
}

std::optional<network::Network> read_darknet(const MappedFile& file, const std::string& path,
                                             Diagnostics& diagnostics) {
  const std::string beside = companion(path, ".weights");
  std::optional<MappedFile> weights;
  if (!beside.empty()) weights = MappedFile::open(beside, diagnostics);
  return read_darknet_text(file.bytes(), path, weights ? &*weights : nullptr, diagnostics);
}

}  // namespace convscope::readers
