#include "project/project_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "resolver/query.hpp"
#include "support/locks.hpp"
#include "support/temporary_folder.hpp"

namespace envgen::project {
namespace {

using test::text_of;

std::string project_error(const std::string& text) {
  const auto parsed = parse_project(text, "envgen.json");
  return parsed ? "parsed" : text_of(parsed.error());
}
std::string error_in_request(const std::string& members) { return project_error("{\"request\": {" + members + "}}"); }

std::string values_of(const std::string& members) {
  const auto parsed = parse_project("{\"request\": {" + members + "}}", "envgen.json");
  if (!parsed) return text_of(parsed.error());
  std::vector<std::string> values;
  for (const auto& value : parsed->request.values) {
    EXPECT_EQ(value.origin, Origin::file);
    values.push_back(fmt::format("{}={} @{}", name_of(value.field), value.text, value.where));
  }
  if (!parsed->preset.empty()) values.push_back("preset " + parsed->preset);
  return fmt::format("{}", fmt::join(values, " | "));
}

TEST(ProjectFile, EveryField) {
  EXPECT_EQ(
      values_of(
          R"("torch": "2.3", "torchvision": "0.18", "torchaudio": "2.3", "cuda": "12.1", "cudnn": "8", "python": "3.11", "driver": "535")"),
      "torch=2.3 @envgen.json#/request/torch | torchvision=0.18 @envgen.json#/request/torchvision | torchaudio=2.3 "
      "@envgen.json#/request/torchaudio | "
      "cuda=12.1 @envgen.json#/request/cuda | cudnn=8 @envgen.json#/request/cudnn | python=3.11 @envgen.json#/request/python | "
      "driver=535 @envgen.json#/request/driver");
  EXPECT_EQ(
      values_of(
          R"("tensorflow": "2.16", "os": "jammy", "platform": "amd64", "variant": "devel", "installer": "uv", "base": "cuda", "prefer": "newest")"),
      "tensorflow=2.16 @envgen.json#/request/tensorflow | os=jammy @envgen.json#/request/os | platform=amd64 "
      "@envgen.json#/request/platform | "
      "variant=devel @envgen.json#/request/variant | installer=uv @envgen.json#/request/installer | base=cuda "
      "@envgen.json#/request/base | "
      "prefer=newest @envgen.json#/request/prefer");
  EXPECT_EQ(values_of(R"("ptx": true, "allow_inferred": false, "preset": "wsl2")"),
            "ptx=true @envgen.json#/request/ptx | allow-inferred=false @envgen.json#/request/allow_inferred | preset wsl2");
  EXPECT_EQ(
      values_of(
          R"("gpus": ["4090", "A100"], "hosts": [{"gpus": ["V100", "T4"], "driver": "535"}, "gpu=H100", {"driver": "550"}])"),
      "gpu=4090 @envgen.json#/request/gpus/0 | gpu=A100 @envgen.json#/request/gpus/1 | host=gpu=V100,gpu=T4,driver=535 "
      "@envgen.json#/request/hosts/0 | "
      "host=gpu=H100 @envgen.json#/request/hosts/1 | host=driver=550 @envgen.json#/request/hosts/2");
  EXPECT_EQ(values_of(""), "");
  EXPECT_EQ(project_error("{}"), "parsed");
}

TEST(ProjectFile, OutputsAreReadWithTheirPlaces) {
  const auto parsed = parse_project(
      R"({"outputs": {"files": ["run"], "apt": ["git"], "pip": ["a", "b<2"], "user": "jane", "podman": true, "shm_size": "8g",
          "ci_for": "gitlab", "envgen_url": "https://mirror.example.org/envgen", "envgen_version": "1.0.0", "gpu_runner": ["a100"]}})",
      "envgen.json");
  ASSERT_TRUE(parsed) << text_of(parsed.error());
  const auto& outputs = parsed->outputs;
  ASSERT_EQ(outputs.files.size(), 1U);
  EXPECT_EQ(outputs.files[0].value, "run");
  EXPECT_EQ(outputs.options.apt.at(0).value, "git");
  EXPECT_EQ(outputs.options.pip.at(1).value, "b<2");
  EXPECT_EQ(outputs.options.pip.at(1).where, "envgen.json#/outputs/pip/1");
  EXPECT_EQ(outputs.options.user.value, "jane");
  EXPECT_EQ(outputs.options.shm_size.value, "8g");
  EXPECT_EQ(outputs.options.ci_for.value, "gitlab");
  EXPECT_EQ(outputs.options.envgen_url.value, "https://mirror.example.org/envgen");
  EXPECT_EQ(outputs.options.envgen_version.value, "1.0.0");
  EXPECT_EQ(outputs.options.gpu_runner.at(0).where, "envgen.json#/outputs/gpu_runner/0");
  EXPECT_TRUE(outputs.options.podman);
  EXPECT_FALSE(outputs.options.legacy_builder);
}

TEST(ProjectFile, OutputsThatCannotBeAreNamed) {
  const std::string at = "bad_input | envgen.json#/outputs/";
  EXPECT_EQ(project_error(R"({"outputs": {"files": "run"}})"),
            at + "files | must be a list | write it as [\"dockerfile\", \"run\"]");
  EXPECT_EQ(project_error(R"({"outputs": {"files": [1]}})"), at + "files/0 | must be a string | ");
  EXPECT_EQ(project_error(R"({"outputs": {"files": ["dockerfil"]}})"),
            at + "files/0 | 'dockerfil' is not an output | did you mean dockerfile?");
  EXPECT_EQ(project_error(R"({"outputs": {"files": ["zzzzzzzz"]}})"),
            at + "files/0 | 'zzzzzzzz' is not an output | known outputs: dockerfile, conda, requirements, pyproject, run, "
                 "compose, setup, "
                 "devcontainer, vscode, ci");
  EXPECT_EQ(project_error(R"({"outputs": {"apt": ["ok", "a b"]}})"),
            at + "apt/1 | 'a b' is not an apt package name | such as libgl1");
  EXPECT_EQ(project_error(R"({"outputs": {"user": 1}})"), at + "user | must be a string | ");
  for (const auto* name :
       {"base_image", "pip_index", "mirror", "apt_mirror", "conda_mirror", "torch_mirror", "shm_size", "ca_cert", "user"})
    EXPECT_EQ(project_error(fmt::format(R"({{"outputs": {{"{}": ""}}}})", name)),
              at + name + " | must not be empty; omit the field instead | ");
  EXPECT_EQ(project_error(R"({"outputs": {"podman": "yes"}})"), at + "podman | must be true or false | ");
  EXPECT_EQ(project_error(R"({"outputs": {"shm_size": "much"}})"), at + "shm_size | 'much' is not a memory size | such as 8g");
  EXPECT_EQ(
      project_error(R"({"outputs": {"ca_cert": "ca.pem", "legacy_builder": true}})"),
      "bad_input | envgen.json#/outputs/ca_cert | the legacy builder has no secrets, and certificates must not be stored in a "
      "layer | leave out "
      "--legacy-builder: BuildKit is the default builder since Docker 23");
}

TEST(ProjectFile, SchemaAndEmptyOutputsAreWelcome) {
  EXPECT_EQ(project_error(R"({"$schema": "x", "request": {}, "outputs": {}})"), "parsed");
  EXPECT_EQ(project_error(R"({"$schema": 1})"), "bad_input | envgen.json#/$schema | must be a string | ");
  EXPECT_EQ(project_error(R"({"outputs": []})"), "bad_input | envgen.json#/outputs | must be an object | ");
  EXPECT_EQ(project_error(R"({"outputs": {"dockerfile": {}}})"),
            "bad_input | envgen.json#/outputs/dockerfile | unknown field 'dockerfile' | known fields: files, apt, pip, "
            "needs_nvcc, user, "
            "base_image, image_name, pip_index, mirror, apt_mirror, conda_mirror, torch_mirror, container_gpus, shm_size, "
            "ca_cert, ci_for, envgen_url, envgen_version, envgen_sha256, gpu_runner, explicit_toolkit, "
            "multi_stage, no_compiler, jupyter, ssh, gpu_required, podman, legacy_builder");
}

TEST(ProjectFile, UnknownMembers) {
  EXPECT_EQ(error_in_request(R"("troch": "2.3")"),
            "bad_input | envgen.json#/request/troch | unknown field 'troch' | did you mean torch?");
  EXPECT_EQ(error_in_request(R"("gpu": "4090")"),
            "bad_input | envgen.json#/request/gpu | unknown field 'gpu' | did you mean gpus?");
  EXPECT_EQ(error_in_request(R"("allow-inferred": true)"),
            "bad_input | envgen.json#/request/allow-inferred | unknown field 'allow-inferred' | did you mean allow_inferred?");
  EXPECT_EQ(project_error(R"({"requests": {}})"),
            "bad_input | envgen.json#/requests | unknown field 'requests' | did you mean request?");
  EXPECT_EQ(project_error(R"({"torch": "2.3"})"),
            "bad_input | envgen.json#/torch | unknown field 'torch' | it belongs to \"request\": {...}");
  EXPECT_EQ(error_in_request(R"("apt": ["git"])"),
            "bad_input | envgen.json#/request/apt | unknown field 'apt' | it belongs to \"outputs\": {...}");
  EXPECT_EQ(project_error("{\"a/b~\\n$(x){{'\": 1}"),
            "bad_input | envgen.json#/a~1b~0\\x0a$(x){{' | unknown field 'a/b~\\x0a$(x){{'' | known fields: $schema, "
            "request, outputs");
  EXPECT_EQ(error_in_request(R"("hosts": [{"gpu": "V100"}])"),
            "bad_input | envgen.json#/request/hosts/0/gpu | unknown field 'gpu' | did you mean gpus?");
}

TEST(ProjectFile, WrongTypes) {
  EXPECT_EQ(project_error("[]"), "bad_input | envgen.json# | must be an object | 'envgen init' writes a file to start from");
  EXPECT_EQ(project_error(R"({"request": "torch"})"), "bad_input | envgen.json#/request | must be an object | ");
  EXPECT_EQ(error_in_request(R"("torch": 2.3)"),
            "bad_input | envgen.json#/request/torch | must be a string | write it in quotes, as in \"2.3\"");
  EXPECT_EQ(error_in_request(R"("torch": null)"),
            "bad_input | envgen.json#/request/torch | must be a string | write it in quotes, as in \"2.3\"");
  EXPECT_EQ(error_in_request(R"("preset": [])"),
            "bad_input | envgen.json#/request/preset | must be a string | write it in quotes, as in \"colab-t4\"");
  EXPECT_EQ(error_in_request(R"("ptx": "true")"), "bad_input | envgen.json#/request/ptx | must be true or false | ");
  EXPECT_EQ(error_in_request(R"("gpus": "4090")"),
            "bad_input | envgen.json#/request/gpus | must be a list | write it as [\"RTX 4090\", \"A100\"]");
  EXPECT_EQ(error_in_request(R"("gpus": ["4090", 8.6])"),
            "bad_input | envgen.json#/request/gpus/1 | must be a string | write it in quotes, as in \"RTX 4090\"");
  const std::string as_host = R"(write the list as [{"gpus": ["V100", "T4"], "driver": "535.183.01"}])";
  EXPECT_EQ(error_in_request(R"("hosts": [3])"), "bad_input | envgen.json#/request/hosts/0 | must be a host | " + as_host);
  EXPECT_EQ(
      error_in_request(R"("hosts": {})"),
      R"(bad_input | envgen.json#/request/hosts | must be a list | write it as [{"gpus": ["V100", "T4"], "driver": "535.183.01"}])");
  EXPECT_EQ(error_in_request(R"("hosts": [{}])"),
            "bad_input | envgen.json#/request/hosts/0 | the host has neither gpus nor a driver | ");
  EXPECT_EQ(error_in_request(R"("hosts": [{"gpus": "V100"}])"),
            R"(bad_input | envgen.json#/request/hosts/0/gpus | must be a list | write it as ["V100", "T4"])");
  EXPECT_EQ(error_in_request(R"("hosts": [{"driver": 535}])"),
            "bad_input | envgen.json#/request/hosts/0/driver | must be a string | write it in quotes, as in \"535.183.01\"");
}

TEST(ProjectFile, AHostsPartCannotSmuggleAnother) {
  EXPECT_EQ(error_in_request(R"("hosts": [{"gpus": ["V100,driver=1"]}])"),
            "bad_input | envgen.json#/request/hosts/0/gpus/0 | 'V100,driver=1' contains a comma, which is not allowed in the gpu "
            "of a host | ");
  EXPECT_EQ(error_in_request(R"("hosts": [{"driver": ">=535,<580"}])"),
            "bad_input | envgen.json#/request/hosts/0/driver | '>=535,<580' contains a comma, which is not allowed in the driver "
            "of a host | ");
}

TEST(ProjectFile, SyntaxSizeDepthAndDuplicates) {
  EXPECT_EQ(project_error(R"({"request": {"preset": ""}})"),
            "bad_input | envgen.json#/request/preset | must not be empty; omit the field instead | ");
  EXPECT_EQ(project_error(""), "bad_input | envgen.json | the file is empty | ");
  EXPECT_EQ(project_error("{\n  \"request\": {\n    \"torch\" \"2.3\"\n"),
            "bad_input | envgen.json | not JSON (line 3, column 17) | ");
  EXPECT_EQ(project_error("{\"request\": {\"torch\": \"2"),
            "bad_input | envgen.json | the file is truncated (line 1, column 25) | ");
  EXPECT_EQ(error_in_request(R"("torch": "2.3", "torch": "2.4")"),
            "bad_input | envgen.json#/request/torch | the name appears twice in one object | keep one of the two");
  EXPECT_EQ(project_error("{\"request\":" + std::string(100000, '[')),
            "bad_input | envgen.json | nested deeper than 32 levels | ");
}

TEST(ProjectFile, FilesThatCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "envgen.json";
  EXPECT_EQ(
      text_of(read_project(path).error()),
      fmt::format("bad_input | {0} | cannot open the file (No such file or directory) | 'envgen init -o {0}' writes a project "
                  "file",
                  path.string()));
  EXPECT_EQ(
      text_of(read_project("no such folder/envgen.json").error()),
      "bad_input | no such folder/envgen.json | cannot open the file (No such file or directory) | 'envgen init -o 'no such "
      "folder/envgen.json'' writes a project file");
  folder.write("envgen.json", std::string((std::size_t{1} << 20) + 1, ' '));
  EXPECT_EQ(text_of(read_project(path).error()), fmt::format("bad_input | {} | the file is larger than 1 MiB | ", path.string()));
  EXPECT_EQ(text_of(read_project(folder.path()).error()),
            fmt::format("bad_input | {} | cannot read the file (Is a directory) | ", folder.path().string()));
}

/// What such values mean is for the resolver; here they must arrive there as they are, and leave it as one readable line.
TEST(ProjectFile, HostileValuesEndAsOneMessage) {
  const auto message = [](const std::string& json_text) {
    const auto parsed = parse_project("{\"request\": {\"torch\": \"" + json_text + "\"}}", "envgen.json");
    if (!parsed) return text_of(parsed.error());
    const auto query = resolver::interpret(matrix::embedded(), parsed->request);
    return query ? std::string("understood") : query.error().origin + " | " + query.error().message;
  };
  const std::string where = "envgen.json#/request/torch | ";
  const std::string why = " is not a version number (only digits and dots are allowed)";
  EXPECT_EQ(message(R"(2.3\")"), where + "'2.3\"'" + why);
  EXPECT_EQ(message(R"(2.3\nRUN x)"), where + "'2.3\\x0aRUN x'" + why);
  EXPECT_EQ(message(R"(2.3\r)"), where + "'2.3\\x0d'" + why);
  EXPECT_EQ(message(R"(2.3\u0000)"), where + "'2.3\\x00'" + why);
  EXPECT_EQ(message("$(reboot)"), where + "'$(reboot)'" + why);
  EXPECT_EQ(message("{{x}}"), where + "'{{x}}'" + why);
  EXPECT_EQ(message(std::string(1000000, '2')),
            where + "'" + std::string(60, '2') + "...' (1000000 bytes) is not a version or range (longer than 200 characters)");
}

}  // namespace
}  // namespace envgen::project
