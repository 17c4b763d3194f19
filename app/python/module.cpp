#include "app/python/errors.h"
#include "app/python/objects.h"
#include "core/base/resources.h"
#include "core/catalogue/standard.h"

namespace convscope::python {

const catalogue::CataloguePointer& standard_catalogue() {
  static const catalogue::CataloguePointer catalogue = catalogue::standard();
  return catalogue;
}

void raise_or_warn(const Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) throw Refused(diagnostics.text());
  for (const Diagnostic& diagnostic : diagnostics.items())
    if (diagnostic.severity == Severity::warning && PyErr_WarnEx(PyExc_UserWarning, diagnostic.text().c_str(), 2) != 0)
      throw pybind11::error_already_set();
}

}  // namespace convscope::python

PYBIND11_MODULE(_convscope, module) {
  using namespace convscope::python;
  module.attr("version") = CONVSCOPE_VERSION;
  pybind11::register_exception<Refused>(module, "Error", PyExc_ValueError);
  module.def("sample_path", &convscope::sample_path);
  module.def("check_data", [] {
    convscope::Diagnostics diagnostics;
    convscope::find_data(diagnostics);
    raise_or_warn(diagnostics);
  });
  bind_machines(module);
  bind_networks(module);
  bind_sweeps(module);
}
