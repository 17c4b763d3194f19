#pragma once
// A painter that is made when it is first asked to draw: dialogs ask for painters on the window's thread, and draw with
// them on another.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "ui/model/view.h"

namespace convscope::ui {

class LazyPainter : public ViewPainter {
 public:
  using Make = std::function<std::unique_ptr<ViewPainter>()>;  ///< on any thread; never returns null

  LazyPainter(QSizeF preferred_size, Make make) : preferred_size_(preferred_size), make_(std::move(make)) {}

  QSizeF preferred_size() const override { return preferred_size_; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    made().paint(painter, area, theme);
  }
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override { return made().hit(point, area); }
  QString reading(QPointF point, const QRectF& area) const override { return made().reading(point, area); }
  std::string csv() const override { return made().csv(); }

 private:
  const ViewPainter& made() const {
    std::call_once(once_, [this] { painter_ = make_(); });
    return *painter_;
  }

  QSizeF preferred_size_;
  Make make_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<ViewPainter> painter_;
};

}  // namespace convscope::ui
