#pragma once
// Kinds of operators, coarse enough to be told apart by colour from afar.

#include <QColor>
#include <QString>
#include <array>
#include <string_view>

#include "ui/theme/theme.h"

namespace convscope::ui {

enum class OperatorKind { product, activation, pooling, arithmetic, rearrangement, constant, other };

inline constexpr std::array operator_kinds = {
    OperatorKind::product,       OperatorKind::activation, OperatorKind::pooling, OperatorKind::arithmetic,
    OperatorKind::rearrangement, OperatorKind::constant,   OperatorKind::other};

/// Of an ONNX operator; `other` for one that is not known.
OperatorKind operator_kind(std::string_view operator_name);
QString operator_kind_name(OperatorKind kind);
/// Roles that the theme has already: what multiplies has the colour of multiplying everywhere.
QColor operator_colour(OperatorKind kind, const Theme& theme);

}  // namespace convscope::ui
