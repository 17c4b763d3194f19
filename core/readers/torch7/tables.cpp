#include "core/readers/torch7/tables.h"

namespace convscope::readers::torch7 {

const Object* Tables::object_of(const Value& value) const {
  return value.kind == Kind::object ? &object(value.object) : nullptr;
}

int Tables::table_of(const Value& value) const {
  const Object* found = object_of(value);
  if (found == nullptr) return -1;
  if (found->kind == ObjectKind::table) return value.object;
  if (found->kind != ObjectKind::instance || found->values.size() != 1) return -1;
  const Object* fields = object_of(found->values[0]);
  return fields != nullptr && fields->kind == ObjectKind::table ? found->values[0].object : -1;
}

const Object* Tables::fields_of(const Value& value) const {
  const int table = table_of(value);
  return table < 0 ? nullptr : &object(table);
}

const Tables::Fields& Tables::fields(int table) {
  const auto [place, fresh] = fields_.try_emplace(table);
  if (!fresh) return place->second;
  const std::vector<Value>& values = object(table).values;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    if (values[i].kind == Kind::text) place->second[values[i].text] = values[i + 1];
  return place->second;
}

Value Tables::field(const Value& of, std::string_view key) {
  const int table = table_of(of);
  if (table < 0) return {};
  const Fields& known = fields(table);
  const auto found = known.find(key);
  return found == known.end() ? Value{} : found->second;
}

const std::vector<Value>& Tables::list(const Value& of) {
  static const std::vector<Value> none;
  const int table = table_of(of);
  if (table < 0) return none;
  const auto [place, fresh] = lists_.try_emplace(table);
  if (!fresh) return place->second;
  const std::vector<Value>& values = object(table).values;
  std::unordered_map<double, Value> numbered;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    if (values[i].kind == Kind::number) numbered[values[i].number] = values[i + 1];
  for (auto next = numbered.find(1); next != numbered.end();
       next = numbered.find(static_cast<double>(place->second.size() + 1)))
    place->second.push_back(next->second);
  return place->second;
}

}  // namespace convscope::readers::torch7
