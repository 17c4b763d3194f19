#include "app/manual/pages.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::manual {
namespace {

/// The code point that begins at `at`, which is moved behind it; a byte that begins none stands for itself.
unsigned next_character(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned first = byte(at++);
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0 || at + more > text.size()) return first;
  unsigned character = first & (0x3Fu >> more);
  for (std::size_t i = 0; i < more; ++i) character = character << 6 | (byte(at++) & 0x3Fu);
  return character;
}

std::string bold(const std::string& text) {
  return "\\fB" + groff(text) + "\\fR";
}
std::string italic(const std::string& text) {
  return "\\fI" + groff(text) + "\\fR";
}

std::string value_text(const Argument& argument) {
  if (argument.choices.empty()) return italic(argument.value);
  std::string text;
  for (const std::string& choice : argument.choices) text += (text.empty() ? "" : "|") + bold(choice);
  return text;
}

/// "-o, --output FILE"
std::string head(const Argument& argument) {
  if (argument.positional()) return italic(argument.names.front());
  std::string text;
  for (const std::string& name : argument.names) text += (text.empty() ? "" : ", ") + bold(name);
  return argument.value.empty() ? text : text + " " + value_text(argument);
}

/// Requests begin lines with a dot or an apostrophe, and a sentence ends where a line does.
std::string paragraph(const std::string& text) {
  return groff(text) + "\n";
}

void add_list(std::string& page, const std::string& title, const std::vector<Argument>& arguments, bool positional) {
  bool begun = false;
  for (const Argument& argument : arguments) {
    if (argument.positional() != positional) continue;
    if (!begun) page += ".SH " + title + "\n";
    begun = true;
    std::string help = argument.help;
    if (!argument.positional() && argument.required) help += " (required)";
    if (!argument.initial.empty()) help += fmt::format(" (without it: {})", argument.initial);
    page += ".TP\n" + head(argument) + "\n" + paragraph(help);
  }
}

/// "convscope-cli report [OPTION]... NETWORK"
std::string synopsis(const Program& program, const std::string& call) {
  std::string text = bold(call) + " [" + italic("OPTION") + "]...";
  if (!program.commands.empty()) text += " " + italic("COMMAND") + " [" + italic("ARGUMENT") + "]...";
  for (const Argument& argument : program.arguments) {
    if (!argument.positional() && argument.required) text += " " + head(argument);
    if (!argument.positional()) continue;
    const std::string name = italic(argument.names.front()) + (argument.repeated ? "..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

std::string begin_page(const Program& program, const std::string& name, const std::string& call) {
  std::string summary = program.summary.substr(0, program.summary.find('\n'));
  while (!summary.empty() && summary.back() == '.') summary.pop_back();
  return fmt::format(".TH {} 1 {} \"ConvScope {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
                     groff(name), CONVSCOPE_DAY, CONVSCOPE_VERSION, groff(name), groff(summary),
                     synopsis(program, call));
}

std::string end_page(const Program& program, const std::string& see_also) {
  std::string page = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : program.exits)
    page += fmt::format(".TP\n\\fB{}\\fR\n{}", code, paragraph(meaning));
  page += ".SH ENVIRONMENT\n.TP\n" + bold("CONVSCOPE_DATA") + "\n" +
          paragraph("Folder that holds the resources and samples, in place of the one that belongs to the program.");
  return see_also.empty() ? page : page + ".SH SEE ALSO\n" + see_also + "\n";
}

std::string reference(const std::string& name) {
  return bold(name) + "(1)";
}

std::string page_name(const Program& program, const Program& command) {
  return program.name + "-" + command.name;
}

Page main_page(const Program& program) {
  std::string page = begin_page(program, program.name, program.name) + ".SH DESCRIPTION\n" + paragraph(program.summary);
  if (!program.commands.empty()) page += ".SH COMMANDS\n";
  std::string see_also;
  for (const Program& command : program.commands) {
    page += ".TP\n" + bold(command.name) + "\n" + paragraph(command.summary);
    see_also += (see_also.empty() ? "" : ",\n") + reference(page_name(program, command));
  }
  add_list(page, "ARGUMENTS", program.arguments, true);
  add_list(page, "OPTIONS", program.arguments, false);
  return {program.name, page + end_page(program, see_also)};
}

Page command_page(const Program& program, const Program& command) {
  const std::string name = page_name(program, command);
  std::string page =
      begin_page(command, name, program.name + " " + command.name) + ".SH DESCRIPTION\n" + paragraph(command.summary);
  add_list(page, "ARGUMENTS", command.arguments, true);
  add_list(page, "OPTIONS", command.arguments, false);
  std::vector<Argument> common = program.arguments;
  std::erase_if(common, [&](const Argument& each) {
    return std::any_of(command.arguments.begin(), command.arguments.end(),
                       [&](const Argument& own) { return own.names == each.names; });
  });
  add_list(page, "OPTIONS OF EVERY COMMAND", common, false);
  return {name, page + end_page(program, reference(program.name))};
}

}  // namespace

std::string groff(const std::string& text) {
  std::string result;
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned character = next_character(text, at);
    if (begins_line && (character == '.' || character == '\'')) result += "\\&";
    begins_line = character == '\n';
    switch (character) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '"':
        result += "\\(dq";
        break;
      case '\n':
        result += "\n.br\n";
        break;
      default:
        result +=
            character < 0x80 ? std::string(1, static_cast<char>(character)) : fmt::format("\\[u{:04X}]", character);
    }
  }
  return result;
}

std::vector<Page> pages(const Program& program) {
  std::vector<Page> result{main_page(program)};
  for (const Program& command : program.commands) result.push_back(command_page(program, command));
  return result;
}

}  // namespace convscope::manual
