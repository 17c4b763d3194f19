#include "core/readers/layer_list/element.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "core/readers/common/text.h"

namespace convscope::readers::layer_list {

void Element::error(std::string what, std::string expected) const {
  report_.error(line_, fmt::format("layer '{}'", name_), std::move(what), std::move(expected));
}

pugi::xml_attribute Element::ask(const char* attribute) {
  asked_.insert(attribute);
  return node_.attribute(attribute);
}

std::int64_t Element::number(const char* attribute, const std::string& text, std::int64_t fallback,
                             std::int64_t smallest, std::int64_t largest) const {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size() && value >= smallest && value <= largest) return value;
  error(fmt::format("attribute '{}' is {}", attribute, quoted(text)),
        fmt::format("an integer from {} to {}", smallest, largest));
  return fallback;
}

std::int64_t Element::required(const char* attribute, std::int64_t largest) {
  const pugi::xml_attribute found = ask(attribute);
  if (found) return number(attribute, found.value(), 1, 1, largest);
  error(fmt::format("attribute '{}' is missing", attribute), fmt::format("an integer from 1 to {}", largest));
  return 1;
}

std::int64_t Element::integer(const char* attribute, std::int64_t fallback, std::int64_t smallest,
                              std::int64_t largest) {
  const pugi::xml_attribute found = ask(attribute);
  return found ? number(attribute, found.value(), fallback, smallest, largest) : fallback;
}

double Element::real(const char* attribute, double fallback) {
  const pugi::xml_attribute found = ask(attribute);
  if (!found) return fallback;
  char* end = nullptr;
  const double value = std::strtod(found.value(), &end);
  if (end != found.value() && *end == '\0' && std::isfinite(value)) return value;
  error(fmt::format("attribute '{}' is {}", attribute, quoted(found.value())), "a number");
  return fallback;
}

bool Element::flag(const char* attribute, bool fallback) {
  const std::string value = text(attribute);
  if (value.empty() && !has(attribute)) return fallback;
  if (value != "yes" && value != "no")
    error(fmt::format("attribute '{}' is {}", attribute, quoted(value)), "yes or no");
  return value == "yes";
}

std::string Element::text(const char* attribute) {
  return clean_name(ask(attribute).value());
}

Extent Element::extent(const char* attribute, std::int64_t fallback, std::int64_t smallest) {
  constexpr std::int64_t largest = 1 << 16;
  const pugi::xml_attribute found = ask(attribute);
  if (!found) return {fallback, fallback};
  const std::string value = found.value();
  const std::size_t cross = value.find('x');
  const std::int64_t height = number(attribute, value.substr(0, cross), smallest, smallest, largest);
  if (cross == std::string::npos) return {height, height};
  return {height, number(attribute, value.substr(cross + 1), smallest, smallest, largest)};
}

std::vector<std::string> Element::words(const char* attribute) {
  std::istringstream stream(ask(attribute).value());
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(clean_name(word));
  return found;
}

void Element::check_attributes() const {
  for (const pugi::xml_attribute attribute : node_.attributes())
    if (asked_.count(attribute.name()) == 0)
      error(fmt::format("<{}> has no attribute {}", node_.name(), quoted(attribute.name())));
}

}  // namespace convscope::readers::layer_list
