#include "core/nmp/trained/given_tensors.h"

#include <map>
#include <string>

namespace convscope::nmp {

std::vector<int> given_tensors(const network::Graph& graph, const Dataflow& flow) {
  std::map<std::string, int> tensors;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) tensors.emplace(graph.tensors[i].name, static_cast<int>(i));
  std::vector<int> given;
  for (const Storage& storage : flow.storages) {
    const auto tensor = storage.first_step < 0 ? tensors.find(storage.name) : tensors.end();
    given.push_back(tensor == tensors.end() ? -1 : tensor->second);
  }
  return given;
}

}  // namespace convscope::nmp
