#pragma once
// Judges a space while it is being written: away from the window's thread, by the reader that every space goes through.

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>

#include "core/explore/space/space_reader.h"
#include "ui/document/exploration/sweep_setup.h"
#include "ui/jobs/latest_job.h"

namespace convscope::ui {

struct CheckedSpace {
  std::shared_ptr<const explore::Space> space;  ///< null if it is refused
  std::vector<explore::DraftPlace> lines;       ///< which field a diagnostic's line came from
  Diagnostics diagnostics;                      ///< of the space, then of the strategy
  bool ready() const { return space && !diagnostics.has_errors(); }
};

/// Reads the setup's space. Networks and presets come from `sources`, seen from the setup's folder.
CheckedSpace check_setup(const SweepSetup& setup, const explore::SpaceSources& sources);

/// Files, and targets of the catalogue; a network's file is read once as long as it doesn't change. Not to be used by
/// several threads at the same time.
class CachedSources : public explore::SpaceSources {
 public:
  explicit CachedSources(catalogue::CataloguePointer catalogue) : catalogue_(std::move(catalogue)) {}
  void set_folder(const std::string& folder) { folder_ = folder; }

  std::shared_ptr<const target::Target> target(std::string_view id) const override;
  std::optional<std::string> preset(const std::string& name, const target::Target& target, const Location& where,
                                    Diagnostics& diagnostics) const override;
  std::optional<HashedNetwork> network(const std::string& file, const std::optional<network::InputSizes>& sizes,
                                       Diagnostics& diagnostics) const override;

 private:
  catalogue::CataloguePointer catalogue_;
  std::string folder_;
  mutable std::map<std::string, HashedNetwork> networks_;
};

class SpaceCheck : public QObject {
  Q_OBJECT
 public:
  explicit SpaceCheck(catalogue::CataloguePointer catalogue, QObject* parent = nullptr);

  /// `checked` follows, for the newest setup only.
  void check(const SweepSetup& setup);
  /// True until it has followed.
  bool busy() const { return pause_.isActive() || job_.running(); }

 signals:
  void checked(const convscope::ui::CheckedSpace& result);

 private:
  void launch();

  std::shared_ptr<CachedSources> sources_;
  SweepSetup waiting_;
  QTimer pause_;  ///< while one types
  LatestJob job_;
};

}  // namespace convscope::ui
