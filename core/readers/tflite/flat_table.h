#pragma once
// FlatBuffers (flatbuffers.dev, "FlatBuffer Internals") without generated code: tables whose every offset is checked
// when it is followed. What leads out of the file reads as absent and marks the file as damaged.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::readers::tflite {

static_assert(std::endian::native == std::endian::little, "FlatBuffers are little-endian");

/// The bytes of a file and what reading them has cost. Tables may share vectors, so a small file can describe an
/// endless one: what is read in all is limited to some times its size.
class FlatFile {
 public:
  explicit FlatFile(std::string_view bytes) : bytes_(bytes), budget_(16 * bytes.size() + 4096) {}

  std::string_view bytes() const { return bytes_; }
  bool damaged() const { return damaged_; }
  void mark_damaged() { damaged_ = true; }

  /// True if [at, at + size) lies in the file; it is damaged otherwise.
  bool holds(std::size_t at, std::size_t size);
  /// Takes from what may be read; false, and the file counts as damaged, when that is used up.
  bool spend(std::size_t size);

  template <typename Value>
  Value read(std::size_t at) {
    Value value{};
    if (holds(at, sizeof value)) std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

 private:
  std::string_view bytes_;
  std::size_t budget_;
  bool damaged_ = false;
};

/// Elements of a vector: where they start and how many there are.
struct FlatVector {
  std::size_t begin = 0;
  std::size_t count = 0;
};

/// A table; the default one is absent, and all its fields are.
class FlatTable {
 public:
  FlatTable() = default;
  FlatTable(FlatFile& file, std::size_t at) : file_(&file), at_(at) {}
  static FlatTable root(FlatFile& file);

  bool present() const { return file_ != nullptr; }
  bool has(int field) const { return position(field) != 0; }

  template <typename Value>
  Value scalar(int field, Value fallback) const {
    const std::size_t at = position(field);
    return at == 0 ? fallback : file_->read<Value>(at);
  }
  FlatTable table(int field) const;
  std::string text(int field) const;
  std::string_view bytes(int field) const;
  std::vector<std::int64_t> integers(int field) const;       ///< of int32
  std::vector<std::int64_t> wide_integers(int field) const;  ///< of int64
  std::vector<double> reals(int field) const;                ///< of float32
  std::vector<FlatTable> tables(int field) const;

 private:
  std::size_t position(int field) const;
  /// Where a field's offset leads; 0 if it is absent or leads out of the file.
  std::size_t target(int field) const;
  FlatVector vector(int field, std::size_t element_size) const;
  template <typename Element, typename Result>
  std::vector<Result> values(int field) const;

  FlatFile* file_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace convscope::readers::tflite
