#include "update/growth.hpp"

#include <algorithm>
#include <array>

#include "model/choices.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;

using Grows = bool (*)(const Json& known, const Json& stated);

bool longer(const Json& known, const Json& stated) {
  if (!known.is_array() || !stated.is_array()) return false;
  return std::all_of(known.begin(), known.end(),
                     [&](const Json& item) { return std::find(stated.begin(), stated.end(), item) != stated.end(); });
}

bool later(const Json& known, const Json& stated) {
  if (!known.is_string() || !stated.is_string()) return false;
  const auto before = Version::parse(known.get_ref<const std::string&>());
  const auto after = Version::parse(stated.get_ref<const std::string&>());
  return before && after && *before < *after;
}

/// The evidence that there is a tag: what a registry lists is better than what somebody was seen to use.
bool better_evidence(const Json& known, const Json& stated) { return known != "listed" && stated == "listed"; }

bool came_true(const Json& known, const Json& stated) { return known == false && stated == true; }

bool was_closed(const Json& known, const Json& stated) { return known == true && stated == false; }

/// Tags are moved to other images.
bool any(const Json&, const Json& stated) { return stated.is_string(); }

/// The images of a release: each that is known stays what it is but for its digest and a better evidence.
bool more_images(const Json& known, const Json& stated) {
  if (!known.is_array() || !stated.is_array()) return false;
  return std::all_of(known.begin(), known.end(), [&](const Json& one) {
    return std::any_of(stated.begin(), stated.end(), [&](Json other) {
      if (better_evidence(one.value("evidence", Json()), other.value("evidence", Json()))) other["evidence"] = one["evidence"];
      other.erase("digest");
      auto before = one;
      before.erase("digest");
      return nlohmann::json(before) == nlohmann::json(other);  // whatever the order of the members
    });
  });
}

struct Rule {
  const matrix::Table* table;
  std::string_view path;
  Grows grows;
};

constexpr std::array rules{
    Rule{&tables::torch_releases, "tags_complete", came_true},
    Rule{&tables::torch_releases, "gap_before", was_closed},
    Rule{&tables::wheel_builds, "package_index.pythons", longer},
    Rule{&tables::wheel_builds, "wheel_index.pythons", longer},
    Rule{&tables::wheel_builds, "triton_pythons", longer},
    Rule{&tables::torchvision, "pythons", longer},
    Rule{&tables::torchaudio, "pythons", longer},
    Rule{&tables::tensorflow_releases, "pythons", longer},
    Rule{&tables::tensorflow_releases, "images", more_images},
    Rule{&tables::conda_builds, "pythons", longer},
    Rule{&tables::conda_labels, "evidence", better_evidence},
    Rule{&tables::toolkits, "os", longer},
    Rule{&tables::cudnn_releases, "cuda_majors", longer},
    Rule{&tables::cudnn_releases, "wheels", longer},
    Rule{&tables::driver_branches, "latest", later},
    Rule{&tables::driver_branches, "cuda", later},
    Rule{&tables::cuda_images, "digest", any},
    Rule{&tables::cuda_images, "evidence", better_evidence},
    Rule{&tables::cuda_images, "status", any},
    Rule{&tables::pytorch_images, "digest", any},
    Rule{&tables::pytorch_images, "evidence", better_evidence},
};

}  // namespace

bool may_become(const matrix::Table& table, std::string_view path, const Json& known, const Json& stated) {
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& each) { return each.table == &table && each.path == path; });
  return rule != rules.end() && rule->grows(known, stated);
}

}  // namespace envgen::update
