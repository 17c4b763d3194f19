#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/base/xml.h"
#include "core/session/session_file.h"

namespace convscope::session {
namespace {

constexpr std::int64_t largest_size = 1 << 24;

/// Reads the elements of a session that is new enough; what it can't use is a warning.
class Reader {
 public:
  Reader(const XmlDocument& document, Diagnostics& diagnostics) : document_(document), diagnostics_(diagnostics) {}

  Session read() {
    const pugi::xml_node root = document_.root();
    expect(root, {"version", "program", "autosave_of"});
    session_.program = root.attribute("program").value();
    session_.autosave_of = root.attribute("autosave_of").value();
    for (const pugi::xml_node node : root.children()) read_part(node);
    return std::move(session_);
  }

 private:
  void read_part(pugi::xml_node node) {
    const std::string_view name = node.name();
    if (name == "baseline") return read_baseline(node);
    if (name != "network" && name != "machine" && name != "selection" && name != "window") return unknown(node);
    if (!seen_.insert(std::string(name)).second) return warn(node, "given twice; the first one holds", "one");
    if (name == "network") session_.network = read_network(node);
    if (name == "machine") session_.machine = read_machine(node);
    if (name == "selection") read_selection(node);
    if (name == "window") read_window(node);
  }

  std::optional<NetworkReference> read_network(pugi::xml_node node) {
    expect(node, {"path", "hash", "batch", "height", "width"});
    NetworkReference result;
    result.path = node.attribute("path").value();
    if (result.path.empty()) {
      warn(node, "attribute 'path' is missing or empty", "the path of a network file");
      return std::nullopt;
    }
    if (const auto hash = node.attribute("hash")) {
      result.hash = parse_integer<std::uint64_t>(hash.value(), 16);
      if (!result.hash) warn(node, "attribute 'hash' is no hash", "up to 16 hexadecimal digits");
    }
    if (const auto batch = size(node, "batch")) sizes_of(result).batch = static_cast<int>(*batch);
    const auto height = size(node, "height"), width = size(node, "width");
    if (height && width) sizes_of(result).image = network::Size{static_cast<int>(*height), static_cast<int>(*width)};
    if (height.has_value() != width.has_value()) warn(node, "half a size", "'height' and 'width'");
    for (const pugi::xml_node child : node.children()) read_symbol(child, result);
    return result;
  }

  static network::InputSizes& sizes_of(NetworkReference& network) {
    if (!network.sizes) network.sizes.emplace();
    return *network.sizes;
  }

  void read_symbol(pugi::xml_node node, NetworkReference& network) {
    if (std::string_view(node.name()) != "size") return unknown(node);
    expect(node, {"symbol", "value"});
    const std::string symbol = node.attribute("symbol").value();
    const auto value = size(node, "value");
    if (value) sizes_of(network).symbols.emplace(symbol, *value);
  }

  Machine read_machine(pugi::xml_node node) {
    expect(node, {"target", "preset", "level"});
    Machine result{
        node.attribute("target").value(), node.attribute("preset").value(), node.attribute("level").value(), {}};
    if (result.target.empty()) warn(node, "attribute 'target' is missing or empty", "the id of a target, e.g. nve");
    std::set<std::string> names;
    for (const pugi::xml_node child : node.children()) {
      const std::string name = child.attribute("name").value();
      if (std::string_view(child.name()) != "parameter") {
        unknown(child);
      } else if (name.empty()) {
        warn(child, "attribute 'name' is missing or empty", "the name of a parameter");
      } else if (!names.insert(name).second) {
        warn(child, "given twice; the first one holds", "each parameter once");
      } else {
        expect(child, {"name", "value"});
        result.parameters.push_back({name, child.attribute("value").value(), document_.line(child)});
      }
    }
    return result;
  }

  void read_baseline(pugi::xml_node node) {
    expect(node, {"name"});
    Baseline baseline;
    baseline.name = node.attribute("name").value();
    std::optional<NetworkReference> network;
    std::optional<Machine> machine;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = child.name();
      if (name == "network" && !network) {
        network = read_network(child);
      } else if (name == "machine" && !machine) {
        machine = read_machine(child);
      } else if (name == "draft" && baseline.draft.empty()) {
        expect(child, {});
        baseline.draft = child.text().get();
      } else {
        unknown(child);
      }
    }
    if (!network || !machine) return warn(node, "a baseline without network or machine is left out", "both");
    baseline.network = std::move(*network);
    baseline.machine = std::move(*machine);
    session_.baselines.push_back(std::move(baseline));
  }

  void read_selection(pugi::xml_node node) {
    expect(node, {"layer", "program", "operation", "iteration", "cycle", "memory", "word"});
    constexpr std::int64_t small = std::numeric_limits<std::int32_t>::max();
    constexpr std::int64_t large = std::numeric_limits<std::int64_t>::max();
    artifact::Ref& selection = session_.selection;
    selection.layer = static_cast<std::int32_t>(index(node, "layer", small));
    selection.program = static_cast<std::int32_t>(index(node, "program", small));
    selection.iteration = index(node, "iteration", large);
    selection.cycle = index(node, "cycle", large);
    selection.memory = static_cast<std::int32_t>(index(node, "memory", small));
    selection.word = index(node, "word", large);
    if (selection.word >= 0 && selection.memory < 0) selection.memory = 0;  // older programs knew one memory alone
    if (const auto operation = node.attribute("operation")) {
      const auto value = parse_integer<std::uint64_t>(operation.value());
      if (!value) warn(node, "attribute 'operation' is no number", "a whole number");
      selection.operation = value.value_or(0);
    }
  }

  void read_window(pugi::xml_node node) {
    expect(node, {"theme"});
    session_.theme = node.attribute("theme").value();
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "state") {
        unknown(child);
      } else {
        expect(child, {"name", "value"});
        session_.window.emplace(child.attribute("name").value(), child.attribute("value").value());
      }
    }
  }

  /// A number from 1; nothing, with a warning unless there is no such attribute, for anything else.
  std::optional<std::int64_t> size(pugi::xml_node node, const char* name) {
    const auto attribute = node.attribute(name);
    if (!attribute) return std::nullopt;
    const auto value = parse_integer<std::int64_t>(attribute.value());
    if (value && *value >= 1 && *value <= largest_size) return value;
    warn(node, fmt::format("attribute '{}' is no size", name),
         fmt::format("a whole number from 1 to {}", largest_size));
    return std::nullopt;
  }

  /// A number from 0, or -1.
  std::int64_t index(pugi::xml_node node, const char* name, std::int64_t largest) {
    const auto attribute = node.attribute(name);
    if (!attribute) return -1;
    const auto value = parse_integer<std::int64_t>(attribute.value());
    if (value && *value >= 0 && *value <= largest) return *value;
    warn(node, fmt::format("attribute '{}' is no index", name), "a whole number from 0");
    return -1;
  }

  void expect(pugi::xml_node node, const std::vector<std::string_view>& known) {
    check_attributes(node, known, where(node), diagnostics_, Severity::warning);
  }

  void unknown(pugi::xml_node node) { warn(node, "unknown part is left out", {}); }

  void warn(pugi::xml_node node, std::string what, std::string expected) {
    diagnostics_.warning(where(node), std::move(what), std::move(expected));
  }

  Location where(pugi::xml_node node) const {
    return document_.location(node,
                              node.type() == pugi::node_element ? fmt::format("element <{}>", node.name()) : "text");
  }

  const XmlDocument& document_;
  Diagnostics& diagnostics_;
  Session session_;
  std::set<std::string> seen_;
};

std::string saved_by(pugi::xml_node root) {
  const std::string program = root.attribute("program").value();
  return program.empty() ? "a newer ConvScope" : "ConvScope " + program;
}

bool version_is_known(const XmlDocument& document, Diagnostics& diagnostics) {
  const pugi::xml_node root = document.root();
  const Location where = document.location(root, "element <session>");
  const auto version = parse_integer<int>(root.attribute("version").value());
  if (!version || *version < 1) {
    diagnostics.error(where, "attribute 'version' is missing or no version", fmt::format("1 to {}", format_version));
    return false;
  }
  if (*version > format_version) {
    diagnostics.error(
        where, fmt::format("this session was saved by {}, in version {} of the format", saved_by(root), *version),
        fmt::format("at most version {}", format_version), "open it with that program; nothing is lost");
    return false;
  }
  return true;
}

}  // namespace

std::optional<Session> read_session(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  const auto document = XmlDocument::parse(xml, file, diagnostics);
  if (!document) return std::nullopt;
  const pugi::xml_node root = document->root();
  if (std::string_view(root.name()) != "session") {
    diagnostics.error(document->location(root, fmt::format("element <{}>", root.name())), "this is no session",
                      "<session version=\"…\"> as the outermost element");
    return std::nullopt;
  }
  if (!version_is_known(*document, diagnostics)) return std::nullopt;
  return Reader(*document, diagnostics).read();
}

std::optional<Session> load_session(const std::string& path, Diagnostics& diagnostics) {
  const auto text = read_file(path, diagnostics, XmlDocument::size_cap);
  return text ? read_session(*text, path, diagnostics) : std::nullopt;
}

bool save_session(const Session& session, const std::string& path, Diagnostics& diagnostics) {
  return write_file_atomically(path, write_session(session), diagnostics);
}

}  // namespace convscope::session
