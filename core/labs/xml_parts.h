#pragma once
// What writing labs and submissions shares.

#include <string>
#include <vector>

#include <pugixml.hpp>

#include "core/labs/lab.h"

namespace convscope::labs {

/// Nothing if the value is empty.
void set_attribute(pugi::xml_node node, const char* name, const std::string& value);
void write_text(pugi::xml_node parent, const char* element, const std::string& text);
void write_parameters(pugi::xml_node parent, const std::vector<Assignment>& parameters);
std::string document_text(const pugi::xml_document& document);

}  // namespace convscope::labs
