#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "update/answers.hpp"
#include "update/image_tag.hpp"
#include "update/readers.hpp"

namespace envgen::update {
namespace {

constexpr std::string_view hub_root = "https://hub.docker.com/v2/repositories/";
constexpr int most_pages = 200;  // nvidia/cuda has 30 of a hundred tags

struct HubTag {
  std::string name;
  std::string digest;
};

/// `sha256:` and 64 digits; another algorithm, or none, is as good as none.
bool is_digest(std::string_view text) {
  constexpr std::string_view algorithm = "sha256:";
  if (!text.starts_with(algorithm) || text.size() != algorithm.size() + 64) return false;
  text.remove_prefix(algorithm.size());
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

struct Listing {
  std::vector<HubTag> tags;
  std::size_t count = 0;      ///< as the pages say it
  bool of_old_pages = false;  ///< the first page had not changed, so the copies of the others were taken as they are
};

/// The login in a URL with the `@` behind it, `user:password@`; empty: it has none.
std::string_view login_of(std::string_view url) {
  const auto begin = url.find("://");
  if (begin == std::string_view::npos) return {};
  const auto authority = url.substr(begin + 3, url.find('/', begin + 3) - begin - 3);
  const auto at = authority.rfind('@');
  return at == std::string_view::npos ? std::string_view() : authority.substr(0, at + 1);
}

/// All tags of a repository, page by page. A page names the next one, which must be of the same repository. What is pushed last
/// stands first, so where the first page has not changed no other has: `trusting` takes the copies of these without asking.
Expected<Listing> list_tags(Visit& visit, std::string_view repository, bool trusting) {
  const auto folder = fmt::format("{}{}/tags", visit.at(hub_root), repository);
  auto url = folder + "?page_size=100";
  Listing listing;
  auto& [tags, count, of_old_pages] = listing;
  for (int page = 0; !url.empty(); ++page) {
    if (page == most_pages) return other_shape(fmt::format("more than {} pages", most_pages), url);
    net::Request request{url, "application/json"};
    request.immutable = of_old_pages;
    auto reply = std::move(visit.client.get({&request, 1}).front());
    if (page == 0) of_old_pages = trusting && reply && reply->from_cache;
    const auto answer = object_of(std::move(reply), url);
    if (!answer) return tl::unexpected(answer.error());
    if (!answer->contains("results") || !answer->at("results").is_array()) return other_shape("no list 'results'", url);
    for (const auto& result : answer->at("results")) {
      if (!result.is_object() || text_in(result, "name").empty()) return other_shape("a tag without a name", url);
      auto digest = text_in(result, "digest");
      tags.push_back({text_in(result, "name"), is_digest(digest) ? std::move(digest) : std::string()});
    }
    if (answer->contains("count") && answer->at("count").is_number_unsigned()) count = answer->at("count").get<std::size_t>();
    visit.progress(repository, tags.size(), std::max(count, tags.size()));
    auto next = text_in(*answer, "next");
    // A mirror behind a login does not name it in its links.
    if (const auto login = login_of(folder); !login.empty() && !next.empty() && login_of(next).empty())
      next.insert(next.find("://") + 3, login);
    if (!next.empty() && !next.starts_with(folder)) return other_shape(fmt::format("the next page is at {}", next), url);
    url = std::move(next);
  }
  return listing;
}

Expected<std::vector<HubTag>> tags_of(Visit& visit, std::string_view repository) {
  auto listing = list_tags(visit, repository, true);
  // Copies that an interrupted run has left are of different days.
  if (listing && listing->of_old_pages && listing->tags.size() != listing->count) listing = list_tags(visit, repository, false);
  if (!listing) return tl::unexpected(listing.error());
  // Tags that are pushed between two pages move the others; what is missing by more is a cut listing.
  const auto folder = fmt::format("{}{}/tags", visit.at(hub_root), repository);
  if (auto whole = not_shrunk(listing->tags.size(), listing->count, "tags", folder); !whole) return tl::unexpected(whole.error());
  return std::move(listing->tags);
}

Json row_of_tag(const HubTag& tag) {
  Json row{{"tag", tag.name}};
  if (!tag.digest.empty()) row["digest"] = tag.digest;
  row["evidence"] = "listed";
  return row;
}

/// The cuDNN of tags that do not say its major (`-cudnn-`), by those of the same CUDA major that are known. Null: none is.
Json major_of_cudnn(const matrix::Documents& known, const CudaTag& tag) {
  Json major = nullptr;
  for (const auto& row : known.rows(matrix::tables::cuda_images)) {
    const auto other = CudaTag::parse(row.value->value("tag", ""));
    if (other && other->has_cudnn && other->cudnn.empty() &&
        Version::parse(other->cuda)->major() == Version::parse(tag.cuda)->major())
      major = row.value->at("cudnn");
  }
  return major;
}

Expected<Reading> read_cuda_tags(Visit& visit) {
  Reading result{"docker-hub-cuda", "Docker Hub: the tags of nvidia/cuda", "https://hub.docker.com/r/nvidia/cuda/tags", {}, {}};
  const auto tags = tags_of(visit, "nvidia/cuda");
  if (!tags) return tl::unexpected(tags.error());
  std::size_t images = 0;
  std::map<std::string, std::size_t> passed_over;
  for (const auto& tag : *tags) {
    const auto parsed = CudaTag::parse(tag.name);
    if (!parsed) continue;
    ++images;
    auto row = row_of_tag(tag);
    if (!has_row(visit.known, matrix::tables::cuda_images, "tag", tag.name)) {
      if (!has_row(visit.known, matrix::tables::systems, "id", parsed->os)) {
        ++passed_over[parsed->os];
        continue;
      }
      const auto cudnn = !parsed->has_cudnn      ? Json(nullptr)
                         : parsed->cudnn.empty() ? major_of_cudnn(visit.known, *parsed)
                                                 : Json(parsed->cudnn);
      if (parsed->has_cudnn && cudnn.is_null()) {
        result.notes.push_back(fmt::format("nvidia/cuda:{}: its cuDNN version is unknown", tag.name));
        continue;
      }
      row["cuda"] = parsed->cuda;
      row["cudnn"] = cudnn;
      row["variant"] = parsed->variant;
      row["os"] = parsed->os;
      row["status"] = "unknown";
    }
    result.claims.push_back({&matrix::tables::cuda_images, std::move(row)});
  }
  if (images == 0) return other_shape("no image tag for any system", fmt::format("{}nvidia/cuda/tags", visit.at(hub_root)));
  for (const auto& [os, count] : passed_over)
    result.notes.push_back(fmt::format("nvidia/cuda: {}, which is not among the known systems, has {}", os,
                                       count == 1 ? "one tag" : fmt::format("{} tags", count)));
  return result;
}

Expected<Reading> read_pytorch_tags(Visit& visit) {
  Reading result{
      "docker-hub-pytorch", "Docker Hub: the tags of pytorch/pytorch", "https://hub.docker.com/r/pytorch/pytorch/tags", {}, {}};
  const auto tags = tags_of(visit, "pytorch/pytorch");
  if (!tags) return tl::unexpected(tags.error());
  std::size_t images = 0;
  for (const auto& tag : *tags) {
    const auto parsed = PytorchTag::parse(tag.name);
    if (!parsed) continue;
    ++images;
    auto row = row_of_tag(tag);
    if (!has_row(visit.known, matrix::tables::pytorch_images, "tag", tag.name)) {
      // Older than the facts; a new release comes in by its wheels first.
      if (!has_row(visit.known, matrix::tables::torch_releases, "version", parsed->torch)) continue;
      row["torch"] = parsed->torch;
      row["cuda"] = parsed->cuda;
      row["cudnn"] = parsed->cudnn;
      row["variant"] = parsed->variant;
    }
    result.claims.push_back({&matrix::tables::pytorch_images, std::move(row)});
  }
  if (images == 0) return other_shape("no image tag for CUDA", fmt::format("{}pytorch/pytorch/tags", visit.at(hub_root)));
  return result;
}

/// The images of a release as they are known, with what its tags say now.
Json images_of(const Json& known, const std::vector<std::pair<HubTag, TensorflowTag>>& tags, const std::string& version) {
  Json images = known;
  for (const auto& [each, parsed] : tags) {
    const HubTag& tag = each;  // which a lambda may hold, unlike a binding
    if (parsed.tensorflow != version) continue;
    auto it = std::find_if(images.begin(), images.end(), [&](const Json& one) { return one.value("tag", "") == tag.name; });
    if (it == images.end()) {
      images.push_back({{"tag", tag.name},
                        {"variant", parsed.variant},
                        {"evidence", nullptr},
                        {"os", nullptr},
                        {"python", nullptr},
                        {"layout", nullptr}});
      it = images.end() - 1;
    }
    (*it)["evidence"] = "listed";
    if (!tag.digest.empty()) (*it)["digest"] = tag.digest;
  }
  return images;
}

Expected<Reading> read_tensorflow_tags(Visit& visit) {
  Reading result{"docker-hub-tensorflow",
                 "Docker Hub: the tags of tensorflow/tensorflow",
                 "https://hub.docker.com/r/tensorflow/tensorflow/tags",
                 {},
                 {}};
  const auto tags = tags_of(visit, "tensorflow/tensorflow");
  if (!tags) return tl::unexpected(tags.error());
  std::vector<std::pair<HubTag, TensorflowTag>> of_gpus;
  for (const auto& tag : *tags) {
    if (auto parsed = TensorflowTag::parse(tag.name)) of_gpus.emplace_back(tag, std::move(*parsed));
  }
  if (of_gpus.empty())
    return other_shape("no image tag for GPUs", fmt::format("{}tensorflow/tensorflow/tags", visit.at(hub_root)));
  // Those of older releases, and of one whose wheels did not come in yet, have no row.
  for (const auto& release : visit.known.rows(matrix::tables::tensorflow_releases)) {
    const auto version = release.value->value("version", "");
    auto images = images_of(release.value->value("images", Json::array()), of_gpus, version);
    if (!images.empty())
      result.claims.push_back({&matrix::tables::tensorflow_releases, {{"version", version}, {"images", std::move(images)}}});
  }
  return result;
}

}  // namespace

Expected<std::vector<Reading>> read_docker_hub(Visit& visit) {
  auto cuda = read_cuda_tags(visit);
  if (!cuda) return tl::unexpected(cuda.error());
  auto pytorch = read_pytorch_tags(visit);
  if (!pytorch) return tl::unexpected(pytorch.error());
  auto tensorflow = read_tensorflow_tags(visit);
  if (!tensorflow) return tl::unexpected(tensorflow.error());
  return std::vector<Reading>{std::move(*cuda), std::move(*pytorch), std::move(*tensorflow)};
}

}  // namespace envgen::update
