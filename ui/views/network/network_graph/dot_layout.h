#pragma once
// Drawings by Graphviz: `dot -Tjson` as a child process (its license forbids linking, and a process can be killed).

#include <QByteArray>
#include <QString>
#include <optional>
#include <stop_token>
#include <vector>

#include "ui/views/network/network_graph/layered_layout.h"

namespace convscope::ui {

/// What dot is asked: the same text for the same sizes and edges, so that it can be a key.
QByteArray dot_question(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges);

/// Nothing if the answer isn't one to a question with these boxes and edges.
std::optional<LayeredLayout> dot_answer(const QByteArray& json, const std::vector<QSizeF>& sizes,
                                        const std::vector<LayoutEdge>& edges);

enum class DotState { done, absent, failed, too_slow, stopped };

struct DotRun {
  DotState state = DotState::failed;
  QByteArray json;
};

/// Waits for the program, on the caller's thread; kills it at the limit, or within some 20 ms when stopped.
DotRun run_dot(const QString& program, const QByteArray& question, int limit_milliseconds, const std::stop_token& stop);

}  // namespace convscope::ui
