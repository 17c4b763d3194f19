#include "ui/window/view_contents.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "ui/model/shown_run.h"

namespace convscope::ui {
namespace {

constexpr int pause_milliseconds = 300;
constexpr Changes told_by =
    Change::network | Change::baselines | Change::sweep | Change::sensitivity | Change::quantization;

}  // namespace

ViewContents::ViewContents(ViewHost& host, std::span<const ViewEntry> views, QObject* parent)
    : QObject(parent), host_(host), views_(views), answers_(views.size(), true) {
  pause_.setSingleShot(true);
  pause_.setInterval(pause_milliseconds);
  connect(&pause_, &QTimer::timeout, this, &ViewContents::ask);
  connect(&host, &ViewHost::changed, this, [this](Changes what) {
    const bool anew = what.testAnyFlags(told_by) || (what.testFlag(Change::results) && judged_by() != judged_);
    if (anew && !pause_.isActive()) pause_.start();
  });
  if (host.snapshot().network) pause_.start();  // a window that is made later, e.g. for a picture of it
}

bool ViewContents::has_content(const ViewEntry& view) const {
  const auto found = std::find_if(views_.begin(), views_.end(), [&](const ViewEntry& each) { return &each == &view; });
  return found == views_.end() || answers_[static_cast<std::size_t>(found - views_.begin())];
}

ViewContents::Judged ViewContents::judged_by() const {
  const auto run = shown_network(host_.snapshot());
  if (!run) return {};
  const bool mapped =
      std::any_of(run->layers.begin(), run->layers.end(), [](const auto& layer) { return layer && layer->mapped(); });
  return {run->network, run->target, run->level, mapped};
}

void ViewContents::ask() {
  if (host_.snapshot().busy) return pause_.start();  // what the user waits for comes first
  judged_ = judged_by();
  job_.start<Answers>(
      [views = views_, snapshot = host_.snapshot()](const std::stop_token& stop) {
        Answers answers;
        for (const ViewEntry& view : views) {
          throw_if_stopped(stop);
          answers.push_back(view.has_content == nullptr || view.has_content(snapshot));
        }
        return answers;
      },
      [this](const Answers& answers) { take(answers); });
}

void ViewContents::take(const Answers& answers) {
  if (answers == answers_) return;
  answers_ = answers;
  emit answers_changed();
}

}  // namespace convscope::ui
