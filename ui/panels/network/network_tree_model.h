#pragma once
// The open network as a tree: network, layers, programs, each with its figures.

#include <QAbstractItemModel>
#include <QStringList>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare_figures.h"
#include "ui/model/view_host.h"

namespace convscope::ui {

class NetworkTreeModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { name, operators, cycles, utilization, macs, parameters, outputs, bytes, column_count };

  /// What a layer has without any target; bytes are unknown in descriptors.
  struct Facts {
    std::int64_t macs = 0, parameters = 0;
    std::optional<std::int64_t> output_bytes;
  };

  explicit NetworkTreeModel(ViewHost& host, QObject* parent = nullptr);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  /// What a row stands for; an empty Ref for the network itself.
  artifact::Ref ref(const QModelIndex& index) const;
  /// Row of a layer, or of its program if the ref names one.
  QModelIndex find(const artifact::Ref& ref) const;

 private:
  void refresh();
  void reset(std::shared_ptr<const network::Network> network);
  /// Takes the programs of layers whose results are new, for some milliseconds; what is left follows with later events.
  void take_programs();
  void replace_programs(int layer, const QStringList& programs);
  QModelIndex layer_index(int layer, int column = 0) const;
  QVariant network_data(int column, int role) const;
  /// Of the figure by which runs are compared first, to the chosen baseline; nothing without one.
  std::optional<analysis::FigureDifference> difference(int layer) const;
  QString difference_line(int layer) const;
  QVariant marked(const QVariant& cycles_data, int layer, int role) const;
  QVariant verdict_brush(int column, int layer) const;
  QVariant facts_data(const Facts& facts, int column, int role) const;
  QVariant layer_data(int layer, int column, int role) const;

  ViewHost& host_;
  std::shared_ptr<const network::Network> network_;
  std::vector<Facts> facts_;  // by layer
  Facts total_;
  std::vector<QStringList> programs_;  // names, by layer: the tree's shape as it was announced
  std::vector<std::shared_ptr<const target::CompiledLayer>> results_;  // whose programs these are
  QTimer more_;
};

}  // namespace convscope::ui
