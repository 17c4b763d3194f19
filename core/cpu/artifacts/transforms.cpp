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
  if (!transform.squared) {
    result.forms = winograd::share_pairs(winograd::forms_of(matrix), matrix.columns());
    return result;
  }
  Diagnostics unused;
  auto forms = winograd::share(matrix, winograd::Way::nested, {}, unused);
  if (!forms) return std::nullopt;
  result.forms = *std::move(forms);
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
  const bool squared = both && plan.convolution.kernel_height == plan.convolution.kernel_width;
  std::vector<int> kernels{plan.convolution.kernel_width};
  if (both && !squared) kernels.push_back(plan.convolution.kernel_height);
  std::vector<ShownTransform> found;
  for (const int r : kernels)
    for (const winograd::Operand operand :
         {winograd::Operand::input, winograd::Operand::kernel, winograd::Operand::output})
      found.push_back({operand, plan.outputs, r, squared, plan.points});
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
  auto listing = winograd::equation_listing(known->programs->matrices, known->forms, transform.operand);
  listing.assembly.clear();  // nothing assembles equations
  return std::make_shared<const artifact::Listing>(std::move(listing));
}

}  // namespace convscope::cpu
