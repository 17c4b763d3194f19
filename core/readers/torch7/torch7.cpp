#include "core/readers/torch7/torch7.h"

#include "core/readers/torch7/archive.h"
#include "core/readers/torch7/translation.h"

namespace convscope::readers {
namespace {

using namespace torch7;

constexpr const char* format_id = "torch7";
constexpr int table_mark = 3, object_mark = 4, last_mark = 8;

bool is_class(std::string_view text) {
  return text.starts_with("V ") || text.find('.') != std::string_view::npos;
}

/// Kind, index, and for an object its class, for a table its size and the kind of its first key.
bool begins(std::string_view head, bool in_text) {
  constexpr std::int64_t longest_class = 200;
  Source source(head, nullptr, {in_text, 8});
  const std::int64_t mark = source.integer();
  const std::int64_t index = source.integer(), size = source.integer();
  if (source.failed() || index < 0 || size < 0) return false;
  if (mark == object_mark) return size > 0 && size < longest_class && is_class(source.characters(size));
  if (mark != table_mark) return false;
  const std::int64_t first = size == 0 ? 0 : source.integer();
  return !source.failed() && first >= 0 && first <= last_mark;
}

}  // namespace

bool is_torch7(std::string_view head) {
  if (head.size() < 6) return false;
  const bool in_text = (head[0] == '3' || head[0] == '4') && head[1] == '\n';
  return (in_text || head.substr(1, 3) == std::string_view("\0\0\0", 3)) && begins(head, in_text);
}

std::optional<network::Network> read_torch7_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                                  const std::string& path, Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  Source::Problem problem;
  const std::optional<Archive> archive = read_archive(bytes, owner, problem);
  if (!archive) {
    report.error(problem.place.line, problem.place.text(), problem.what, problem.expected);
    return std::nullopt;
  }
  const std::optional<Value> module = find_network(*archive, report);
  if (!module) return std::nullopt;
  network::Network network;
  network.graph = translate(*archive, *module, report);
  if (!network.graph) return std::nullopt;
  network.name = stem_of(path);
  network.source_file = path;
  network.format = format_id;
  return network;
}

std::optional<network::Network> read_torch7(const MappedFile& file, const std::string& path, Diagnostics& diagnostics) {
  return read_torch7_bytes(file.bytes(), file.owner(), path, diagnostics);
}

}  // namespace convscope::readers
