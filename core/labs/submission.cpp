#include "core/labs/submission.h"

#include <algorithm>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/base/atomic_file.h"
#include "core/labs/xml_parts.h"

namespace convscope::labs {
namespace {

void write_program(pugi::xml_node root, const HandedProgram& program) {
  pugi::xml_node node = root.append_child("program");
  set_attribute(node, "name", program.name);
  node.append_child(pugi::node_cdata).set_value(program.text.c_str());
}

void write_tiling(pugi::xml_node root, const HandedTiling& tiling) {
  pugi::xml_node node = root.append_child("tiling");
  set_attribute(node, "name", tiling.name);
  set_attribute(node, "strategy", tiling.strategy);
  for (const TileSizeSet& size : tiling.sizes) {
    pugi::xml_node child = node.append_child("size");
    set_attribute(child, "name", size.name);
    set_attribute(child, "value", fmt::format("{}", size.value));
  }
}

}  // namespace

const Answer* Submission::answer(std::string_view question) const {
  const auto found =
      std::find_if(answers.begin(), answers.end(), [&](const Answer& each) { return each.question == question; });
  return found == answers.end() ? nullptr : &*found;
}

int Submission::opened_hints(std::string_view task) const {
  const auto found =
      std::find_if(hints.begin(), hints.end(), [&](const OpenedHints& each) { return each.task == task; });
  return found == hints.end() ? 0 : found->count;
}

std::string write_submission(const Submission& submission) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("submission");
  set_attribute(root, "lab", submission.lab);
  set_attribute(root, "hash", submission.hash);
  set_attribute(root, "by", submission.by);
  if (!submission.level.empty() || !submission.parameters.empty()) {
    pugi::xml_node machine = root.append_child("machine");
    set_attribute(machine, "level", submission.level);
    write_parameters(machine, submission.parameters);
  }
  for (const Answer& answer : submission.answers) {
    pugi::xml_node node = root.append_child("answer");
    set_attribute(node, "question", answer.question);
    node.text().set(answer.text.c_str());
  }
  for (const HandedProgram& program : submission.programs) write_program(root, program);
  for (const HandedTiling& tiling : submission.tilings) write_tiling(root, tiling);
  for (const OpenedHints& each : submission.hints) {
    pugi::xml_node node = root.append_child("hints");
    set_attribute(node, "task", each.task);
    set_attribute(node, "opened", fmt::format("{}", each.count));
  }
  return document_text(document);
}

bool save_submission(const Submission& submission, const std::string& path, Diagnostics& diagnostics) {
  return write_file_atomically(path, write_submission(submission), diagnostics);
}

}  // namespace convscope::labs
