#include "ui/theme/system_theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace convscope::ui {
namespace {

constexpr QLatin1String service("org.freedesktop.portal.Desktop");
constexpr QLatin1String path("/org/freedesktop/portal/desktop");
constexpr QLatin1String interface("org.freedesktop.portal.Settings");
constexpr QLatin1String appearance("org.freedesktop.appearance");
constexpr QLatin1String colour_scheme("color-scheme");

// Values of color-scheme; 0 is "no preference".
constexpr uint prefers_dark = 1, prefers_light = 2;

/// Without an address the library would start a bus, or wait for one.
bool has_session_bus() {
  return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS");
}

}  // namespace

SystemTheme::SystemTheme(bool dark, QObject* parent) : QObject(parent), dark_(dark) {}

void SystemTheme::listen() {
  if (!has_session_bus()) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
              SLOT(setting_changed(QString, QString, QDBusVariant)));
  QDBusMessage question = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
  question << appearance << colour_scheme;
  auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
    const QDBusPendingReply<QDBusVariant> reply = *answer;
    if (reply.isValid()) take(reply.value().variant());
    answer->deleteLater();
  });
}

void SystemTheme::setting_changed(const QString& name_space, const QString& key, const QDBusVariant& value) {
  if (name_space == appearance && key == colour_scheme) take(value.variant());
}

void SystemTheme::take(const QVariant& scheme) {
  // "Read" wraps its answer once more than the signal does.
  if (scheme.canConvert<QDBusVariant>()) return take(scheme.value<QDBusVariant>().variant());
  const uint value = scheme.toUInt();
  if (value != prefers_dark && value != prefers_light) return;
  if (dark_ == (value == prefers_dark)) return;
  dark_ = !dark_;
  emit changed(dark_);
}

}  // namespace convscope::ui
