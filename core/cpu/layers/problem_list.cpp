#include "core/cpu/layers/problem_list.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cpu/layers/layer_problem.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t most_problems = 1000;

struct Line {
  int number = 0;
  std::string_view text;
};

/// Without comments and blanks; those that are then empty are left out.
std::vector<Line> lines_of(std::string_view content, std::size_t most) {
  std::vector<Line> lines;
  for (int number = 1; !content.empty() && lines.size() < most; ++number) {
    const std::size_t end = content.find('\n');
    std::string_view line = content.substr(0, end);
    content = end == std::string_view::npos ? std::string_view() : content.substr(end + 1);
    line = trimmed(line.substr(0, line.find('#')));
    if (!line.empty()) lines.push_back({number, line});
  }
  return lines;
}

/// Where the network is named after; a list that is an argument has no file.
std::string name_of(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return stem.empty() || is_problem_list(path) ? "convolutions" : stem;
}

}  // namespace

bool is_problem_list(std::string_view content) {
  constexpr std::size_t looked_at = 4096;
  const std::vector<Line> first = lines_of(content.substr(0, looked_at), 1);
  if (first.empty()) return false;
  const std::string_view line = first.front().text;
  const std::size_t arrow = line.find("->");
  return arrow != std::string_view::npos &&
         line.substr(0, arrow).find_first_not_of("0123456789x \t") == std::string_view::npos;
}

std::optional<network::Network> read_problem_list(const MappedFile& file, const std::string& path,
                                                  Diagnostics& diagnostics) {
  return read_problem_list_text(file.bytes(), path, diagnostics);
}

std::optional<network::Network> read_problem_list_text(std::string_view content, const std::string& path,
                                                       Diagnostics& diagnostics) {
  std::vector<Problem> problems;
  bool fine = true;
  const std::vector<Line> lines = lines_of(content, most_problems + 1);
  if (lines.size() > most_problems) {
    diagnostics.error({path, lines.back().number, {}}, "the list is too long",
                      fmt::format("at most {} convolutions", most_problems));
    return std::nullopt;
  }
  if (lines.empty()) diagnostics.error({path, 0, {}}, "the list is empty", "lines such as \"56x56x64 -> 64, 3x3\"");
  for (const Line& line : lines) {
    Diagnostics own;
    const auto problem = parse_problem(line.text, own);
    if (problem && problem->stored == StoredTensors{}) problems.push_back(*problem);
    if (problem && problem->stored != StoredTensors{})
      own.error({}, "what tensors are stored in belongs to the machine, not to the convolution", {},
                "`--set weights=flyte-16`, `--set activations=flyte-24`");
    for (const Diagnostic& each : own.items())
      diagnostics.error({path, line.number, {}}, each.what, each.expected, each.hint);
    fine = fine && !own.has_errors();
  }
  if (!fine || problems.empty()) return std::nullopt;
  network::Network network = network_of(problems, name_of(path));
  network.source_file = path;
  for (std::size_t i = 0; i < lines.size(); ++i) network.layers[i].source_line = lines[i].number;
  return network;
}

}  // namespace convscope::cpu
