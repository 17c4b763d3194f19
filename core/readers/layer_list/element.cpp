#include "core/readers/layer_list/element.h"

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

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
  const auto value = parse_integer<std::int64_t>(text);
  if (value && *value >= smallest && *value <= largest) return *value;
  error(fmt::format("attribute '{}' is {}", attribute, convscope::quoted(text)),
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
  if (const auto value = parse_number(trimmed(found.value()))) return *value;
  error(fmt::format("attribute '{}' is {}", attribute, convscope::quoted(found.value())), "a number");
  return fallback;
}

bool Element::flag(const char* attribute, bool fallback) {
  const std::string value = text(attribute);
  if (value.empty() && !has(attribute)) return fallback;
  if (value != "yes" && value != "no")
    error(fmt::format("attribute '{}' is {}", attribute, convscope::quoted(value)), "yes or no");
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
  std::vector<std::string> found = convscope::words(ask(attribute).value());
  for (std::string& word : found) word = clean_name(word);
  return found;
}

void Element::check_attributes() const {
  convscope::check_attributes(node_, {asked_.begin(), asked_.end()},
                              report_.at(line_, fmt::format("layer '{}'", name_)), report_.diagnostics());
}

}  // namespace convscope::readers::layer_list
