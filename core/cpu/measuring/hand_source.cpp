#include "core/cpu/measuring/hand_source.h"

#include "core/base/atomic_file.h"
#include "core/base/text.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20;
constexpr int lines_of_comment = 40;

/// "//   image   HWC   1024 floats" -> its layout, if the line is about this tensor.
bool read_layout(const std::vector<std::string>& line, const char* tensor, Layout& layout, bool& fine) {
  if (line.size() < 3 || line[0] != "//" || line[1] != tensor) return false;
  const auto read = parse_layout(line[2]);
  fine = read.has_value();
  if (read) layout = *read;
  return true;
}

}  // namespace

std::optional<Generated> read_hand_source(const std::string& path, Family family, Diagnostics& diagnostics) {
  auto text = read_file(path, diagnostics);
  if (!text) return std::nullopt;
  if (text->size() > most_bytes) {
    diagnostics.error({path, 0, {}}, "the source is too large", "at most 4 MiB");
    return std::nullopt;
  }
  Generated program;
  program.family = family;
  std::size_t at = 0;
  for (int number = 1; number <= lines_of_comment && at < text->size(); ++number) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::vector<std::string> line = words(std::string_view(*text).substr(at, end - at));
    at = end + 1;
    bool fine = true;
    if (!read_layout(line, "image", program.image, fine) && !read_layout(line, "kernel", program.kernel, fine))
      read_layout(line, "output", program.output, fine);
    if (fine) continue;
    diagnostics.error({path, number, {}}, "'" + line[2] + "' is no layout", "such as HWC, H[W/8]C[8] or [M/16]YXC[16]");
    return std::nullopt;
  }
  program.source = std::move(*text);
  return program;
}

}  // namespace convscope::cpu
