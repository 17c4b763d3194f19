#include "core/cpu/artifacts/transforms.h"

#include <optional>

#include <fmt/format.h>

#include "core/cpu/tree/winograd.h"
#include "core/winograd/artifacts/transform_artifacts.h"
#include "core/winograd/equations/pairs.h"

namespace convscope::cpu {
namespace {

/// The matrices with the equations made of one of them.
struct Shared {
  std::shared_ptr<const WinogradPrograms> programs;
  winograd::SharedForms forms;

  const winograd::Matrix& matrix(winograd::Operand operand) const {
    return winograd::matrix_of(programs->matrices, operand);
  }
};

std::optional<Shared> shared(const ShownTransform& transform) {
  Shared result{winograd_programs(transform.m, transform.r, transform.points), {}};
  if (!result.programs) return std::nullopt;
  const winograd::Matrix& matrix = result.matrix(transform.operand);
  result.forms = winograd::share_pairs(winograd::forms_of(matrix), matrix.columns());
  return result;
}

}  // namespace

std::string ShownTransform::name() const {
  constexpr const char* matrices[] = {"G", "BT", "AT"};
  return fmt::format("transform of the {} by {}, F({}, {})", winograd::operand_name(operand),
                     matrices[static_cast<std::size_t>(operand)], m, r);
}

std::vector<ShownTransform> shown_transforms(const ChosenProgram& program) {
  const Plan plan = decode(program.problem, program.path);
  if (!plan.winograd() || plan.outputs < 1) return {};
  const bool both = plan.kernel->method == Method::winograd_2d;
  std::vector<int> kernels{plan.convolution.kernel_width};
  if (both && plan.convolution.kernel_height != kernels.front()) kernels.push_back(plan.convolution.kernel_height);
  std::vector<ShownTransform> found;
  for (const int r : kernels)
    for (const winograd::Operand operand :
         {winograd::Operand::input, winograd::Operand::kernel, winograd::Operand::output})
      found.push_back({operand, plan.outputs, r, plan.points});
  return found;
}

std::shared_ptr<const artifact::TaskGraph> equation_graph(const ShownTransform& transform) {
  const auto known = shared(transform);
  if (!known) return nullptr;
  return std::make_shared<const artifact::TaskGraph>(
      winograd::equation_graph(known->forms, transform.operand, known->matrix(transform.operand)));
}

std::shared_ptr<const artifact::Listing> equation_listing(const ShownTransform& transform) {
  const auto known = shared(transform);
  if (!known) return nullptr;
  return std::make_shared<const artifact::Listing>(
      winograd::equation_listing(known->programs->matrices, known->forms, transform.operand));
}

}  // namespace convscope::cpu
