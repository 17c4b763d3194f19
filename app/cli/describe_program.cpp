#include "app/cli/describe_program.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::cli {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// CLI11 tells a value's type and its checks in one text: "TEXT", "TEXT:NAME=VALUE", "TEXT:{light,dark}",
/// "INT:INT in [0 - 1024]".
void describe_value(const std::string& type, manual::Argument& argument) {
  const std::size_t colon = type.find(':');
  argument.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  const std::string check = type.substr(colon + 1);
  const std::size_t range = check.find(" in [");
  if (check.front() == '{' && check.back() == '}') {
    argument.choices = split(check.substr(1, check.size() - 2), ',');
  } else if (range != std::string::npos) {
    argument.help += ", in " + check.substr(range + 4);
  } else if (check == "POSITIVE" || check == "NONNEGATIVE") {
    argument.help += check == "POSITIVE" ? ", above 0" : ", 0 or more";
  } else {
    argument.value = check;
  }
}

std::string names_of(const std::set<CLI::Option*>& options) {
  std::set<std::string> names;  // by name: where options lie in memory is chance
  for (const CLI::Option* option : options) names.insert(option->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

manual::Argument describe_option(const CLI::Option& option) {
  manual::Argument argument;
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (argument.names.empty()) argument.names.push_back(option.get_name(true));
  argument.help = option.get_description();
  argument.initial = option.get_default_str();
  argument.required = option.get_required();
  argument.repeated =
      option.get_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (option.get_items_expected_max() > 0) describe_value(option.get_type_name(), argument);
  if (!option.get_needs().empty()) argument.help += "; needs " + names_of(option.get_needs());
  if (!option.get_excludes().empty()) argument.help += "; excludes " + names_of(option.get_excludes());
  return argument;
}

}  // namespace

std::vector<std::pair<int, std::string>> exit_meanings() {
  return {{done, "Done."},
          {refused, "The input or the machine was refused; the diagnostics on stderr say why."},
          {wrong_usage, "Wrong usage."},
          {cancelled, "Cancelled by Ctrl+C; what was finished is kept."},
          {internal_error, "An internal error: the fault is the program's, not that of its input."},
          {output_failed,
           "Standard output can't be written, for example because the disk is full; of submissions to labs: "
           "graded, but not all passed."}};
}

ExitCode answer(const CLI::App& program, const CLI::ParseError& error, Console& console) {
  std::ostringstream out, err;
  const bool fine = program.exit(error, out, err) == 0;
  console.tell(err.str());
  if (!out.str().empty()) console.data(out.str());
  return fine ? done : wrong_usage;
}

manual::Program describe_program(const CLI::App& program) {
  manual::Program result;
  result.name = program.get_name();
  result.summary = program.get_description();
  for (const CLI::Option* option : program.get_options())
    if (!option->get_group().empty()) result.arguments.push_back(describe_option(*option));
  for (const CLI::App* command : program.get_subcommands(nullptr))
    if (!command->get_group().empty()) result.commands.push_back(describe_program(*command));
  return result;
}

}  // namespace convscope::cli
