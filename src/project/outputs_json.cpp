#include "project/outputs_json.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "output/outputs.hpp"
#include "project/request_json.hpp"

namespace envgen::project {
namespace {

using Json = util::JsonCell::Json;
using output::Options;

constexpr std::array all_output_members{
    OutputMember{"apt", "More packages of the system.", R"(["libgl1"])", &Options::apt},
    OutputMember{"pip", "More requirements of pip.", R"(["numpy<2"])", &Options::pip},
    OutputMember{"needs_nvcc",
                 "Why CUDA code is compiled later, so that devel is chosen; a known pip requirement chooses it, too.",
                 R"("our own kernels")", nullptr, &Options::needs_nvcc},
    OutputMember{"user", "Who runs in the container.", R"("dev")", nullptr, &Options::user},
    OutputMember{"base_image", "The image to start from, in place of the published one.", R"("registry.example.org/base:1.0")",
                 nullptr, &Options::base_image},
    OutputMember{"image_name", "What the built image is called.", R"("my-project")", nullptr, &Options::image_name},
    OutputMember{"pip_index", "The package index to install from.", R"("https://mirror.example.org/simple")", nullptr,
                 &Options::pip_index},
    OutputMember{"mirror", "A known mirror for apt, pip, conda and PyTorch's wheels, as far as it has them.", R"("tuna")",
                 nullptr, &Options::mirror},
    OutputMember{"apt_mirror", "An archive in place of the distribution's own.", R"("http://mirror.example.org/ubuntu")", nullptr,
                 &Options::apt_mirror},
    OutputMember{"conda_mirror", "Where conda's channels are, in place of https://conda.anaconda.org.",
                 R"("https://mirror.example.org/conda")", nullptr, &Options::conda_mirror},
    OutputMember{"torch_mirror", "An index in place of https://download.pytorch.org/whl.",
                 R"("https://mirror.example.org/torch")", nullptr, &Options::torch_mirror},
    OutputMember{"container_gpus",
                 "The GPUs that a container gets: \"all\", \"none\", \"2\", \"device=0,1\", the UUID of a GPU or a MIG slice.",
                 R"("device=0")", nullptr, &Options::container_gpus},
    OutputMember{"shm_size", "A /dev/shm of its own in place of the host's.", R"("8g")", nullptr, &Options::shm_size},
    OutputMember{"ca_cert", "A file of certificates, for a network that intercepts TLS; a build is given it as a secret.",
                 R"("certificates.pem")", nullptr, &Options::ca_cert},
    OutputMember{"ci_for", "Whose workflow \"ci\" is: \"github\" or \"gitlab\".", R"("github")", nullptr, &Options::ci_for},
    OutputMember{"envgen_source", "The repository that the workflow builds envgen from; else its variable ENVGEN_SOURCE says it.",
                 R"("https://git.example.org/envgen.git")", nullptr, &Options::envgen_source},
    OutputMember{"envgen_ref", "A tag or a commit of that repository; else the variable ENVGEN_REF says it.", R"("v1.0.0")",
                 nullptr, &Options::envgen_ref},
    OutputMember{"gpu_runner", "What the workflow's runner with GPUs is labelled with.", R"(["self-hosted", "gpu"])",
                 &Options::gpu_runner},
    OutputMember{"explicit_toolkit",
                 "true: environment.yaml and setup.sh of conda hold nvcc, as they do where something compiles.", "true", nullptr,
                 nullptr, &Options::explicit_toolkit},
    OutputMember{"multi_stage",
                 "true: a devel Dockerfile compiles in one stage, and the image is a plain system with what came of it.", "true",
                 nullptr, nullptr, &Options::multi_stage},
    OutputMember{"jupyter", "true: JupyterLab is installed; './run.sh jupyter' starts it.", "true", nullptr, nullptr,
                 &Options::jupyter},
    OutputMember{"ssh", "true: sshd is installed; './run.sh ssh' starts it for your public keys.", "true", nullptr, nullptr,
                 &Options::ssh},
    OutputMember{"gpu_required", "true: the dev container asks for a machine with a GPU; else it uses one where there is one.",
                 "true", nullptr, nullptr, &Options::gpu_required},
    OutputMember{"podman", "true: for podman in place of docker.", "true", nullptr, nullptr, &Options::podman},
    OutputMember{"classic", "true: for the builder before BuildKit.", "true", nullptr, nullptr, &Options::classic},
};

class OutputsReader {
 public:
  explicit OutputsReader(util::Problems& problems) : problems_(problems) {}

  void problem(const std::string& where, std::string message, std::vector<std::string> hints = {}) {
    problems_.push_back(Error{ErrorCode::bad_input, std::move(message), where, std::move(hints)});
  }

  output::Text text(const Json& value, const std::string& where) {
    const auto written = value.is_string() ? value.get<std::string>() : std::string();
    if (!written.empty()) return {written, where};
    problem(where, value.is_string() ? "an empty text says nothing; leave the field out" : "a text is needed here");
    return {{}, where};
  }

  std::vector<output::Text> texts(const Json& value, const std::string& where, std::string_view example) {
    std::vector<output::Text> result;
    if (!value.is_array()) problem(where, "a list is needed here", {fmt::format("write it as {}", example)});
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
      result.push_back(text(value[i], fmt::format("{}/{}", where, i)));
    return result;
  }

  bool flag(const Json& value, const std::string& where) {
    if (!value.is_boolean()) problem(where, "true or false is needed here");
    return value == true;
  }

 private:
  util::Problems& problems_;
};

void check_names(const std::vector<output::Text>& files, OutputsReader& reader) {
  std::vector<std::string_view> names;
  for (const auto& one : output::outputs()) names.push_back(one.name);
  std::set<std::string_view> seen;
  for (const auto& file : files) {
    if (!seen.insert(file.value).second) reader.problem(file.where, fmt::format("{} stands twice", in_quotes(file.value)));
    if (output::find_output(file.value) != nullptr) continue;
    auto hints = did_you_mean(file.value, names, 1);
    if (hints.empty()) hints.push_back(fmt::format("there are {}", fmt::join(names, ", ")));
    reader.problem(file.where, fmt::format("{} is no output", in_quotes(file.value)), std::move(hints));
  }
}

}  // namespace

std::span<const OutputMember> output_members() { return all_output_members; }

std::string_view output_member_of(std::string_view flag) {
  if (!flag.starts_with("--")) return {};
  auto name = std::string(flag.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  if (name == "require_gpu") return "gpu_required";
  if (name == "for") return "ci_for";
  const auto found =
      std::find_if(all_output_members.begin(), all_output_members.end(), [&](const auto& member) { return member.name == name; });
  return found == all_output_members.end() ? std::string_view() : found->name;
}

std::vector<std::string> names_of(const std::vector<output::Text>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.value);
  return names;
}

WrittenOutputs read_outputs(const Json& object, const std::string& where, util::Problems& problems) {
  WrittenOutputs result;
  OutputsReader reader(problems);
  if (!object.is_object()) {
    reader.problem(where, "an object is needed here");
    return result;
  }
  std::vector<std::string_view> names{files_member};
  for (const auto& member : all_output_members) names.push_back(member.name);
  refuse_unknown_members(object, where, names, problems);
  const auto place = [&](std::string_view name) { return fmt::format("{}/{}", where, name); };
  if (const auto found = object.find(std::string(files_member)); found != object.end()) {
    result.files = reader.texts(*found, place(files_member), R"(["dockerfile", "run"])");
    check_names(result.files, reader);
  }
  for (const auto& member : all_output_members) {
    const auto found = object.find(std::string(member.name));
    if (found == object.end()) continue;
    if (member.texts != nullptr) result.options.*member.texts = reader.texts(*found, place(member.name), member.example);
    if (member.text != nullptr) result.options.*member.text = reader.text(*found, place(member.name));
    if (member.flag != nullptr) result.options.*member.flag = reader.flag(*found, place(member.name));
  }
  if (!problems.empty()) return result;
  if (auto checked = output::check_options(result.options); !checked) {
    auto error = std::move(checked.error());
    error.code = ErrorCode::bad_input;
    const auto member = output_member_of(error.origin);
    if (!member.empty()) error.origin = place(member);
    if (!error.origin.starts_with(where)) error.origin = where;
    problems.push_back(std::move(error));
  }
  return result;
}

}  // namespace envgen::project
