#include "core/labs/lab.h"

#include <numeric>

namespace convscope::labs {

double Lab::points() const {
  return std::accumulate(tasks.begin(), tasks.end(), 0.0,
                         [](double sum, const Task& task) { return sum + task.points; });
}

FigureName figure_name(std::string_view text) {
  FigureName name;
  if (const std::size_t quote = text.find("('"); quote != std::string_view::npos && text.ends_with("')")) {
    name.subject = text.substr(quote + 2, text.size() - quote - 4);
    text = text.substr(0, quote);
  }
  for (const std::string_view whose : {"start", "program", "tiling"})
    if (text.size() > whose.size() && text.starts_with(whose) && text[whose.size()] == '.') {
      name.whose = whose;
      text.remove_prefix(whose.size() + 1);
      break;
    }
  name.figure = text;
  return name;
}

}  // namespace convscope::labs
