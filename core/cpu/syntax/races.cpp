#include "core/cpu/syntax/races.h"

#include <fmt/format.h>

namespace convscope::cpu {

std::string Races::fault_of_read(const Element& element) const {
  if (own_ && element.written && element.writer != now_)
    return "what another iteration wrote may be in the copy of another thread";
  if (!own_ && beside(element.writer))
    return fmt::format("iterations {} and {} of a loop that threads divide write and read it", element.writer.number,
                       now_.number);
  return {};
}

std::string Races::fault_of_write(const Element& element) const {
  if (own_) return {};
  if (beside(element.writer))
    return fmt::format("iterations {} and {} of a loop that threads divide both write it", element.writer.number,
                       now_.number);
  const bool read_now = element.reader.loop == now_.loop && now_.loop > 0;
  if (read_now && (element.several_readers || element.reader != now_))
    return fmt::format("iterations {} and {} of a loop that threads divide read and write it", element.reader.number,
                       now_.number);
  return {};
}

std::string Races::read(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    Element& element = elements_[i];
    if (std::string fault = fault_of_read(element); !fault.empty()) return fault;
    if (element.reader.loop != now_.loop)
      element.several_readers = false;
    else if (element.reader != now_)
      element.several_readers = true;
    element.reader = now_;
  }
  return {};
}

std::string Races::write(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    if (std::string fault = fault_of_write(elements_[i]); !fault.empty()) return fault;
    elements_[i].writer = now_;
    elements_[i].written = true;
  }
  return {};
}

}  // namespace convscope::cpu
