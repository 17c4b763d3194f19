#include "core/artifact/source.h"

namespace convscope::artifact {

std::vector<std::size_t> line_starts(const std::string& text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  if (starts.back() != text.size()) starts.push_back(text.size());
  return starts;
}

int node_at_line(const SourceStage& stage, int line) {
  int found = -1;
  int lines = 0;
  for (std::size_t i = 0; i < stage.nodes.size(); ++i) {
    const SourceNode& node = stage.nodes[i];
    if (node.first_line < 0 || line < node.first_line || line > node.last_line) continue;
    const int own = node.last_line - node.first_line;
    if (found >= 0 && own > lines) continue;  // preorder: of nodes with the same lines the innermost comes last
    found = static_cast<int>(i);
    lines = own;
  }
  return found;
}

}  // namespace convscope::artifact
