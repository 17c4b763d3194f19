#pragma once
// Which views have something to show of what is open. Asked away from the window's thread, since artifacts may have to
// be made for the answer, and only when nothing is compiled that the user waits for. Dragging a parameter asks nothing
// anew: parameters decide what is in a machine's artifacts, not which it has.

#include <QObject>
#include <QTimer>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ui/jobs/latest_job.h"
#include "ui/model/view.h"
#include "ui/model/view_host.h"

namespace convscope::ui {

class ViewContents : public QObject {
  Q_OBJECT
 public:
  /// `views` outlive this.
  ViewContents(ViewHost& host, std::span<const ViewEntry> views, QObject* parent);

  /// As it was found last; true of all views at first.
  bool has_content(const ViewEntry& view) const;
  /// The answer is of what is open now.
  bool settled() const { return !pause_.isActive() && !job_.running(); }

 signals:
  void answers_changed();

 private:
  using Answers = std::vector<bool>;

  /// The run by which artifacts were judged.
  struct Judged {
    std::shared_ptr<const network::Network> network;
    std::shared_ptr<const target::Target> target;
    std::string level;
    bool mapped = false;  ///< a layer of it was there to ask
    bool operator==(const Judged&) const = default;
  };

  Judged judged_by() const;
  void ask();
  void take(const Answers& answers);

  ViewHost& host_;
  std::span<const ViewEntry> views_;
  Answers answers_;
  Judged judged_;
  QTimer pause_;
  LatestJob job_;
};

}  // namespace convscope::ui
