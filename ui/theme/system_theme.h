#pragma once
// Whether the desktop is dark, and when that changes. Qt 6.4 doesn't tell; the desktop portal does.

#include <QDBusVariant>
#include <QObject>
#include <QString>

namespace convscope::ui {

/// Asks the desktop portal's settings (org.freedesktop.portal.Settings, "color-scheme") without waiting. Where there is
/// no session bus or no portal, it stays with what it was told at the start.
class SystemTheme : public QObject {
  Q_OBJECT
 public:
  /// `dark`: what the palette says that the desktop gave the application.
  explicit SystemTheme(bool dark, QObject* parent = nullptr);
  bool dark() const { return dark_; }
  /// Subscribes and asks; `changed` follows if the portal says otherwise.
  void listen();

 signals:
  void changed(bool dark);

 public slots:
  /// The portal's signal. Other settings are ignored.
  void setting_changed(const QString& name_space, const QString& key, const QDBusVariant& value);

 private:
  void take(const QVariant& scheme);

  bool dark_;
};

}  // namespace convscope::ui
