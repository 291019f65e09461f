#pragma once

#include <nlohmann/json.hpp>

/// The schemas of people's files, made of what the program goes by. `published` is the file as it is: its frame (title, what no
/// table or type names) stays, the members are made anew.
namespace envgen::test {

/// schema/envgen.schema.json: the members come of the tables of fields and options (model/request.hpp, files/options.cpp).
nlohmann::ordered_json project_schema(nlohmann::ordered_json published);

/// schema/lock.schema.json: the members come of the types that name them (model/environment.hpp). A description, a pattern and a
/// bound, of which a type knows nothing, are kept where the published schema has them.
nlohmann::ordered_json lock_schema(nlohmann::ordered_json published);

}  // namespace envgen::test
