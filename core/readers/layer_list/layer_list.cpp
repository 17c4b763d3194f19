#include "core/readers/layer_list/layer_list.h"

#include <map>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/readers/layer_list/layers.h"

namespace convscope::readers {
namespace {

using namespace layer_list;

constexpr const char* format_id = "layer_list";
constexpr std::size_t text_cap = std::size_t{1} << 20;

class ListReader {
 public:
  ListReader(const XmlDocument& document, Report& report) : document_(document), report_(report), graph_(report) {}

  std::shared_ptr<const network::Graph> read() {
    check_attributes(document_.root(), {"name"}, document_.location(document_.root(), "layer_list"),
                     report_.diagnostics());
    for (const pugi::xml_node node : document_.root().children()) read_node(node);
    if (!report_.any_error() && graph_.graph().nodes.empty())
      report_.error(document_.line(document_.root()), "layer_list", "the list has no layers");
    return report_.any_error() ? nullptr : graph_.finish();
  }

 private:
  void read_node(pugi::xml_node node) {
    if (node.type() == pugi::node_comment) return;
    const int line = document_.line(node);
    if (node.type() != pugi::node_element) return report_.error(line, {}, "text stands between the layers");
    if (node.first_child() && node.first_child().type() != pugi::node_comment)
      report_.error(line, fmt::format("<{}>", clean_name(node.name())), "a layer holds nothing but attributes");
    Element element(node, line, name_of(node, line), report_);
    element.text("name");
    const Output output = element.type() == "input" ? read_input(element) : read_layer(element);
    outputs_[element.name()] = output;
    last_ = output;
    has_last_ = true;
    // A layer that was left alone (unknown, or behind one that failed) has asked for nothing.
    if (output.tensor >= 0) element.check_attributes();
  }

  /// The stated name, or the element's with a number that counts the elements of its kind.
  std::string name_of(pugi::xml_node node, int line) {
    const std::string kind = clean_name(node.name());
    const int number = ++counts_[kind];
    const std::string stated = clean_name(node.attribute("name").value());
    const std::string name = stated.empty() ? fmt::format("{}{}", kind, number) : stated;
    if (name.find_first_of(" \t\n\r") != std::string::npos)
      report_.error(line, fmt::format("layer '{}'", name), "its name has blanks, which separate names in 'from'");
    if (outputs_.count(name) != 0)
      report_.error(line, fmt::format("layer '{}'", name), "an earlier layer has the same name");
    return name;
  }

  Output read_input(Element& element) {
    const std::int64_t largest = 1 << 20;
    Output input{
        -1,
        {element.required("maps", largest), element.required("height", largest), element.required("width", largest)}};
    check_elements(element, input);
    input.tensor = graph_.input(element.name(), input.shape());
    return input;
  }

  Output read_layer(Element& element) {
    const Translation translation = translation_of(element.type());
    if (translation == nullptr) {
      element.error(fmt::format("there is no layer <{}>", clean_name(element.type())), element_names());
      return {};
    }
    const std::vector<Output> inputs = inputs_of(element);
    if (inputs.empty()) return {};
    const bool single = element.type() != "add" && element.type() != "concat" && element.type() != "multiply";
    if (single && inputs.size() > 1) element.error(fmt::format("it has {} inputs", inputs.size()), "one");
    const Output output = translation({element, inputs, graph_});
    return output.tensor < 0 || check_elements(element, output) ? output : Output{};
  }

  /// The layers that `from` names, else the layer before. Empty after an error here or there.
  std::vector<Output> inputs_of(Element& element) {
    const std::vector<std::string> names = element.words("from");
    if (names.empty() && !has_last_) element.error("there is no layer before", "<input> as the first layer");
    if (names.empty()) return has_last_ && last_.tensor >= 0 ? std::vector<Output>{last_} : std::vector<Output>{};
    std::vector<Output> inputs;
    for (const std::string& name : names) {
      const auto found = outputs_.find(name);
      if (found == outputs_.end()) element.error(fmt::format("no layer before has the name '{}'", name));
      if (found == outputs_.end() || found->second.tensor < 0) return {};
      inputs.push_back(found->second);
    }
    return inputs;
  }

  bool check_elements(const Element& element, const Output& output) {
    const bool fits = output.maps.elements().has_value();
    if (!fits)
      element.error(
          fmt::format("it has {} maps of {} x {} pixels", output.maps.maps, output.maps.height, output.maps.width),
          fmt::format("at most {} elements", network::element_cap));
    return fits;
  }

  const XmlDocument& document_;
  Report& report_;
  GraphBuilder graph_;
  std::map<std::string, Output> outputs_;
  std::map<std::string, int> counts_;
  Output last_;
  bool has_last_ = false;
};

}  // namespace

bool is_layer_list(std::string_view head) {
  while (true) {
    const std::size_t start = head.find('<');
    if (start == std::string_view::npos) return false;
    // Nothing but blanks and the byte order mark may stand outside of tags before the root.
    if (head.substr(0, start).find_first_not_of(" \t\r\n\xEF\xBB\xBF") != std::string_view::npos) return false;
    head.remove_prefix(start + 1);
    const bool comment = head.starts_with("!--");
    if (!comment && !head.starts_with("?") && !head.starts_with("!")) break;
    const std::string_view closing = comment ? "-->" : ">";
    const std::size_t end = head.find(closing);
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + closing.size());
  }
  const std::string_view name = "layer_list";
  if (!head.starts_with(name)) return false;
  head.remove_prefix(name.size());
  return head.empty() || std::string_view(" \t\r\n/>").find(head.front()) != std::string_view::npos;
}

std::optional<network::Network> read_layer_list_text(std::string_view text, const std::string& path,
                                                     Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  if (text.size() > text_cap) {
    report.error(0, {}, fmt::format("the file has {} bytes", text.size()), fmt::format("at most {}", text_cap));
    return std::nullopt;
  }
  const auto document = XmlDocument::parse(text, path, diagnostics);
  if (!document) return std::nullopt;
  if (std::string_view(document->root().name()) != "layer_list") {
    report.error(document->line(document->root()), {},
                 fmt::format("the root element is {}", convscope::quoted(document->root().name())), "layer_list");
    return std::nullopt;
  }
  network::Network network;
  network.graph = ListReader(*document, report).read();
  if (!network.graph) return std::nullopt;
  network.name = clean_name(document->root().attribute("name").value());
  if (network.name.empty()) network.name = stem_of(path);
  network.source_file = path;
  network.format = format_id;
  return network;
}

std::optional<network::Network> read_layer_list(const MappedFile& file, const std::string& path,
                                                Diagnostics& diagnostics) {
  return read_layer_list_text(file.bytes(), path, diagnostics);
}

}  // namespace convscope::readers
