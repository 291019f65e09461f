#include "validate/image_files.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/diagnosis.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "util/json_members.hpp"
#include "util/pattern.hpp"

namespace envgen::validate {
namespace {

constexpr std::size_t most_told = 4;

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool is_runtime(const ImageFile& file) { return file.library.starts_with("libcudart"); }
bool is_cudnn(const ImageFile& file) { return file.library == "libcudnn"; }
bool is_of_driver(const ImageFile& file) { return !is_runtime(file) && !is_cudnn(file); }

/// What a toolkit links against where there is no driver.
bool is_stub(const ImageFile& file) { return holds(file.path, "/stubs/"); }
bool leads_to_stub(const ImageFile& file) { return file.target && holds(*file.target, "stubs/"); }

/// LD_LIBRARY_PATH names the folder, or it names one of a toolkit by the link /usr/local/cuda and the folder is such a one.
bool is_searched(const ImageFiles& found, const std::string& folder) {
  static const util::Pattern by_link("/usr/local/cuda[-0-9.]*/lib64(/stubs)?/?");
  static const util::Pattern of_toolkits("/usr/local/cuda[-0-9.]*/(lib64|targets/[^/]+/lib)(/stubs)?");
  const bool stubs = folder.ends_with("/stubs");
  for (const auto entry : diagnosis::parts(found.library_path, ':')) {
    const std::string name(entry);
    if (name == folder || name == folder + "/") return true;
    if (by_link.matches(name) && of_toolkits.matches(folder) && holds(name, "/stubs") == stubs) return true;
  }
  return false;
}

/// The driver libraries that NVIDIA gives away for older kernel modules: /usr/local/cuda-12.4/compat, conda's cuda-compat.
bool is_compat(const ImageFile& file) {
  return holds(file.path, "/compat/") || holds(file.path, "/cuda-compat/") ||
         (file.target && (holds(*file.target, "compat/") || holds(*file.target, "/cuda-compat/")));
}

std::string told(const std::vector<const ImageFile*>& files) {
  std::vector<std::string> paths;
  for (const auto* file : files) {
    if (paths.size() == most_told) break;
    paths.push_back(file->path + (!file->target && file->bytes == 0 ? " (empty)" : ""));
  }
  auto text = fmt::format("{}", fmt::join(paths, ", "));
  if (files.size() > most_told) text += fmt::format(" and {} more", files.size() - most_told);
  return text;
}

/// What keeps "there is none" from being proven; empty: nothing.
std::string not_seen(const ImageFiles& found) {
  std::string text;
  if (!found.complete) text += "; the image was examined only in part";
  if (found.left_out > 0) text += fmt::format("; {} more were not reported", found.left_out);
  if (found.closed > 0)
    text += fmt::format("; {} folder(s) are not readable by the image's user and were not examined", found.closed);
  return text;
}

Json evidence_of(const std::vector<const ImageFile*>& files) {
  Json list = Json::array();
  for (const auto* file : files) {
    list.push_back({{"path", file->path},
                    {"version", file->version ? Json(*file->version) : Json()},
                    {"target", file->target ? Json(*file->target) : Json()},
                    {"bytes", file->target ? Json() : Json(file->bytes)}});
  }
  return {{"files", std::move(list)}};
}

/// `12` of `12.4.127`.
std::string major_of(const ImageFile& file) {
  return file.version ? file.version->substr(0, file.version->find('.')) : std::string();
}

/// Nobody finds it by the name that others have.
bool by_itself(const ImageFile& file) {
  return file.target || is_stub(file) || holds(file.path, "/pkgs/") || file.library.starts_with("libcudart-");
}

bool of_toolkit(const ImageFile& file) { return file.path.starts_with("/usr/local/cuda") || holds(file.path, "/targets/"); }

/// The files that may stand in for each other, one a folder: of one major, or where a name says none.
using Copies = std::map<std::string, std::vector<const ImageFile*>>;

Copies copies(const std::vector<const ImageFile*>& files) {
  Copies found;
  std::set<long long> inodes;
  std::set<std::string> places;
  for (const auto* file : files) {
    const bool linked = file->inode != 0 && !inodes.insert(file->inode).second;
    if (linked || !places.insert(folder_of(file->path) + " " + major_of(*file)).second) continue;
    found[major_of(*file)].push_back(file);
  }
  return found;
}

/// The toolkit's file that LD_LIBRARY_PATH puts before another one of its major: one of another version, or of none that its name
/// tells. null: none.
const ImageFile* put_first(const ImageFiles& found, const std::vector<const ImageFile*>& toolkits,
                           const std::vector<const ImageFile*>& others) {
  for (const auto* first : toolkits) {
    if (!is_searched(found, folder_of(first->path))) continue;
    const bool differs = std::any_of(others.begin(), others.end(), [&](const ImageFile* other) {
      return major_of(*other) == major_of(*first) && (!first->version || first->version != other->version);
    });
    if (differs) return first;
  }
  return nullptr;
}

/// False: an entry has no name or path.
bool take_packages(const Json& evidence, ImageFiles& found) {
  const auto* packages = util::member(evidence, "packages");
  if (packages == nullptr || !packages->is_array()) return true;
  for (const auto& entry : *packages) {
    const auto name = util::text_member(entry, "name");
    const auto path = util::text_member(entry, "path");
    if (!name || !path) return false;
    found.packages.push_back({*name, util::text_member(entry, "version").value_or(""), util::text_member(entry, "cuda"),
                              util::text_member(entry, "cudnn").value_or(""), *path});
  }
  return true;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::optional<ImageFiles> parse_image_files(const Result& row) {
  const auto* files = util::member(row.evidence, "files");
  const auto complete = util::flag_member(row.evidence, "complete");
  if (files == nullptr || !files->is_array() || !complete) return std::nullopt;
  ImageFiles found;
  found.complete = *complete;
  found.closed = util::number_member(row.evidence, "closed").value_or(0);
  found.left_out = util::number_member(row.evidence, "left_out").value_or(0);
  for (const auto& entry : *files) {
    const auto path = util::text_member(entry, "path");
    const auto library = util::text_member(entry, "library");
    if (!path || !library) return std::nullopt;
    ImageFile file{shown(*path), *library, std::nullopt, std::nullopt};
    if (const auto version = util::text_member(entry, "version")) file.version = shown(*version);
    if (const auto target = util::text_member(entry, "target")) file.target = shown(*target);
    file.bytes = util::number_member(entry, "bytes").value_or(0);
    file.inode = util::number_member(entry, "inode").value_or(0);
    found.files.push_back(std::move(file));
  }
  if (!take_packages(row.evidence, found)) return std::nullopt;
  for (const auto* list : {"some_closed", "mounts"}) {
    for (auto& path : util::texts_member(row.evidence, list)) found.not_entered.push_back(std::move(path));
  }
  return found;
}

ImageFiles all_of(const FilesSeen& seen) {
  ImageFiles all;
  all.complete = true;
  for (const auto& folder : seen.folders) {
    all.complete = all.complete && folder.complete;
    all.left_out += folder.left_out;
    all.files.insert(all.files.end(), folder.files.begin(), folder.files.end());
    all.packages.insert(all.packages.end(), folder.packages.begin(), folder.packages.end());
    all.not_entered.insert(all.not_entered.end(), folder.not_entered.begin(), folder.not_entered.end());
  }
  return all;
}

Result judge_driver_files(const ImageFiles& found) {
  std::vector<const ImageFile*> baked;
  std::vector<const ImageFile*> to_stubs;
  std::vector<const ImageFile*> compat;
  std::vector<const ImageFile*> stubs;
  for (const auto& file : found.files) {
    if (!is_of_driver(file)) continue;
    const bool loaded =
        leads_to_stub(file) || (is_stub(file) && holds(file.path, ".so.") && is_searched(found, folder_of(file.path)));
    auto& kind = loaded ? to_stubs : is_stub(file) ? stubs : is_compat(file) ? compat : baked;
    kind.push_back(&file);
  }
  const auto is = [](Status status, std::string message, const std::vector<const ImageFile*>& files, std::string_view diagnosis) {
    auto result = made("driver-files", status, std::move(message), diagnosis);
    if (!files.empty()) result.evidence = evidence_of(files);
    return result;
  };
  if (!baked.empty())
    return is(Status::fail, fmt::format("the image's layers contain driver libraries: {}", told(baked)), baked,
              "driver-in-image");
  std::string more;
  if (!compat.empty()) more += fmt::format("; cuda-compat is there: {}", told({compat.front()}));
  if (!stubs.empty()) more += "; a toolkit's stubs are there";
  more += not_seen(found);
  if (!to_stubs.empty())
    return is(Status::warn, fmt::format("a stub is found instead of the driver's library: {}{}", told(to_stubs), more), to_stubs,
              "cuda-34");
  if (!found.complete || found.left_out > 0) return is(Status::unknown, "no driver library was seen" + more, {}, {});
  const auto* none =
      found.closed > 0 ? "no driver library was seen in the image's layers" : "the image's layers contain no driver libraries";
  return is(Status::pass, none + more, {}, {});
}

Result judge_second_libraries(const ImageFiles& found, const Environment* lock) {
  std::vector<const ImageFile*> runtimes;
  std::vector<const ImageFile*> toolkits;
  std::vector<const ImageFile*> cudnns;
  for (const auto& file : found.files) {
    if (is_of_driver(file) || by_itself(file)) continue;
    (is_cudnn(file) ? cudnns : of_toolkit(file) ? toolkits : runtimes).push_back(&file);
  }
  std::vector<std::string> sentences;
  std::vector<const ImageFile*> second;
  const auto look = [&](const std::vector<const ImageFile*>& files, const char* name) {
    for (const auto& [major, same] : copies(files)) {
      if (same.size() < 2) continue;
      sentences.push_back(fmt::format("{} copies of {}{}: {}", same.size(), name, major.empty() ? "" : " " + major, told(same)));
      second.insert(second.end(), same.begin(), same.end());
    }
  };
  look(cudnns, "cuDNN");
  const bool mixed_cudnn = !second.empty();
  look(runtimes, "the CUDA Runtime");

  Result result{"second-libraries"};
  if (!second.empty()) {
    const bool official = lock == nullptr || lock->base == Base::pytorch || lock->base == Base::tensorflow;
    result.evidence = evidence_of(second);
    return as(std::move(result), official ? Status::warn : Status::fail,
              fmt::format("{}; LD_LIBRARY_PATH and the import order decide which one is loaded", fmt::join(sentences, "; ")),
              mixed_cudnn ? "cudnn-mixed" : "libcudart-mixed");
  }
  // The toolkit of a devel image that was made from the lock is of the framework's CUDA.
  const bool locked_toolkit = lock != nullptr && lock->variant == Variant::devel;
  if (const auto* first = locked_toolkit ? nullptr : put_first(found, toolkits, runtimes)) {
    result.evidence = evidence_of({first, runtimes.front()});
    return as(std::move(result), Status::warn,
              fmt::format("LD_LIBRARY_PATH puts the toolkit's CUDA Runtime {} before {}", first->path, told(runtimes)),
              "libcudart-mixed");
  }
  std::string message = cudnns.empty() && runtimes.empty() && toolkits.empty() ? "neither the CUDA Runtime nor cuDNN is present"
                                                                               : "no second CUDA Runtime or cuDNN";
  if (!toolkits.empty() && !runtimes.empty())
    message += fmt::format("; besides the toolkit's own, for nvcc: {}", told({toolkits.front()}));
  return as(std::move(result), !found.complete || found.left_out > 0 ? Status::unknown : Status::pass, message + not_seen(found));
}

}  // namespace envgen::validate
