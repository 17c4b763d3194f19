#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/session/session_file.h"

namespace convscope::session {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
  if (!value.empty()) node.append_attribute(name) = value.c_str();
}

void write_sizes(pugi::xml_node node, const network::InputSizes& sizes) {
  node.append_attribute("batch") = sizes.batch;
  if (sizes.image) {
    node.append_attribute("height") = sizes.image->height;
    node.append_attribute("width") = sizes.image->width;
  }
  for (const auto& [symbol, value] : sizes.symbols) {
    pugi::xml_node size = node.append_child("size");
    size.append_attribute("symbol") = symbol.c_str();
    size.append_attribute("value") = static_cast<long long>(value);
  }
}

void write_network(pugi::xml_node parent, const NetworkReference& network) {
  pugi::xml_node node = parent.append_child("network");
  set(node, "path", network.path);
  if (network.hash) set(node, "hash", fmt::format("{:016x}", *network.hash));
  if (network.sizes) write_sizes(node, *network.sizes);
}

void write_machine(pugi::xml_node parent, const Machine& machine) {
  pugi::xml_node node = parent.append_child("machine");
  set(node, "target", machine.target);
  set(node, "preset", machine.preset);
  set(node, "level", machine.level);
  for (const Assignment& each : machine.parameters) {
    pugi::xml_node parameter = node.append_child("parameter");
    parameter.append_attribute("name") = each.name.c_str();
    parameter.append_attribute("value") = each.value.c_str();
  }
}

void write_selection(pugi::xml_node root, const artifact::Ref& selection) {
  if (selection == artifact::Ref{}) return;
  pugi::xml_node node = root.append_child("selection");
  if (selection.layer >= 0) node.append_attribute("layer") = selection.layer;
  if (selection.program >= 0) node.append_attribute("program") = selection.program;
  if (selection.operation != 0)
    node.append_attribute("operation") = static_cast<unsigned long long>(selection.operation);
  if (selection.iteration >= 0) node.append_attribute("iteration") = static_cast<long long>(selection.iteration);
  if (selection.cycle >= 0) node.append_attribute("cycle") = static_cast<long long>(selection.cycle);
  if (selection.memory >= 0) node.append_attribute("memory") = selection.memory;
  if (selection.word >= 0) node.append_attribute("word") = static_cast<long long>(selection.word);
}

void write_window(pugi::xml_node root, const Session& session) {
  if (session.theme.empty() && session.window.empty()) return;
  pugi::xml_node node = root.append_child("window");
  set(node, "theme", session.theme);
  for (const auto& [name, value] : session.window) {
    pugi::xml_node state = node.append_child("state");
    state.append_attribute("name") = name.c_str();
    state.append_attribute("value") = value.c_str();
  }
}

}  // namespace

std::string write_session(const Session& session) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("session");
  root.append_attribute("version") = format_version;
  set(root, "program", session.program);
  set(root, "autosave_of", session.autosave_of);
  if (session.network) write_network(root, *session.network);
  write_machine(root, session.machine);
  write_selection(root, session.selection);
  for (const Baseline& baseline : session.baselines) {
    pugi::xml_node node = root.append_child("baseline");
    node.append_attribute("name") = baseline.name.c_str();
    write_network(node, baseline.network);
    write_machine(node, baseline.machine);
    if (!baseline.draft.empty()) node.append_child("draft").text().set(baseline.draft.c_str());
  }
  write_window(root, session);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace convscope::session
