#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/manual/completion.h"

namespace convscope::manual {
namespace {

/// Inside single quotes, with `special` characters behind backslashes as _arguments wants them.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char character : text) {
    if (character == '\'') {
      result += "'\\''";
      continue;
    }
    if (character == '\\' || special.find(character) != std::string::npos) result += '\\';
    result += character == '\n' ? ' ' : character;
  }
  return result;
}

std::string action(const Argument& argument) {
  if (argument.choices.empty()) return "_files";
  return fmt::format("({})", fmt::join(argument.choices, " "));
}

/// '(-o --output)-o[File to write]:FILE:_files', one for each name
std::string specification(const Argument& argument) {
  if (argument.positional()) {
    return fmt::format(" \\\n    '{}:{}:{}'", argument.repeated ? "*" : "", escaped(argument.names.front(), ":"),
                       action(argument));
  }
  std::string text;
  for (const std::string& name : argument.names) {
    const std::string others = argument.repeated ? "*" : fmt::format("({})", fmt::join(argument.names, " "));
    text += fmt::format(" \\\n    '{}{}[{}]", others, name, escaped(argument.help, "[]"));
    if (!argument.value.empty()) text += fmt::format(":{}:{}", escaped(argument.value, ":"), action(argument));
    text += "'";
  }
  return text;
}

std::string specifications(const std::vector<Argument>& arguments) {
  std::string text;
  for (const Argument& argument : arguments) text += specification(argument);
  return text;
}

}  // namespace

std::string zsh_completion(const Program& program) {
  std::string text = fmt::format("#compdef {}\n# Completion of {} for zsh.\n", program.name, program.name);
  if (program.commands.empty()) return text + "_arguments -s" + specifications(program.arguments) + "\n";
  text += "local curcontext=$curcontext state line\ntypeset -A opt_args\n";
  text += "_arguments -C" + specifications(program.arguments) +
          " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n";
  text += "case $state in\n  command)\n    local -a commands=(\n";
  for (const Program& command : program.commands)
    text += fmt::format("      '{}:{}'\n", command.name, escaped(command.summary, ":"));
  text += "    )\n    _describe command commands ;;\n  argument)\n    case $line[1] in\n";
  for (const Program& command : program.commands) {
    text += fmt::format("      {}) _arguments -s{} ;;\n", command.name,
                        specifications(command.arguments) + specifications(program.arguments));
  }
  return text + "    esac ;;\nesac\n";
}

}  // namespace convscope::manual
