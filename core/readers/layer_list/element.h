#pragma once
// One element of a list with typed attributes. Every attribute must be asked for: what nobody asked for is a mistake.

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/xml.h"
#include "core/network/network.h"
#include "core/readers/common/report.h"

namespace convscope::readers::layer_list {

/// Height and width; rows before columns.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
};

class Element {
 public:
  Element(pugi::xml_node node, int line, std::string name, Report& report)
      : node_(node), line_(line), name_(std::move(name)), report_(report) {}

  int line() const { return line_; }
  const std::string& name() const { return name_; }
  std::string type() const { return node_.name(); }
  void error(std::string what, std::string expected = {}) const;

  bool has(const char* attribute) const { return node_.attribute(attribute); }
  /// An integer of [smallest, largest]. Without a fallback the attribute must be there.
  std::int64_t required(const char* attribute, std::int64_t largest);
  std::int64_t integer(const char* attribute, std::int64_t fallback, std::int64_t smallest, std::int64_t largest);
  double real(const char* attribute, double fallback);
  bool flag(const char* attribute, bool fallback);  ///< "yes" or "no"
  std::string text(const char* attribute);
  /// "3" for a square, "3x5" for height x width.
  Extent extent(const char* attribute, std::int64_t fallback, std::int64_t smallest);
  /// Words separated by blanks.
  std::vector<std::string> words(const char* attribute);
  /// Reports attributes that nobody asked for; of a layer that was read to its end.
  void check_attributes() const;

 private:
  std::int64_t number(const char* attribute, const std::string& text, std::int64_t fallback, std::int64_t smallest,
                      std::int64_t largest) const;
  pugi::xml_attribute ask(const char* attribute);

  pugi::xml_node node_;
  int line_ = 0;
  std::string name_;
  Report& report_;
  std::set<std::string> asked_;
};

}  // namespace convscope::readers::layer_list
