#include "app/window/description.h"

#include "app/window/options.h"

namespace convscope::window {
namespace {

manual::Argument describe_option(const QCommandLineOption& option) {
  manual::Argument argument;
  for (const QString& name : option.names())
    argument.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
  argument.help = option.description().toStdString();
  argument.value = option.valueName().toStdString();
  argument.repeated = option.description().contains("may be repeated");
  if (option.valueName().contains('|'))
    for (const QString& choice : option.valueName().split('|')) argument.choices.push_back(choice.toStdString());
  return argument;
}

}  // namespace

manual::Program describe_program() {
  manual::Program program{"convscope", summary, {}, {}, {}};
  program.arguments.push_back({{"NETWORK"}, "FILE", {}, network_help, {}});
  for (const QCommandLineOption& option : known_options()) program.arguments.push_back(describe_option(option));
  program.exits = {{0, "Done."}, {1, "The input or the machine was refused."}, {2, "Wrong usage."}};
  return program;
}

}  // namespace convscope::window
