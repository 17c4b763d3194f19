#include "core/nve/architecture/pass_order.h"

#include <fmt/format.h>

namespace convscope::nve {
namespace {

// Far more than any layer needs; a file of few bytes could ask for more than can be followed.
constexpr std::int64_t most_coefficients = std::int64_t{1} << 22;

bool takes_all_inputs(const OutputMap& map, std::size_t inputs) {
  if (map.inputs.size() != inputs) return false;
  for (std::size_t i = 0; i < inputs; ++i)
    if (map.inputs[i] != static_cast<int>(i)) return false;
  return true;
}

}  // namespace

PassOrder::PassOrder(const Program& program)
    : program_(program),
      passes_(std::int64_t{program.passes} + 1),
      maps_(static_cast<std::int64_t>(program.maps.size())),
      inputs_(static_cast<std::int64_t>(program.inputs.size())),
      real_units_(inputs_ * program.kernel_width),
      rows_(std::int64_t{program.units} * program.kernel_height),
      ordered_words_(rows_ * maps_ / program.machine.coefficients_per_set()) {
  const int step = program.polyphase ? program.stride_height : 1;
  for (int phase = 0; phase < step; ++phase)
    for (int row = phase; row < program.kernel_height; row += step) kernel_rows_.push_back(row);
}

auto PassOrder::unit(const StreamWord& item, std::int64_t pass) const -> Unit {
  const std::int64_t number = item.index + pass * program_.units, each = passes_ * program_.units;
  const std::int64_t in_iteration = number % each;
  if (in_iteration >= real_units_) return {number / each, -1, 0};
  return {number / each, static_cast<int>(in_iteration % inputs_), static_cast<int>(in_iteration / inputs_)};
}

int PassOrder::ordered_word(const StreamWord& item, std::int64_t pass) const {
  return static_cast<int>((item.index + pass * ordered_words_) % ordered_words());
}

Coefficient PassOrder::coefficient(int ordered_word, int place) const {
  const std::int64_t per_word = program_.machine.coefficients_per_set();
  if (place >= per_word) return {};
  const std::int64_t own_words = ordered_word >= program_.lead / per_word ? maps_ : 0;
  return at((program_.lead % per_word + ordered_word * per_word + own_words + place) % coefficients());
}

Coefficient PassOrder::at(std::int64_t position) const {
  const bool first = position < 2 * maps_;  // biases stand between the weights of the first row
  const auto map = static_cast<int>(first ? position / 2 : position % maps_);
  if (first && position % 2 == 0) return {map, 0};
  const std::int64_t row = first ? 0 : position / maps_ - 1;
  const std::int64_t unit = row / program_.kernel_height;
  if (unit >= real_units_) return {};
  const std::int64_t column = unit % inputs_ * program_.kernel_width + unit / inputs_;
  const int kernel_row = kernel_rows_[static_cast<std::size_t>(row % program_.kernel_height)];
  return {map, static_cast<int>(1 + column * program_.kernel_height + kernel_row)};
}

std::string pass_order_complaint(const Program& program) {
  const std::size_t inputs = program.inputs.size();
  if (program.maps.empty() || inputs == 0) return "no maps or inputs; expected some of each";
  if (program.maps.size() > static_cast<std::size_t>(program.machine.accumulators))
    return fmt::format("{} maps; expected at most {}, the machine's vectors of accumulators", program.maps.size(),
                       program.machine.accumulators);
  for (std::size_t m = 0; m < program.maps.size(); ++m)
    if (!takes_all_inputs(program.maps[m], inputs))
      return fmt::format("map {} doesn't take all inputs in their order; expected 0 to {}", m, inputs - 1);
  const auto maps = static_cast<std::int64_t>(program.maps.size());
  const std::int64_t rows = std::int64_t{program.units} * program.kernel_height;
  const std::int64_t taken = rows * (program.passes + 1), per_word = program.machine.coefficients_per_set();
  const std::int64_t weights = std::int64_t{program.kernel_width} * program.kernel_height;
  if (taken > most_coefficients / maps || static_cast<std::int64_t>(inputs) > most_coefficients / weights / maps)
    return fmt::format("an iteration of more than {} coefficients", most_coefficients);
  if (rows * maps % per_word != 0)
    return fmt::format("a pass of {} coefficients; expected whole words of {}", rows * maps, per_word);
  if (taken < static_cast<std::int64_t>(inputs) * weights)
    return fmt::format("passes take {} rows of the kernel; expected at least {}, of all inputs and columns", taken,
                       static_cast<std::int64_t>(inputs) * weights);
  if (program.lead < 0 || program.lead / per_word >= rows * maps / per_word)
    return fmt::format("a lead of {} coefficients; expected less than the {} of a pass", program.lead, rows * maps);
  return {};
}

}  // namespace convscope::nve
