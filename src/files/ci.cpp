#include "files/kinds.hpp"

#include <array>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/compat.hpp"
#include "files/container_flags.hpp"
#include "files/frozen.hpp"
#include "files/index_login.hpp"
#include "files/quoting.hpp"
#include "files/run_time_compiler.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"
#include "model/shell_word.hpp"

namespace envgen::files {
namespace {

enum class Service { github, gitlab };

/// What is proven: the image of a Dockerfile in this folder, or (none) what setup.sh makes.
using Context = std::optional<std::string>;

Expected<Service> service_of(const Options& options) {
  if (options.ci_for.value == "github") return Service::github;
  if (options.ci_for.value == "gitlab") return Service::gitlab;
  return fail(ErrorCode::usage, "no CI service is named", "--for",
              {"--for github, or --for gitlab", R"(in envgen.json: "outputs": {"ci_for": "github"})"});
}

Expected<Context> context_of(const Inputs& inputs) {
  if (inputs.made.empty() || inputs.makes_dockerfile()) return ".";
  if (inputs.makes("devcontainer")) return ".devcontainer";
  if (inputs.makes("setup")) return std::nullopt;
  return fail(ErrorCode::usage,
              "the project generates neither a Dockerfile nor a setup.sh, so there is nothing to build or validate", "ci",
              {R"("outputs": {"files": ["dockerfile", "ci"]})"});
}

/// A text of several lines, as deep as the block of YAML that holds it.
std::string indented(const std::string& text, Service service) {
  const std::size_t blanks = service == Service::github ? 10 : 6;
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!result.empty()) result += '\n';
    if (!line.empty()) result.append(blanks, ' ') += line;
  }
  return result;
}

std::string build_command(const Options& options, const Context& context, Service service) {
  const bool has_certificates = !options.ca_cert.value.empty();
  if (!context) return has_certificates ? R"sh(SSL_CERT_FILE="$(realpath "$CA_CERT")" ./setup.sh)sh" : "./setup.sh";
  // An argument without a value is the variable of that name, and none where there is no such variable.
  std::vector<std::string> words{"docker",      "build",      "--tag",       options.image_name.value,
                                 "--build-arg", "http_proxy", "--build-arg", "https_proxy",
                                 "--build-arg", "no_proxy"};
  auto command = shell_words(words);
  // A job on GitLab is root, whom the image is not to run as.
  if (service == Service::github) command += R"sh( --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)")sh";
  if (has_certificates) command += R"( --secret "id=ca-cert,src=$CA_CERT")";
  // GitHub's secret is the text itself, GitLab's variable of type File the path of it.
  if (may_need_login(options))
    command += service == Service::github ? " ${ENVGEN_NETRC:+--secret id=netrc,env=ENVGEN_NETRC}"
                                          : R"( ${ENVGEN_NETRC:+--secret "id=netrc,src=$ENVGEN_NETRC"})";
  return fmt::format("DOCKER_BUILDKIT={} {} {}", options.legacy_builder ? 0 : 1, command, *context);
}

/// The flags by which a container gets its shared memory, as in run.sh, and its GPUs, with what must then have been proven of
/// both.
std::vector<std::string> container_words(const Options& options, bool gpu) {
  const bool host = options.shm_size.value.empty();
  std::vector<std::string> words;
  if (gpu) words = {"--gpus", options.container_gpus.value};
  words.insert(words.end(), {host ? "--ipc" : "--shm-size", host ? "host" : options.shm_size.value});
  if (gpu) words.insert(words.end(), {"--require", host ? "gpu,ipc-host" : "gpu,shm-size"});
  return words;
}

std::string validate_command(const Inputs& inputs, Service service, const Context& context, bool gpu) {
  std::vector<std::string> words{"envgen", "validate"};
  words.push_back(context ? inputs.options.image_name.value : "--here");
  words.insert(words.end(), {"--profile", gpu ? "full" : "build"});
  if (context) {
    for (auto& word : container_words(inputs.options, gpu)) words.push_back(std::move(word));
  } else if (gpu) {
    words.insert(words.end(), {"--require", "gpu"});
  }
  const std::string_view name = gpu ? "gpu" : "cpu";
  std::vector<std::string> reports;
  if (service == Service::github) reports = {"--format", "github"};
  for (const auto* kind : {"json", "xml", "html"}) {
    reports.emplace_back("-o");
    reports.push_back(fmt::format("envgen-report/{}.{}", name, kind));
  }
  const auto* const place = inputs.environment.installer == Installer::conda ? ".conda" : ".venv";
  const auto path = context ? std::string() : fmt::format(R"(PATH="$PWD/{}/bin:$PATH" )", place);
  return fmt::format("mkdir -p envgen-report\n{}{} \\\n  {}", path, shell_words(words), shell_words(reports));
}

/// Where setup.sh takes the system's Python, the system must be the one that was resolved for; else any will do.
std::string system_of(const Inputs& inputs, const Context& context, Service service) {
  const auto& environment = inputs.environment;
  const bool jammy = !context && environment.os == "ubuntu22.04";
  if (service == Service::gitlab) {
    const bool bookworm = !context && environment.os == "debian12";
    return bookworm ? "debian:12" : jammy ? "ubuntu:22.04" : "ubuntu:24.04";
  }
  return fmt::format("ubuntu-{}{}", jammy ? "22.04" : "24.04", environment.platform == Platform::linux_aarch64 ? "-arm" : "");
}

std::vector<std::string> runner_labels(const Options& options, Service service) {
  std::vector<std::string> labels;
  for (const auto& label : options.gpu_runner) labels.push_back(label.value);
  if (labels.empty() && service == Service::github) labels.emplace_back("self-hosted");
  if (options.gpu_runner.empty()) labels.emplace_back("gpu");
  return labels;
}

std::vector<View> jobs_of(const Inputs& inputs, Service service, const Context& context, bool has_gpu) {
  std::vector<View> jobs;
  for (const bool gpu : {false, true}) {
    if (gpu && !has_gpu) break;
    View job;
    job.flag("gpu", gpu).text("validate", indented(validate_command(inputs, service, context, gpu), service));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

/// What both services run alike.
Expected<void> add_scripts(View& view, const Options& options, Service service) {
  const bool github = service == Service::github;
  View names;
  names.flag("github", github).text("holder", github ? "the secret" : "the variable");
  names.text("file", shell_word(options.ca_cert.value));
  constexpr std::array<std::pair<const char*, const char*>, 3> scripts{
      {{"checked", "ci-release.sh"}, {"envgen", "ci-envgen.sh"}, {"certificates", "ci-certificates.sh"}}};
  for (const auto& [name, script] : scripts) {
    const auto text = fill(script, names);
    if (!text) return tl::unexpected(text.error());
    view.text(name, indented(*text, service));
  }
  return {};
}

/// What a job must be told to get envgen: by an option, else by a variable of its CI.
struct Setting {
  const char* variable;
  GivenText Options::*option;
  std::string_view what;
};
constexpr std::array<Setting, 3> release_settings{
    {{"ENVGEN_RELEASES_URL", &Options::envgen_url,
      "the base URL of envgen's releases, such that URL/v1.0.0/envgen-1.0.0-{}.tar.gz exists"},
     {"ENVGEN_VERSION", &Options::envgen_version, "the release to use, such as 1.0.0"},
     {"ENVGEN_SHA256", &Options::envgen_sha256, "the SHA-256 of that tarball, from the release's SHA256SUMS"}}};

/// What the CI has to be told before the workflow runs, for who writes it; its head says what each variable is.
std::optional<std::string> open_settings(const Options& options) {
  std::vector<std::string_view> open;
  for (const auto& [variable, option, what] : release_settings) {
    if ((options.*option).value.empty()) open.emplace_back(variable);
  }
  if (open.empty()) return std::nullopt;
  const bool one = open.size() == 1;
  return fmt::format("the workflow needs the CI {} {}; its first lines explain {}", one ? "variable" : "variables",
                     fmt::join(open, ", "), one ? "it" : "them");
}

void add_release(View& view, const Inputs& inputs) {
  std::vector<View> named;
  std::vector<View> open;
  for (const auto& [variable, option, what] : release_settings) {
    const auto& value = (inputs.options.*option).value;
    auto& row = (value.empty() ? open : named).emplace_back();
    row.text("name", variable).text("value", yaml_text(value));
    row.text("what", fmt::format(fmt::runtime(what), name_of(inputs.environment.platform)));
  }
  view.flag("has_open", !open.empty());
  view.list("named", std::move(named)).list("open", std::move(open));
}

/// What a plain system of GitLab lacks for the job; setup.sh names a compiler that torch.compile needs, but installs none.
std::string packages_of_job(const Inputs& inputs, const Context& context) {
  std::vector<std::string> packages{"ca-certificates", "curl"};
  if (context) {
    packages.insert(packages.end(), {"docker.io", "docker-buildx"});
  } else {
    packages.insert(packages.end(), {"git", "python3-venv"});
    for (const auto& package : run_time_compiler(inputs)) packages.push_back(package);
  }
  return fmt::format("{}", fmt::join(packages, " "));
}

constexpr const char* engine_image = "docker:28-dind";

/// GitHub's expressions begin as a tag of a template does.
constexpr std::string_view expression = "${{";

Expected<View> view_of(const Inputs& inputs, Service service) {
  const auto context = context_of(inputs);
  if (!context) return tl::unexpected(context.error());
  const auto selection = container_gpus(inputs);
  if (!selection) return tl::unexpected(selection.error());
  const auto& options = inputs.options;
  const auto labels = runner_labels(options, service);
  View view;
  view.text("title", title(inputs.environment)).text("expression", std::string(expression));
  view.texts("notes", compat_notes(inputs, *context ? RunsIn::image : RunsIn::machine));
  add_release(view, inputs);
  const auto system = system_of(inputs, *context, service);
  view.text("system", service == Service::gitlab ? with_digest(inputs.environment, system) : system);
  view.text("engine_image", yaml_text(with_digest(inputs.environment, engine_image)));
  view.text("packages", packages_of_job(inputs, *context));
  view.flag("image", context->has_value());
  view.text("build", build_command(options, *context, service)).flag("ca_cert", !options.ca_cert.value.empty());
  view.flag("netrc", context->has_value() && may_need_login(options));
  view.flag("large", context->has_value() && inputs.environment.build().cuda.has_value());
  view.flag("has_gpu", !selection->none());
  view.flag("one_label", labels.size() == 1).text("labels", fmt::format("{}", fmt::join(labels, ", ")));
  view.text("runner", fmt::format("{}", fmt::join(yaml_texts(labels), ", ")));
  if (auto added = add_scripts(view, options, service); !added) return tl::unexpected(std::move(added.error()));
  view.list("jobs", jobs_of(inputs, service, *context, !selection->none()));
  return view;
}

}  // namespace

std::vector<std::string> ci_images(const Inputs& inputs) {
  const auto service = service_of(inputs.options);
  const auto context = context_of(inputs);
  if (!service || *service != Service::gitlab || !context || !inputs.makes("ci")) return {};
  std::vector<std::string> images{system_of(inputs, *context, *service)};
  if (*context) images.emplace_back(engine_image);
  return images;
}

Expected<Files> ci(const Inputs& inputs) {
  const auto service = service_of(inputs.options);
  if (!service) return tl::unexpected(service.error());
  auto view = view_of(inputs, *service);
  if (!view) return tl::unexpected(view.error());
  const bool github = *service == Service::github;
  auto jobs = made_file(github ? ".github/workflows/envgen.yml" : ".gitlab/envgen.gitlab-ci.yml",
                        github ? "github-workflow.yml" : "gitlab-jobs.yml", std::move(*view));
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  if (auto note = open_settings(inputs.options)) jobs->notes.push_back(std::move(*note));
  if (github) return Files{std::move(*jobs)};
  auto pipeline = made_file(".gitlab-ci.yml", "gitlab-ci.yml", View());
  if (!pipeline) return tl::unexpected(std::move(pipeline.error()));
  pipeline->proposed = true;
  pipeline->included = jobs->path;
  return Files{std::move(*jobs), std::move(*pipeline)};
}

}  // namespace envgen::files
