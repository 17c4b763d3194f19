#pragma once
// Judges a space while it is being written: away from the window's thread, by the reader that every space goes through.

#include <QObject>
#include <QTimer>
#include <memory>
#include <string>

#include "core/explore/space/space_reader.h"
#include "ui/document/exploration/sweep_setup.h"
#include "ui/jobs/read_job.h"
#include "ui/jobs/shared_reads.h"

namespace convscope::ui {

struct CheckedSpace {
  std::shared_ptr<const explore::Space> space;  ///< null if it is refused
  std::vector<explore::DraftPlace> lines;       ///< which field a diagnostic's line came from
  Diagnostics diagnostics;                      ///< of the space, then of the strategy
  bool ready() const { return space && !diagnostics.has_errors(); }
};

/// Reads the setup's space. Networks and presets come from `sources`, seen from the setup's folder.
CheckedSpace check_setup(const SweepSetup& setup, const explore::SpaceSources& sources);

/// What checks have read of networks and presets, by file and when it was changed.
struct ReadSources {
  SharedReads<explore::SpaceSources::HashedNetwork> networks;
  SharedReads<std::string> presets;
};

/// Files, seen from a folder, and targets of the catalogue; a file is read once as long as it doesn't change. Throws
/// Cancelled once stopped. For one thread; `known` may be that of several sources.
class CachedSources : public explore::SpaceSources {
 public:
  CachedSources(catalogue::CataloguePointer catalogue, std::string folder, std::shared_ptr<ReadSources> known,
                std::stop_token stop)
      : catalogue_(std::move(catalogue)),
        files_(explore::file_sources(folder, catalogue_)),
        folder_(std::move(folder)),
        known_(std::move(known)),
        stop_(std::move(stop)) {}

  std::shared_ptr<const target::Target> target(std::string_view id) const override;
  std::optional<std::string> preset(const std::string& name, const target::Target& target, const Location& where,
                                    Diagnostics& diagnostics) const override;
  std::optional<HashedNetwork> network(const std::string& file, const std::optional<network::InputSizes>& sizes,
                                       Diagnostics& diagnostics) const override;

 private:
  /// Names a file as it is now.
  std::string key(const std::string& file) const;

  catalogue::CataloguePointer catalogue_;
  std::unique_ptr<explore::SpaceSources> files_;
  std::string folder_;
  std::shared_ptr<ReadSources> known_;
  std::stop_token stop_;
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

  catalogue::CataloguePointer catalogue_;
  std::shared_ptr<ReadSources> known_ = std::make_shared<ReadSources>();
  SweepSetup waiting_;
  QTimer pause_;  ///< while one types
  ReadJob job_;   ///< a file that never answers delays no other setup
};

}  // namespace convscope::ui
