#pragma once
// A program's listing as rows and columns, with the kind of each operation and where lines lie in the run.

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/artifact/listing.h"
#include "core/artifact/task_graph.h"
#include "core/artifact/timeline.h"
#include "ui/model/view.h"
#include "ui/views/program/linked_operations.h"
#include "ui/views/program/operation_index.h"

namespace convscope::ui {

class ProgramScene {
 public:
  struct Column {
    QString name;
    int letters = 0;  ///< longest text
  };
  /// Columns before the issue fields.
  enum { address_column, section_column, encoding_column, first_field };

  /// `graph`, `timeline` and `links` may be null: no colours, no cycles, no words then.
  ProgramScene(std::shared_ptr<const artifact::Listing> listing, std::shared_ptr<const artifact::TaskGraph> graph,
               std::shared_ptr<const artifact::Timeline> timeline, artifact::Ref subject,
               std::shared_ptr<const artifact::Links> links = nullptr);

  const artifact::Listing& listing() const { return *listing_; }
  const artifact::Ref& subject() const { return subject_; }
  const LinkedOperations& linked() const { return linked_; }
  const OperationIndex& operations() const { return operations_; }
  const std::vector<Column>& columns() const { return columns_; }
  int rows() const { return static_cast<int>(listing_->lines.size()); }
  QString text(int row, int column) const;
  const artifact::ListingField* field(int row, int column) const;
  std::optional<artifact::OperationClass> kind(artifact::OperationKey operation) const;
  /// First cycle of the run in which a line is executed, or -1.
  std::int64_t cycle(int row) const;
  /// Line executed at a cycle of the run, or -1.
  int row_at_cycle(std::int64_t cycle) const;
  /// Rows in which the operation is issued, ascending.
  std::vector<int> rows_of(artifact::OperationKey operation) const;
  /// Rows that contain a text, case aside; none for an empty one.
  std::vector<int> search(const QString& text) const;
  std::string csv() const;

 private:
  std::shared_ptr<const artifact::Listing> listing_;
  std::shared_ptr<const artifact::Timeline> timeline_;
  LinkedOperations linked_;
  OperationIndex operations_;
  artifact::Ref subject_;
  std::vector<Column> columns_;
  std::unordered_map<artifact::OperationKey, artifact::OperationClass> kinds_;
  std::unordered_map<std::int64_t, int> row_of_address_;
};

}  // namespace convscope::ui
