#include "project/schemas.hpp"

#include "files/outputs.hpp"
#include "model/request.hpp"
#include "project/outputs_json.hpp"
#include "util/described.hpp"

namespace envgen::test {
namespace {

using Json = nlohmann::ordered_json;

// ---- envgen.json

Json flag() { return {{"type", "boolean"}}; }
Json text() { return {{"type", "string"}, {"minLength", 1}}; }
Json one_of(Json names) { return {{"type", "string"}, {"enum", std::move(names)}}; }
Json list_of(Json item) { return {{"type", "array"}, {"items", std::move(item)}}; }

/// A field or an option: what is said of it, what it looks like, and a value.
template <class Row>
Json member(const Row& row, const Json& form) {
  Json made{{"description", row.what}};
  made.update(form);
  made["examples"] = Json::array({Json::parse(row.example)});
  return made;
}

Json form_of(const FieldRow& row) {
  switch (row.shape) {
    case Shape::flag:
      return flag();
    case Shape::boards:
      return list_of(text());
    case Shape::hosts:
      return list_of({{"$ref", "#/$defs/host"}});
    case Shape::text:
    case Shape::preset:
      break;
  }
  // A platform has other spellings, too: amd64, arm64.
  if (row.choices.empty() || row.name == "platform") return text();
  Json names = row.choices;
  names.push_back("auto");
  return one_of(std::move(names));
}

Json form_of(const files::OptionRow& row) {
  if (std::holds_alternative<files::Switch>(row.value)) return flag();
  const auto of_its_form = [&] {
    auto form = text();
    if (!row.pattern.empty()) form["pattern"] = "^(" + std::string(row.pattern) + ")$";
    return form;
  };
  if (std::holds_alternative<files::Texts>(row.value)) return list_of(of_its_form());
  const std::string_view type = row.type;  // `github|gitlab`, or what stands for any text
  if (type.find('|') == std::string_view::npos) return of_its_form();
  Json names = Json::array();
  for (std::size_t from = 0; from <= type.size();) {
    const auto end = std::min(type.find('|', from), type.size());
    names.push_back(type.substr(from, end - from));
    from = end + 1;
  }
  return one_of(std::move(names));
}

// ---- envgen.lock

/// Of a part that the published schema may not have yet.
const Json& part(const Json& published, std::string_view name) {
  static const Json none = Json::object();
  const auto found = published.find(std::string(name));
  return found == published.end() ? none : *found;
}

template <class T>
Json schema_of(const Json& published);

/// The members of an object, and which of them are always there.
struct Members {
  const Json& published;  ///< its `properties`
  Json required = Json::array();
  Json properties = Json::object();

  template <class T>
  void operator()(std::string_view name, const T& member) {
    required.push_back(name);
    late(name, member);
  }
  template <class T>
  void late(std::string_view name, const T&) {
    properties[std::string(name)] = schema_of<T>(part(published, name));
  }
  template <class T>
  void sparse(std::string_view name, const T& member) {
    if constexpr (util::is_optional<T>) {
      late(name, typename T::value_type());  // there, or left out: never null
    } else {
      late(name, member);
    }
  }
};

template <class T>
Json type_of(const Json& published) {
  if constexpr (util::Described<T>) {
    Members members{part(published, "properties")};
    const T any{};
    T::members(any, members);
    return {{"type", "object"}, {"required", members.required}, {"properties", members.properties}};
  } else if constexpr (std::is_same_v<T, util::NamedTexts>) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  } else if constexpr (util::is_optional<T>) {
    auto made = type_of<typename T::value_type>(published);
    if (made.contains("enum")) {
      made["enum"].push_back(nullptr);
    } else {
      made["type"] = Json::array({made["type"], "null"});
    }
    return made;
  } else if constexpr (util::is_list<T>) {
    return list_of(schema_of<typename T::value_type>(part(published, "items")));
  } else if constexpr (std::is_enum_v<T>) {
    return {{"enum", Names<T>::names}};
  } else if constexpr (std::is_same_v<T, bool>) {
    return flag();
  } else if constexpr (std::is_same_v<T, int>) {
    return {{"type", "integer"}, {"minimum", 0}};
  } else {
    static_assert(Spelled<T> || std::is_same_v<T, std::string>);
    return {{"type", "string"}};
  }
}

template <class T>
Json schema_of(const Json& published) {
  Json made = Json::object();
  for (const auto* kept : {"description", "pattern", "minItems"}) {
    if (published.contains(kept)) made[kept] = published.at(kept);
  }
  made.update(type_of<T>(published));
  return made;
}

/// As `Request::members` writes it.
Json written_request() {
  Json members = Json::object();
  for (const auto& row : field_rows) {
    const Json string{{"type", "string"}};
    const bool list = row.shape == Shape::boards || row.shape == Shape::hosts;
    if (row.shape != Shape::preset)
      members[std::string(row.name)] = row.shape == Shape::flag ? flag() : list ? list_of(string) : string;
  }
  return members;
}

}  // namespace

Json project_schema(Json published) {
  Json fields = Json::object();
  for (const auto& row : field_rows) fields[std::string(row.name)] = member(row, form_of(row));
  published["properties"]["request"]["properties"] = std::move(fields);
  published["properties"]["request"]["not"] = {{"required", {"torch", "tensorflow"}}};

  auto& described = published["properties"]["outputs"]["properties"];
  auto files = described[std::string(project::files_member)];
  files["uniqueItems"] = true;
  files["items"]["enum"] = Json::array();
  for (const auto& output : files::outputs()) files["items"]["enum"].push_back(output.name);
  Json options{{project::files_member, std::move(files)}};
  for (const auto& row : files::option_rows()) options[std::string(row.name)] = member(row, form_of(row));
  described = std::move(options);
  return published;
}

Json lock_schema(Json published) {
  const auto before = published["properties"];
  Members members{before};
  for (const auto* name : {"schema_version", "matrix", "request"}) {
    members.required.push_back(name);
    members.properties[name] = before.at(name);
  }
  members.properties["request"]["properties"] = written_request();
  const Environment any;
  members("environment", any);
  Environment::advice(any, members);
  members.required.push_back("integrity");
  members.properties["integrity"] = before.at("integrity");
  published["required"] = std::move(members.required);
  published["properties"] = std::move(members.properties);
  return published;
}

}  // namespace envgen::test
