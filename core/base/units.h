#pragma once
// Values as people type them: "16 GB/s", "8 KiB", "1 GHz", or a plain number.

#include <optional>
#include <string>
#include <string_view>

namespace convscope {

/// The number that the text means in `unit` ("" if there is none): a plain number is taken to be in it already, another
/// unit of the same sort (time, frequency, amount of data, data rate) is converted. A decimal point, no comma; K, M, G
/// are powers of 1000, Ki, Mi, Gi of 1024. Nothing if the text is no finite number or its unit is of another sort.
/// "KB" is refused: it means 1000 to some and 1024 to others.
std::optional<double> parse_in_unit(std::string_view text, std::string_view unit);

/// How values in `unit` may be written, for hints.
std::string units_hint(std::string_view unit);

}  // namespace convscope
