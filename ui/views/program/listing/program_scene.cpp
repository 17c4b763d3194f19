#include "ui/views/program/listing/program_scene.h"

#include <algorithm>
#include <sstream>

#include "ui/parts/drawing.h"

namespace convscope::ui {

ProgramScene::ProgramScene(std::shared_ptr<const artifact::Listing> listing,
                           std::shared_ptr<const artifact::TaskGraph> graph,
                           std::shared_ptr<const artifact::Timeline> timeline, artifact::Ref subject,
                           std::shared_ptr<const artifact::Links> links)
    : listing_(std::move(listing)),
      timeline_(std::move(timeline)),
      linked_(timeline_, std::move(links)),
      operations_(std::move(graph)),
      subject_(subject) {
  if (timeline_) {
    for (const auto& section : timeline_->sections()) {
      for (const auto& cell : section.cells) kinds_.emplace(cell.operation, cell.kind);
    }
  }
  if (operations_.graph()) {
    for (const auto& operation : operations_.graph()->operations) kinds_.emplace(operation.key, operation.kind);
  }
  columns_ = {{QStringLiteral("address"), 7}, {QStringLiteral("section"), 7}, {QStringLiteral("encoding"), 8}};
  for (const std::string& name : listing_->columns) {
    columns_.push_back({to_text(name), std::max(4, static_cast<int>(name.size()))});
  }
  for (int row = 0; row < rows(); ++row) {
    row_of_address_.emplace(listing_->lines[static_cast<std::size_t>(row)].address, row);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].letters = std::max(columns_[c].letters, static_cast<int>(text(row, static_cast<int>(c)).size()));
    }
  }
}

const artifact::ListingField* ProgramScene::field(int row, int column) const {
  if (row < 0 || row >= rows() || column < first_field) return nullptr;
  const auto& fields = listing_->lines[static_cast<std::size_t>(row)].fields;
  const auto index = static_cast<std::size_t>(column - first_field);
  return index < fields.size() ? &fields[index] : nullptr;
}

QString ProgramScene::text(int row, int column) const {
  const artifact::ListingLine& line = listing_->lines[static_cast<std::size_t>(row)];
  switch (column) {
    case address_column:
      return QString::number(line.address);
    case section_column:
      return to_text(line.section);
    case encoding_column:
      return to_text(line.encoding);
    default: {
      const auto* found = field(row, column);
      return found ? to_text(found->text) : QString();
    }
  }
}

std::optional<artifact::OperationClass> ProgramScene::kind(artifact::OperationKey operation) const {
  const auto found = kinds_.find(operation);
  if (operation == 0 || found == kinds_.end()) return std::nullopt;
  return found->second;
}

std::int64_t ProgramScene::cycle(int row) const {
  if (!timeline_ || row < 0 || row >= rows()) return -1;
  const std::int64_t address = listing_->lines[static_cast<std::size_t>(row)].address;
  for (std::size_t s = 0; s < timeline_->sections().size(); ++s) {
    const auto& section = timeline_->sections()[s];
    const std::int64_t offset = address - section.first_address;
    if (offset >= 0 && offset < section.length) return timeline_->section_start(static_cast<int>(s)) + offset;
  }
  return -1;
}

int ProgramScene::row_at_cycle(std::int64_t cycle) const {
  if (!timeline_ || cycle < 0 || cycle >= timeline_->length()) return -1;
  const int s = timeline_->section_at(cycle);
  const auto& section = timeline_->sections()[static_cast<std::size_t>(s)];
  if (section.length <= 0) return -1;
  const auto found =
      row_of_address_.find(section.first_address + (cycle - timeline_->section_start(s)) % section.length);
  return found == row_of_address_.end() ? -1 : found->second;
}

std::vector<int> ProgramScene::rows_of(artifact::OperationKey operation) const {
  std::vector<int> found;
  if (operation == 0) return found;
  for (int row = 0; row < rows(); ++row) {
    const auto& fields = listing_->lines[static_cast<std::size_t>(row)].fields;
    if (std::any_of(fields.begin(), fields.end(), [&](const auto& f) { return f.operation == operation; })) {
      found.push_back(row);
    }
  }
  return found;
}

std::vector<int> ProgramScene::search(const QString& wanted) const {
  std::vector<int> found;
  if (wanted.isEmpty()) return found;
  for (int row = 0; row < rows(); ++row) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!text(row, static_cast<int>(c)).contains(wanted, Qt::CaseInsensitive)) continue;
      found.push_back(row);
      break;
    }
  }
  return found;
}

std::string ProgramScene::csv() const {
  std::ostringstream out;
  for (std::size_t c = 0; c < columns_.size(); ++c) out << (c ? "," : "") << csv_field(columns_[c].name.toStdString());
  out << '\n';
  for (int row = 0; row < rows(); ++row) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      out << (c ? "," : "") << csv_field(text(row, static_cast<int>(c)).toStdString());
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
