#include "ui/commands/match.h"

#include <QStringList>
#include <algorithm>

namespace convscope::ui {
namespace {

constexpr int word_beginning = 400, run = 200, scattered = 50;

bool begins_word(const QString& text, qsizetype at) {
  return at == 0 || !text[at - 1].isLetterOrNumber();
}

/// Places where the letters of a word stand in order, each as early as possible; the distance from first to last.
std::optional<qsizetype> spread(const QString& word, const QString& text) {
  qsizetype at = -1, first = -1;
  for (const QChar letter : word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return std::nullopt;
    if (first < 0) first = at;
  }
  return at - first;
}

/// A later place costs less than a worse kind of match.
int earliness(qsizetype at) {
  return -static_cast<int>(std::min<qsizetype>(at, 40));
}

std::optional<int> word_score(const QString& word, const QString& text) {
  std::optional<int> best;
  for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const int score = (begins_word(text, at) ? word_beginning : run) + earliness(at);
    best = std::max(best.value_or(score), score);
  }
  if (best) return best;
  const auto letters = spread(word, text);
  return letters ? std::optional(scattered + earliness(*letters)) : std::nullopt;
}

}  // namespace

std::optional<int> match_score(const QString& typed, const QString& text) {
  const QString where = text.toLower();
  int sum = 0;
  for (const QString& word : typed.toLower().split(' ', Qt::SkipEmptyParts)) {
    const auto score = word_score(word, where);
    if (!score) return std::nullopt;
    sum += *score;
  }
  return sum;
}

}  // namespace convscope::ui
