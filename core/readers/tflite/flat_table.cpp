#include "core/readers/tflite/flat_table.h"

namespace convscope::readers::tflite {

bool FlatFile::holds(std::size_t at, std::size_t size) {
  if (at <= bytes_.size() && size <= bytes_.size() - at) return true;
  damaged_ = true;
  return false;
}

bool FlatFile::spend(std::size_t size) {
  if (size > budget_) {
    damaged_ = true;
    budget_ = 0;
    return false;
  }
  budget_ -= size;
  return true;
}

FlatTable FlatTable::root(FlatFile& file) {
  const std::size_t at = file.read<std::uint32_t>(0);
  return file.holds(at, 4) ? FlatTable(file, at) : FlatTable();
}

std::size_t FlatTable::position(int field) const {
  if (file_ == nullptr) return 0;
  const auto back = static_cast<std::int64_t>(file_->read<std::int32_t>(at_));
  const auto layout = static_cast<std::int64_t>(at_) - back;
  if (layout < 0 || !file_->holds(static_cast<std::size_t>(layout), 4)) {
    file_->mark_damaged();
    return 0;
  }
  const auto start = static_cast<std::size_t>(layout);
  const std::size_t entry = 4 + 2 * static_cast<std::size_t>(field);
  if (file_->read<std::uint16_t>(start) < entry + 2) return 0;
  const std::size_t offset = file_->read<std::uint16_t>(start + entry);
  return offset == 0 ? 0 : at_ + offset;
}

std::size_t FlatTable::target(int field) const {
  const std::size_t at = position(field);
  if (at == 0 || !file_->holds(at, 4)) return 0;
  const std::size_t found = at + file_->read<std::uint32_t>(at);
  return file_->holds(found, 4) ? found : 0;
}

FlatVector FlatTable::vector(int field, std::size_t element_size) const {
  const std::size_t at = target(field);
  if (at == 0) return {};
  const std::size_t count = file_->read<std::uint32_t>(at);
  // 2^32 elements of 8 bytes don't overflow.
  return file_->holds(at + 4, count * element_size) ? FlatVector{at + 4, count} : FlatVector{};
}

FlatTable FlatTable::table(int field) const {
  const std::size_t at = target(field);
  return at == 0 ? FlatTable() : FlatTable(*file_, at);
}

std::string_view FlatTable::bytes(int field) const {
  const FlatVector found = vector(field, 1);
  return found.count == 0 ? std::string_view() : file_->bytes().substr(found.begin, found.count);
}

std::string FlatTable::text(int field) const {
  const std::string_view found = bytes(field).substr(0, 1000);
  return file_ != nullptr && file_->spend(found.size()) ? std::string(found) : std::string();
}

template <typename Element, typename Result>
std::vector<Result> FlatTable::values(int field) const {
  const FlatVector found = vector(field, sizeof(Element));
  std::vector<Result> result;
  if (found.count == 0 || !file_->spend(found.count * sizeof(Element))) return result;
  result.reserve(found.count);
  for (std::size_t i = 0; i < found.count; ++i)
    result.push_back(static_cast<Result>(file_->read<Element>(found.begin + i * sizeof(Element))));
  return result;
}

std::vector<std::int64_t> FlatTable::integers(int field) const {
  return values<std::int32_t, std::int64_t>(field);
}

std::vector<std::int64_t> FlatTable::wide_integers(int field) const {
  return values<std::int64_t, std::int64_t>(field);
}

std::vector<double> FlatTable::reals(int field) const {
  return values<float, double>(field);
}

std::vector<FlatTable> FlatTable::tables(int field) const {
  const FlatVector found = vector(field, 4);
  std::vector<FlatTable> result;
  if (found.count == 0 || !file_->spend(found.count * 4)) return result;
  for (std::size_t i = 0; i < found.count; ++i) {
    const std::size_t at = found.begin + 4 * i;
    const std::size_t table = at + file_->read<std::uint32_t>(at);
    result.push_back(file_->holds(table, 4) ? FlatTable(*file_, table) : FlatTable());
  }
  return result;
}

}  // namespace convscope::readers::tflite
