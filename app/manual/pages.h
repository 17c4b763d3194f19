#pragma once
// Manual pages in groff's macros man(7).

#include <string>
#include <vector>

#include "app/manual/program.h"

namespace convscope::manual {

struct Page {
  std::string name;  ///< without section: "convscope-cli", "convscope-cli-report"
  std::string text;
};

/// The page of a program, then one of each of its commands.
std::vector<Page> pages(const Program& program);

/// Text as groff prints it: what it would take for its own commands is written otherwise.
std::string groff(const std::string& text);

}  // namespace convscope::manual
