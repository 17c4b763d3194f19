#include "core/labs/xml_parts.h"

#include <sstream>

namespace convscope::labs {

void set_attribute(pugi::xml_node node, const char* name, const std::string& value) {
  if (!value.empty()) node.append_attribute(name) = value.c_str();
}

void write_text(pugi::xml_node parent, const char* element, const std::string& text) {
  if (!text.empty()) parent.append_child(element).text().set(text.c_str());
}

void write_parameters(pugi::xml_node parent, const std::vector<Assignment>& parameters) {
  for (const Assignment& each : parameters) {
    pugi::xml_node node = parent.append_child("parameter");
    node.append_attribute("name") = each.name.c_str();
    node.append_attribute("value") = each.value.c_str();
  }
}

std::string document_text(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace convscope::labs
