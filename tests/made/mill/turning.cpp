#include "tests/made/mill/turning.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace convscope::made::mill {
namespace {

class Turning : public target::Trace {
 public:
  explicit Turning(std::string_view program) {
    std::istringstream lines{std::string(program)};
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) lines_.push_back(line);
    schema_.units = {"stones"};
    schema_.blocks = {{.name = "turns", .kind = artifact::StateKind::counter},
                      {.name = "sacks", .rows = 2, .help = "full, and those of today"}};
  }

  const artifact::StateSchema& schema() const override { return schema_; }
  std::int64_t cycles() const override { return static_cast<std::int64_t>(lines_.size()); }
  const std::string& refusal() const override { return refusal_; }
  std::int64_t checkpoint_bytes() const override { return 0; }

  artifact::StateValues values(std::int64_t cycle, int block, std::int64_t /*first*/,
                               std::int64_t count) const override {
    const std::int64_t value =
        block == 0 ? cycle + 1 : std::count_if(lines_.begin(), lines_.begin() + cycle + 1, grinds);
    return {std::vector<std::int64_t>(static_cast<std::size_t>(count), value), {}};
  }

  std::string text(int /*unit*/, const artifact::CycleChanges& changes) const override {
    return grinds(line(changes.cycle)) ? "grinds" : "there is no wind";
  }
  std::string instruction(std::int64_t address) const override { return line(address); }

 private:
  void tell(std::int64_t cycle, artifact::CycleChanges& changes) const override {
    changes.cycle = changes.address = cycle;
    changes.accesses = {{0, artifact::AccessKind::write, 0, 1}};
    if (grinds(line(cycle))) changes.accesses.push_back({1, artifact::AccessKind::write, 0, 2});
    changes.units = {{grinds(line(cycle)) ? artifact::UnitActivity::busy : artifact::UnitActivity::idle, 0}};
  }

  static bool grinds(const std::string& line) { return line.find("grind") != std::string::npos; }
  const std::string& line(std::int64_t cycle) const { return lines_[static_cast<std::size_t>(cycle)]; }

  artifact::StateSchema schema_;
  std::vector<std::string> lines_;
  std::string refusal_;
};

}  // namespace

std::shared_ptr<const target::Trace> turn(std::string_view program) {
  return std::make_shared<const Turning>(program);
}

}  // namespace convscope::made::mill
