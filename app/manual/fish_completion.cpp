#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/manual/completion.h"

namespace convscope::manual {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char character : text) {
    if (character == '\'' || character == '\\') result += '\\';
    result += character == '\n' ? ' ' : character;
  }
  return result + "'";
}

/// -s o -l output
std::string name_switch(const std::string& name) {
  return name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
}

std::string lines(const std::string& start, const std::vector<Argument>& arguments) {
  std::string text;
  for (const Argument& argument : arguments) {
    if (argument.positional()) continue;
    text += start;
    for (const std::string& name : argument.names) text += name_switch(name);
    if (!argument.choices.empty()) {
      text += " -x -a " + quoted(fmt::format("{}", fmt::join(argument.choices, " ")));
    } else if (!argument.value.empty()) {
      text += " -r";
    }
    text += " -d " + quoted(argument.help) + "\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const Program& program) {
  const std::string start = "complete -c " + program.name;
  std::string text = fmt::format("# Completion of {} for fish.\n", program.name) + lines(start, program.arguments);
  for (const Program& command : program.commands) {
    text += start + " -n __fish_use_subcommand -f -a " + command.name + " -d " + quoted(command.summary) + "\n";
    text += lines(start + " -n '__fish_seen_subcommand_from " + command.name + "'", command.arguments);
  }
  return text;
}

}  // namespace convscope::manual
