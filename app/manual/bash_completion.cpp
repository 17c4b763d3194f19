#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/manual/completion.h"

namespace convscope::manual {
namespace {

std::string function_name(const std::string& program) {
  std::string name = "_" + program;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> names_of(const std::vector<Program>& commands) {
  std::vector<std::string> names;
  for (const Program& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> options_of(const std::vector<Argument>& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments)
    if (!argument.positional()) names.insert(names.end(), argument.names.begin(), argument.names.end());
  return names;
}

/// Cases "COMMAND:OPTION)" for what follows options whose values can be listed.
std::string values(const std::string& command, const std::vector<Argument>& arguments) {
  std::string text;
  for (const Argument& argument : arguments) {
    if (argument.positional() || argument.choices.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : argument.names) patterns.push_back(command + ":" + name);
    text += fmt::format("    {})\n      mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")\n      return ;;\n",
                        fmt::join(patterns, " | "), fmt::join(argument.choices, " "));
  }
  return text;
}

}  // namespace

std::string bash_completion(const Program& program) {
  const std::string function = function_name(program.name);
  const std::vector<std::string> commands = names_of(program.commands), common = options_of(program.arguments);
  std::string text = fmt::format(
      "# Completion of {} for bash.\n{}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= options= word\n"
      "  COMPREPLY=()\n",
      program.name, function);
  if (!commands.empty()) {
    text += fmt::format(
        "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
        "    case $word in {}) command=$word; break ;; esac\n  done\n",
        fmt::join(commands, " | "));
  }
  text += "  case $command:$previous in\n" + values("*", program.arguments);
  for (const Program& command : program.commands) text += values(command.name, command.arguments);
  text += "  esac\n  case $command in\n";
  for (const Program& command : program.commands)
    text += fmt::format("    {}) options='{}' ;;\n", command.name, fmt::join(options_of(command.arguments), " "));
  text += fmt::format("  esac\n  options+=' {}'\n", fmt::join(common, " "));
  text += "  if [[ $current == -* ]]; then\n    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n";
  if (!commands.empty()) {
    text +=
        fmt::format("  elif [[ -z $command ]]; then\n    mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")\n",
                    fmt::join(commands, " "));
  }
  text +=
      "  else\n    compopt -o filenames 2>/dev/null\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n  "
      "fi\n}\n";
  return text + fmt::format("complete -F {} {}\n", function, program.name);
}

}  // namespace convscope::manual
