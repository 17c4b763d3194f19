#include "core/nmp/operators/operator_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

constexpr std::int64_t longest_piece = 1 << 14, most_pieces = 1 << 20;

/// `count` pieces of the elements, each a row of one map. The last one is as long as the others.
Convolution in_pieces(const OperatorUse& use, std::int64_t count) {
  Convolution c;
  const auto length = static_cast<int>(divide_up(use.elements, count));
  c.rows = {1, 1, 1, 1, 1, 0};
  c.columns = {length, length, 1, 1, 1, 0};
  c.depthwise = true;
  c.channels = 1;
  c.units = static_cast<int>(divide_up(use.elements, length));
  c.operation = use.operands > 1 ? Operator::pairs : Operator::pool;
  c.repeats = std::max(1, use.operands - 1);
  return c;
}

/// Elements of a piece for which every memory has room.
std::int64_t most_elements(const OperatorUse& use, const Machine& m) {
  std::int64_t bytes = m.joint_memory ? m.input_room() / 2 : std::min(m.input_bytes, m.output_bytes);
  if (use.operands > 1) bytes = std::min(bytes, m.weight_bytes);
  return std::clamp<std::int64_t>(bytes / m.element_bytes, 1, longest_piece);
}

/// As many pieces, or the fewest more, up to four times as many, that are equal: then nothing beyond the last element
/// is moved, which programs of networks need.
std::int64_t equal_pieces(std::int64_t elements, std::int64_t count) {
  for (std::int64_t more = count; more <= 4 * count && more <= elements; ++more)
    if (elements % more == 0) return more;
  return count;
}

std::vector<Convolution> divisions(const OperatorUse& use, const Machine& m) {
  const std::int64_t tlts = std::int64_t{m.tles} * m.tlts;
  std::vector<std::int64_t> counts;
  // Where memories may hold two pieces, these are half as long.
  for (std::int64_t most = most_elements(use, m); counts.size() < (m.choose_doubled ? 4 : 2);
       most = divide_up(most, 2)) {
    counts.push_back(divide_up(use.elements, most));
    counts.push_back(std::min(use.elements, divide_up(counts.back(), tlts) * tlts));
  }
  std::vector<Convolution> all;
  for (const std::int64_t count : counts)
    if (count <= most_pieces) all.push_back(in_pieces(use, equal_pieces(use.elements, count)));
  return all;
}

OperatorWork solved(const Convolution& convolution, const Machine& machine, CostLevel level, target::PassCache& cache,
                    const std::stop_token& stop) {
  auto solution = solve(convolution, machine, {level, {}, {}}, cache, stop);
  return {convolution, machine, std::move(solution)};
}

}  // namespace

bool use_percept(Convolution& convolution, const Machine& machine) {
  if (machine.array.kind != ArrayKind::pooled || !is_fully_connected(convolution)) return false;
  convolution.operation = Operator::fully_connected;
  return true;
}

OperatorWork solve_operator(const OperatorUse& use, const Machine& machine, CostLevel level, target::PassCache& cache,
                            const std::stop_token& stop) {
  Machine m = machine;
  m.array = {};
  if (use.kind == OperatorUse::Kind::pool && !use.pool->scattered) return solved(*use.pool, m, level, cache, stop);
  m.borders = Borders::exact;  // no piece is a border
  if (use.kind == OperatorUse::Kind::pool) return solved(*use.pool, m, level, cache, stop);
  std::optional<OperatorWork> best;
  for (const Convolution& convolution : divisions(use, m)) {
    OperatorWork work = solved(convolution, m, level, cache, stop);
    if (!work.solution->reason.empty()) continue;
    if (!best || work.solution->seconds.total() < best->solution->seconds.total()) best = std::move(work);
  }
  if (best) return *best;
  Solution none;
  none.reason =
      fmt::format("it is too large to search: its {} elements would be more than {} pieces", use.elements, most_pieces);
  return {{}, m, std::make_shared<const Solution>(std::move(none))};
}

}  // namespace convscope::nmp
