#include "core/analysis/published_reader.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/base/xml.h"

namespace convscope::analysis {
namespace {

struct Unit {
  std::string_view written, base;
  double factor;
};

constexpr Unit units[] = {
    {"", "", 1},
    {"%", "", 0.01},
    {"MAC", "MAC", 1},
    {"MMAC", "MAC", 1e6},
    {"GMAC", "MAC", 1e9},
    {"byte", "byte", 1},
    {"MiB", "byte", 1048576},
    {"op/s", "op/s", 1},
    {"Hz", "Hz", 1},
    {"Gop/s", "op/s", 1e9},
    {"MAC/instruction", "MAC/instruction", 1},
    {"word", "word", 1},
    {"cycles", "cycles", 1},
    {"MHz", "Hz", 1e6},
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"GMAC/s", "MAC/s", 1e9},
    {"GB/s", "byte/s", 1e9},
};

const Unit* find_unit(std::string_view written) {
  const auto* found =
      std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.written == written; });
  return found == std::end(units) ? nullptr : found;
}

std::string unit_names() {
  std::string names;
  for (const Unit& unit : units)
    if (!unit.written.empty()) names += (names.empty() ? "" : ", ") + std::string(unit.written);
  return names;
}

class Reader {
 public:
  Reader(const XmlDocument& document, PublishedContent& content, Diagnostics& diagnostics)
      : document_(document), content_(content), diagnostics_(diagnostics) {}

  void read() {
    const pugi::xml_node root = document_.root();
    if (std::string_view(root.name()) != "published") {
      error(root, fmt::format("the root element is <{}>", root.name()), "<published>");
      return;
    }
    for (const pugi::xml_node child : elements(root)) {
      if (std::string_view(child.name()) == "source")
        read_source(child);
      else
        unknown(child, "<source>");
    }
  }

 private:
  static std::vector<pugi::xml_node> elements(pugi::xml_node parent) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node child : parent.children())
      if (child.type() == pugi::node_element) found.push_back(child);
    return found;
  }

  void error(pugi::xml_node node, std::string what, std::string expected = {}) {
    diagnostics_.error(document_.location(node, fmt::format("<{}>", node.name())), std::move(what),
                       std::move(expected));
  }
  void unknown(pugi::xml_node node, const std::string& expected) { error(node, "unknown element", expected); }

  std::string attribute(pugi::xml_node node, const char* name) {
    std::string value = node.attribute(name).value();
    if (value.empty()) error(node, fmt::format("attribute '{}' is missing or empty", name));
    return value;
  }

  /// What blanks stand between.
  static std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      if (end > begin) found.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return found;
  }

  void read_source(pugi::xml_node node) {
    PublishedSource source{attribute(node, "id"), attribute(node, "title"), attribute(node, "citation")};
    if (source.id.empty() || source.title.empty() || source.citation.empty()) return;
    source.target = node.attribute("target").value();
    if (node.attribute("counts")) source.counts = words(attribute(node, "counts"));
    if (node.attribute("images")) {
      constexpr int most_images = 1 << 20;
      const auto images = parse_integer<int>(attribute(node, "images"));
      if (!images || *images < 1 || *images > most_images)
        return error(node, fmt::format("images are '{}'", node.attribute("images").value()),
                     fmt::format("1 to {}", most_images));
      source.images = *images;
    }
    const auto same = [&](const PublishedSource& other) { return other.id == source.id; };
    if (std::any_of(content_.sources.begin(), content_.sources.end(), same)) {
      error(node, fmt::format("source '{}' is defined twice", source.id), "unique ids over all files");
      return;
    }
    content_.sources.push_back(source);
    for (const pugi::xml_node child : elements(node)) {
      const std::string_view name = child.name();
      if (name == "figure")
        read_figure(child, source.id, "", "");
      else if (name == "network")
        read_network(child, source.id);
      else if (name == "schedule")
        read_schedule(child, source.id);
      else
        unknown(child, "<figure>, <network> or <schedule>");
    }
  }

  void read_network(pugi::xml_node node, const std::string& source) {
    // An empty name is allowed: some statements are about a layer of both networks.
    const std::string network = node.attribute("name").value();
    for (const pugi::xml_node child : elements(node)) {
      const std::string_view name = child.name();
      if (name != "layer" && name != "total") {
        unknown(child, "<layer> or <total>");
        continue;
      }
      const std::string layer = name == "layer" ? attribute(child, "name") : "";
      for (const pugi::xml_node figure : elements(child)) read_figure(figure, source, network, layer);
    }
  }

  void read_figure(pugi::xml_node node, const std::string& source, const std::string& network,
                   const std::string& layer) {
    if (std::string_view(node.name()) != "figure") return unknown(node, "<figure>");
    PublishedFigure figure{source, network, layer, attribute(node, "metric"), 0, ""};
    const Unit* unit = find_unit(node.attribute("unit").value());
    const std::string text = node.text().get();
    const std::optional<double> value = parse_number(trimmed(text));
    if (!unit) error(node, fmt::format("unknown unit '{}'", node.attribute("unit").value()), unit_names());
    if (!value) error(node, fmt::format("'{}' is not a number", text), "a finite decimal number");
    if (!unit || !value || figure.metric.empty()) return;
    figure.value = *value * unit->factor;
    figure.unit = unit->base;
    if (is_duplicate(figure)) return error(node, fmt::format("figure '{}' is given twice", figure.metric));
    content_.figures.push_back(std::move(figure));
  }

  bool is_duplicate(const PublishedFigure& figure) const {
    return std::any_of(content_.figures.begin(), content_.figures.end(), [&](const PublishedFigure& other) {
      return other.source == figure.source && other.network == figure.network && other.layer == figure.layer &&
             other.metric == figure.metric;
    });
  }

  void read_schedule(pugi::xml_node node, const std::string& source) {
    PublishedSchedule schedule;
    schedule.source = source;
    schedule.network = attribute(node, "network");
    schedule.layer = attribute(node, "layer");
    schedule.level = attribute(node, "level");
    for (const pugi::xml_node cycle : elements(node)) read_cycle(cycle, schedule);
    if (schedule.cycles.empty()) return error(node, "the schedule has no cycles", "<cycle> elements");
    content_.schedules.push_back(std::move(schedule));
  }

  void read_cycle(pugi::xml_node node, PublishedSchedule& schedule) {
    if (std::string_view(node.name()) != "cycle") return unknown(node, "<cycle>");
    std::vector<std::string> names, operations;
    for (const pugi::xml_attribute resource : node.attributes()) {
      names.emplace_back(resource.name());
      operations.emplace_back(resource.value());
    }
    if (schedule.cycles.empty()) schedule.resources = names;
    if (names != schedule.resources)
      return error(node, "other resources than in the first cycle", "the same, in order");
    schedule.cycles.push_back(std::move(operations));
  }

  const XmlDocument& document_;
  PublishedContent& content_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_published(std::string_view xml, const std::string& file, PublishedContent& content,
                    Diagnostics& diagnostics) {
  const std::optional<XmlDocument> document = XmlDocument::parse(xml, file, diagnostics);
  if (document) Reader(*document, content, diagnostics).read();
}

}  // namespace convscope::analysis
