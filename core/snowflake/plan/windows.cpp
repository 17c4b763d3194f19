#include "core/snowflake/plan/windows.h"

#include <algorithm>
#include <map>

namespace convscope::snowflake {
namespace {

constexpr int longest_trace = 2048;

/// Kernel rows or columns [first, end) that lie within the input.
struct Valid {
  int first = 0, end = 0;
  auto operator<=>(const Valid&) const = default;
  int count() const { return end - first; }
};

Valid valid(int out, int stride, int padding, int dilation, int kernel, int size) {
  const int at = out * stride - padding;
  Valid v{0, kernel};
  while (v.first < kernel && at + v.first * dilation < 0) ++v.first;
  while (v.end > v.first && at + (v.end - 1) * dilation >= size) --v.end;
  return v;
}

Valid valid_rows(const LayerShape& s, int out) {
  return valid(out, s.stride_height, s.padding_top, s.dilation_height, s.kernel_height, s.in.height);
}

Valid valid_columns(const LayerShape& s, int out) {
  return valid(out, s.stride_width, s.padding_left, s.dilation_width, s.kernel_width, s.in.width);
}

int counted(const LayerShape& s, const Valid& rows, const Valid& columns) {
  return s.count_padding ? s.kernel_height * s.kernel_width : rows.count() * columns.count();
}

class Traces {
 public:
  Traces(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine, const MapTile& tile)
      : s_(s), mapping_(mapping), macs_(machine.macs), tile_(tile), kernels_(kernel_shape(s, mapping, machine)) {}

  std::vector<Trace> of(const Valid& rows, const Valid& columns) {
    if (s_.pool())
      pooled(rows, columns);
    else if (kernels_.taps)
      taps(rows, columns);
    else
      kernel_rows(rows, columns);
    return std::move(list_);
  }

 private:
  int row_step() const { return s_.dilation_height * tile_.row_words(); }

  void kernel_rows(const Valid& rows, const Valid& columns) {
    const int words = columns.count() * tile_.pitch;
    const int scale = mapping_.independent ? macs_ : 1;
    // Rows that lie one behind the other in both buffers are one trace.
    const bool joined = rows.count() == 1 || (words == row_step() && words * scale == kernels_.row_words);
    const int pieces = joined ? 1 : rows.count(), length = joined ? words * rows.count() : words;
    for (int i = 0; i < pieces; ++i)
      split(i * row_step(), (rows.first + i) * kernels_.row_words + columns.first * tile_.pitch * scale, length, scale);
  }

  void split(int maps, int kernels, int words, int scale) {
    for (int at = 0; at < words; at += longest_trace)
      list_.push_back({maps + at, kernels + at * scale, std::min(longest_trace, words - at)});
  }

  void taps(const Valid& rows, const Valid& columns) {
    for (int i = 0; i < rows.count(); ++i)
      for (int j = 0; j < columns.count(); ++j)
        split(i * row_step() + j * s_.dilation_width * tile_.pitch,
              ((rows.first + i) * s_.kernel_width + columns.first + j) * kernels_.row_words, kernels_.span,
              mapping_.independent ? macs_ : 1);
  }

  void pooled(const Valid& rows, const Valid& columns) {
    const int weight =
        s_.kind == LayerKind::average_pool ? counted(s_, rows, columns) - pool_weights(s_).first_count : 0;
    const int most = mapping_.trace_per_position ? 1 : longest_trace / macs_;
    for (int i = 0; i < rows.count(); ++i)
      for (int j = 0; j < columns.count(); j += most)
        list_.push_back({i * row_step() + j * s_.dilation_width * tile_.pitch, weight,
                         macs_ * std::min(most, columns.count() - j)});
  }

  const LayerShape& s_;
  const Mapping& mapping_;
  int macs_;
  const MapTile& tile_;
  KernelShape kernels_;
  std::vector<Trace> list_;
};

// Rows [first, first + rows) of each CU in the mask have the same valid kernel rows.
struct RowClass {
  int first = 0, rows = 0;
  Valid valid;
  std::uint32_t cus = 0;
};

class Classes {
 public:
  Classes(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine, const MapTile& tile,
          std::uint8_t cus)
      : s_(s), mapping_(mapping), cus_(mapping.split ? machine.cus : 1), tile_(tile), mask_(cus) {}

  std::vector<RowClass> rows() {
    std::map<std::pair<Valid, std::uint32_t>, RowClass> open;
    for (int row = 0; row < tile_.rows; ++row) {
      std::map<std::pair<Valid, std::uint32_t>, RowClass> now;
      for (const auto& [v, cus] : of_row(row)) {
        const auto key = std::pair(v, cus);
        const auto before = open.find(key);
        RowClass c = before != open.end() ? before->second : RowClass{row, 0, v, cus};
        ++c.rows;
        now[key] = c;
        if (before != open.end()) open.erase(before);
      }
      close(open);
      open = std::move(now);
    }
    close(open);
    std::stable_sort(list_.begin(), list_.end(),
                     [](const RowClass& a, const RowClass& b) { return a.first < b.first; });
    return std::move(list_);
  }

 private:
  std::map<Valid, std::uint32_t> of_row(int row) const {
    std::map<Valid, std::uint32_t> classes;
    const Valid all{0, s_.kernel_height};
    if (!mapping_.split) return {{valid_rows(s_, tile_.row + row), mask_}};
    for (int cu = 0; cu < cus_; ++cu)
      if (cu * tile_.rows + row < tile_.all_rows)
        classes[s_.pool() ? valid_rows(s_, tile_.row + cu * tile_.rows + row) : all] |= 1u << cu;
    return classes;
  }

  void close(const std::map<std::pair<Valid, std::uint32_t>, RowClass>& open) {
    for (const auto& [key, row_class] : open) list_.push_back(row_class);
  }

  const LayerShape& s_;
  const Mapping& mapping_;
  int cus_;
  const MapTile& tile_;
  std::uint32_t mask_;
  std::vector<RowClass> list_;
};

std::vector<ColumnWindow> columns_of(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine,
                                     const MapTile& tile, const Valid& rows) {
  std::vector<ColumnWindow> list;
  Valid before{-1, -1};
  for (int x = tile.column; x < tile.column + tile.columns; ++x) {
    const Valid v = valid_columns(s, x);
    if (v.count() == 0) return {};
    if (v != before) {
      const int column = x * s.stride_width - s.padding_left + v.first * s.dilation_width;
      list.push_back({0, (column - tile.first_column) * tile.pitch, Traces(s, mapping, machine, tile).of(rows, v)});
      before = v;
    }
    ++list.back().outputs;
  }
  return list;
}

Configuration configuration_of(const LayerShape& s, const MapTile& tile, int macs, std::uint32_t cus) {
  Configuration c;
  c.relu = s.relu;
  c.lanes = s.kind == LayerKind::average_pool;
  c.cus = static_cast<std::uint8_t>(cus);
  c.fraction = s.kind == LayerKind::max_pool ? 0 : s.fraction;
  c.hop = s.pool() ? tile.pitch / macs * s.dilation_width : 0;
  return c;
}

// Where a single column of single outputs goes down, rows are what is looped over.
void turn_column(Strip& strip) {
  if (strip.columns.size() != 1 || strip.columns[0].outputs != 1 || strip.rows == 1) return;
  strip.columns[0].outputs = strip.rows;
  strip.rows = 1;
}

}  // namespace

PoolWeights pool_weights(const LayerShape& s) {
  const int all = s.kernel_height * s.kernel_width;
  if (s.count_padding) return {all, 1};
  // Rows and columns of a window don't depend on each other.
  Valid rows{all, 0}, columns{all, 0};  // fewest, most
  const auto take = [](Valid& range, int count) {
    range.first = std::min(range.first, count);
    range.end = std::max(range.end, count);
  };
  for (int y = 0; y < s.out.height; ++y) take(rows, valid_rows(s, y).count());
  for (int x = 0; x < s.out.width; ++x) take(columns, valid_columns(s, x).count());
  return {rows.first * columns.first, rows.end * columns.end - rows.first * columns.first + 1};
}

std::vector<Strip> strips(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine,
                          const MapTile& tile, std::uint8_t cus) {
  std::vector<Strip> list;
  for (const RowClass& c : Classes(s, mapping, machine, tile, cus).rows()) {
    Strip strip;
    if (c.valid.count() == 0) return {};
    const int top = (tile.row + c.first) * s.stride_height - s.padding_top;
    strip.rows = c.rows;
    strip.maps = (top + c.valid.first * s.dilation_height - tile.first_row) * tile.row_words();
    strip.out = std::int64_t{c.first} * s.out.width * s.out.pitch;
    strip.bypass = c.first * tile.columns * s.bypass.pitch;
    strip.configuration = value_of(configuration_of(s, tile, machine.macs, c.cus));
    strip.columns = columns_of(s, mapping, machine, tile, c.valid);
    if (strip.columns.empty()) return {};
    if (tile.columns == 1) turn_column(strip);
    list.push_back(std::move(strip));
  }
  return list;
}

Steps x_step(const LayerShape& s, const MapTile& tile) {
  if (tile.columns == 1) return y_step(s, tile);
  return {s.stride_width * tile.pitch, s.bypass.pitch, s.out.pitch};
}

Steps y_step(const LayerShape& s, const MapTile& tile) {
  return {s.stride_height * tile.row_words(), tile.columns * s.bypass.pitch, std::int64_t{s.out.width} * s.out.pitch};
}

}  // namespace convscope::snowflake
