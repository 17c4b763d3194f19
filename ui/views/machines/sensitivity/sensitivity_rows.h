#pragma once
// What helps most, as rows: parameters by what changing them gains, each with its changes, the best first; then what
// makes no difference, and what is impossible, with the reason.

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "ui/model/view.h"

namespace convscope::explore {
struct Standing;
}

namespace convscope::ui {

struct SensitivityRun;

/// What a change does to the whole network, or to a layer.
struct ChangeEffect {
  double gain = 0;       ///< part of the time that is saved; losses are negative
  QString bound_before;  ///< resource that binds, or what takes most of the time (SensitivityRows::by_bound)
  QString bound_after;
  double seconds_before = 0, seconds_after = 0;
};

struct SensitivityRow {
  enum class Kind {
    effect,     ///< one change that makes a difference
    none,       ///< changes of a parameter that make none
    impossible  ///< a change that can't be made, or that loses layers
  } kind = Kind::effect;
  std::size_t parameter = 0;  ///< index in the machine's description
  QString name;               ///< of the parameter; empty in all but a parameter's first row
  QString label;              ///< of the parameter, always
  QString what;               ///< "16 → 32, one step", "8, 9, 64 make no difference"
  QString reason;             ///< why it is impossible
  double value = 0;           ///< of an effect: what the parameter would be set to
  ChangeEffect total;
  std::optional<ChangeEffect> layer;  ///< of the selected one, if both machines map it
};

enum class EffectOrder { total, layer };

class SensitivityRows {
 public:
  /// `layer` -1: none is selected.
  SensitivityRows(std::shared_ptr<const SensitivityRun> run, int layer, EffectOrder order);

  const SensitivityRun& run() const { return *run_; }
  const std::vector<SensitivityRow>& rows() const { return rows_; }
  /// Name of the selected layer; empty if it isn't mapped.
  const QString& layer_name() const { return layer_name_; }
  EffectOrder order() const { return order_; }
  /// Whether the target's bounds tell what binds; else the largest part of the time stands for it.
  bool by_bound() const { return by_bound_; }
  /// Largest gain and largest loss of all rows, both at least 0.
  double most_gain() const { return most_gain_; }
  double most_loss() const { return most_loss_; }
  /// A row for people: what would change, and what binds before and after.
  QString reading(std::size_t row) const;
  std::string csv() const;

 private:
  void add_parameter(std::size_t parameter);
  SensitivityRow row_of(std::size_t change) const;
  ChangeEffect effect_of(double gain, const explore::Standing& before, const explore::Standing& after) const;
  QString binding(const explore::Standing& standing) const;
  std::vector<std::size_t> order_of_parameters() const;

  std::shared_ptr<const SensitivityRun> run_;
  int layer_ = -1;
  EffectOrder order_;
  bool by_bound_ = true;
  QString layer_name_;
  std::vector<SensitivityRow> rows_;
  double most_gain_ = 0, most_loss_ = 0;
};

/// "31.2 % less time", "12.0 % more time".
QString gain_text(double gain);

}  // namespace convscope::ui
