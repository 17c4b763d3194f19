#include "core/labs/links.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"

namespace convscope::labs {
namespace {

constexpr std::string_view scheme = "action:";
constexpr const char* forms = "view?id=ID, layer?name=LAYER, level?name=LEVEL or set?PARAMETER=VALUE";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0) {
      result += text[i];
      continue;
    }
    result += static_cast<char>(16 * high + low);
    i += 2;
  }
  return result;
}

/// "layer?name=L2" in its three parts.
struct Parts {
  std::string act, name, value;
};

std::optional<Parts> parts_of(std::string_view text) {
  const std::size_t question = text.find('?'), equals = text.find('=', question);
  if (question == std::string_view::npos || equals == std::string_view::npos) return std::nullopt;
  return Parts{std::string(text.substr(0, question)), unescaped(text.substr(question + 1, equals - question - 1)),
               unescaped(text.substr(equals + 1))};
}

std::optional<Link> layer_link(const OpenLab& lab, const std::string& name, const Location& where,
                               Diagnostics& diagnostics) {
  if (lab.layer(name)) return Link{Link::Kind::layer, name, {}};
  diagnostics.error(where, fmt::format("there is no layer {}", in_quotes(name)), "one of the network's layers");
  return std::nullopt;
}

std::optional<Link> level_link(const OpenLab& lab, const std::string& name, const Location& where,
                               Diagnostics& diagnostics) {
  const std::vector<std::string> levels = lab.levels();
  if (std::find(levels.begin(), levels.end(), name) != levels.end()) return Link{Link::Kind::level, name, {}};
  diagnostics.error(where, fmt::format("level {} may not be chosen in this lab", in_quotes(name)),
                    fmt::format("{}", fmt::join(levels, ", ")));
  return std::nullopt;
}

std::optional<Link> set_link(const OpenLab& lab, const Parts& parts, const Location& where, Diagnostics& diagnostics) {
  arch::ParameterValues tried = lab.start;
  if (!tried.set(parts.name, parts.value, diagnostics, where)) return std::nullopt;
  if (lab.allowance(parts.name)) return Link{Link::Kind::set, parts.name, parts.value};
  diagnostics.error(where, fmt::format("parameter {} is locked", in_quotes(parts.name)), {},
                    "<allow parameter=\"…\"/> lets students change it");
  return std::nullopt;
}

}  // namespace

std::optional<Link> read_link(const OpenLab& lab, std::string_view target, const Location& where,
                              Diagnostics& diagnostics) {
  const auto parts = target.starts_with(scheme) ? parts_of(target.substr(scheme.size())) : std::nullopt;
  if (parts && parts->act == "view" && parts->name == "id" && !parts->value.empty())
    return Link{Link::Kind::view, parts->value, {}};
  if (parts && parts->act == "layer" && parts->name == "name") return layer_link(lab, parts->value, where, diagnostics);
  if (parts && parts->act == "level" && parts->name == "name") return level_link(lab, parts->value, where, diagnostics);
  if (parts && parts->act == "set") return set_link(lab, *parts, where, diagnostics);
  diagnostics.error(where, fmt::format("{} does nothing", in_quotes(target)), std::string(scheme) + forms);
  return std::nullopt;
}

void check_links(const OpenLab& lab, const std::string& file, Diagnostics& diagnostics) {
  const std::string begin = "](" + std::string(scheme);
  int line = 1;
  std::size_t counted = 0;
  for (std::size_t at = lab.text.find(begin); at != std::string::npos; at = lab.text.find(begin, at + 1)) {
    line += static_cast<int>(std::count(lab.text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        lab.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    const std::size_t end = std::min(lab.text.find_first_of(")\n", at + 2), lab.text.size());
    read_link(lab, std::string_view(lab.text).substr(at + 2, end - at - 2), {file, line, "link"}, diagnostics);
  }
}

}  // namespace convscope::labs
