#include "ui/views/program/source/source_scene.h"

#include <algorithm>
#include <sstream>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {

SourceScene::SourceScene(std::shared_ptr<const artifact::Source> source, int stage, artifact::Ref subject)
    : source_(std::move(source)), stage_(stage), subject_(subject), starts_(artifact::line_starts(source_->main.text)) {
  const int stages = static_cast<int>(source_->stages.size());
  if (stage_ < 0 || stage_ >= stages) stage_ = stages - 1;
  for (int i = 0; i < lines(); ++i) longest_line_ = std::max(longest_line_, static_cast<int>(line(i).size()));
  for (const artifact::SourceNode& node : nodes()) {
    depths_.push_back(node.parent < 0 ? 0 : depths_[static_cast<std::size_t>(node.parent)] + 1);
    const int letters = depths_.back() * source_indent + static_cast<int>(node.text.size());
    longest_label_ = std::max(longest_label_, letters);
  }
}

const std::vector<artifact::SourceNode>& SourceScene::nodes() const {
  static const std::vector<artifact::SourceNode> none;
  return stage_ < 0 ? none : source_->stages[static_cast<std::size_t>(stage_)].nodes;
}

QString SourceScene::line(int index) const {
  const std::size_t begin = starts_[static_cast<std::size_t>(index)],
                    end = starts_[static_cast<std::size_t>(index) + 1];
  QString text = to_text(std::string_view(source_->main.text).substr(begin, end - begin));
  while (text.endsWith(QLatin1Char('\n')) || text.endsWith(QLatin1Char('\r'))) text.chop(1);
  return text;
}

artifact::Ref SourceScene::ref_of(int node) const {
  artifact::Ref ref = subject_;
  if (node >= 0) ref.operation = static_cast<artifact::OperationKey>(node) + 1;
  return ref;
}

int SourceScene::node_of(const artifact::Ref& ref) const {
  return ref.operation == 0 || ref.operation > nodes().size() ? -1 : static_cast<int>(ref.operation) - 1;
}

int SourceScene::node_at_line(int line) const {
  return stage_ < 0 ? -1 : artifact::node_at_line(source_->stages[static_cast<std::size_t>(stage_)], line);
}

QString SourceScene::reading(int index) const {
  const artifact::SourceNode& node = nodes()[static_cast<std::size_t>(index)];
  QString text = to_text(node.text);
  if (node.share >= 0) text += QStringLiteral("\n%1 of all floating-point operations").arg(percent_text(node.share));
  if (node.first_line >= 0)
    text += node.first_line == node.last_line
                ? QStringLiteral("\nline %1").arg(node.first_line + 1)
                : QStringLiteral("\nlines %1 to %2").arg(node.first_line + 1).arg(node.last_line + 1);
  return text;
}

std::string SourceScene::csv() const {
  std::ostringstream out;
  out << "depth,node,share,first_line,last_line\n";
  for (std::size_t i = 0; i < nodes().size(); ++i) {
    const artifact::SourceNode& node = nodes()[i];
    out << depths_[i] << ',' << csv_field(node.text) << ',';
    if (node.share >= 0) out << node.share;
    out << ',';
    if (node.first_line >= 0)
      out << node.first_line + 1 << ',' << node.last_line + 1;
    else
      out << ',';
    out << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
