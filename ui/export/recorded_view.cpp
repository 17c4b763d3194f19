#include "ui/export/recorded_view.h"

#include <QPainter>
#include <QPicture>
#include <utility>

namespace convscope::ui {
namespace {

class RecordedView : public ViewPainter {
 public:
  RecordedView(std::shared_ptr<const ViewPainter> view, QSizeF size, const Theme& theme)
      : view_(std::move(view)), size_(size) {
    QPainter recorder(&picture_);
    view_->paint(recorder, QRectF(QPointF(), size), theme);
  }
  QSizeF preferred_size() const override { return size_; }
  void paint(QPainter& painter, const QRectF& area, const Theme& /*theme*/) const override {
    painter.drawPicture(area.topLeft(), picture_);
  }
  std::optional<artifact::Ref> hit(QPointF /*point*/, const QRectF& /*area*/) const override { return std::nullopt; }
  QString reading(QPointF /*point*/, const QRectF& /*area*/) const override { return {}; }
  std::string csv() const override { return view_->csv(); }

 private:
  std::shared_ptr<const ViewPainter> view_;
  QSizeF size_;
  QPicture picture_;
};

}  // namespace

std::shared_ptr<const ViewPainter> record(std::shared_ptr<const ViewPainter> view, QSizeF size, const Theme& theme) {
  return std::make_shared<const RecordedView>(std::move(view), size, theme);
}

}  // namespace convscope::ui
