#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/host_text.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "model/usual_spelling.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/not_covered.hpp"
#include "resolver/query.hpp"
#include "resolver/resolver.hpp"

namespace envgen::resolver {
namespace {

/// NVIDIA, CUDA on WSL User Guide: "Pascal or later".
constexpr Capability oldest_in_wsl{6, 0};
/// Windows on Arm with a GPU of NVIDIA (RTX Spark) was announced in 2026; which drivers and builds work there was not read.
constexpr std::string_view wsl_is_x86 = "envgen covers WSL 2 only on x86_64 PCs";
constexpr std::size_t most_values = 60;  // bits of a ValueSet, with room for what a `+cu121` adds

/// An error, told where its value was written.
tl::unexpected<Error> at(const RequestValue& value, Error error) {
  error.origin = value.where;
  return tl::unexpected(std::move(error));
}

/// The error of a value: what is wrong with it.
tl::unexpected<Error> bad_value(const RequestValue& value, std::string_view what, std::vector<std::string> hints = {}) {
  return fail(ErrorCode::usage, fmt::format("{} {}", in_quotes(value.text), what), value.where, std::move(hints));
}
tl::unexpected<Error> bad_value(const RequestValue& value, const Error& why) {
  return bad_value(value, "is " + why.message, why.hints);
}

/// Drops a package name that people paste along: `torch==2.3.1`, `pytorch>=2.3`.
std::string_view without_package(std::string_view text, std::initializer_list<std::string_view> packages) {
  for (const auto package : packages) {
    if (!text.starts_with(package)) continue;
    auto rest = text.substr(package.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.empty() && std::string_view("=<>!~0123456789").find(rest.front()) != std::string_view::npos) return rest;
  }
  if (text.size() > 1 && text.front() == 'v' && is_digit(text[1])) text.remove_prefix(1);  // a tag of git: v2.7
  return text;
}

/// `cu121` -> 12.1, `cu92` -> 9.2: the last digit is the minor; `cu12` -> 12, of which there is no 1.2.
std::optional<Version> tag_version(std::string_view tag) {
  if (!tag.starts_with("cu")) return std::nullopt;
  tag.remove_prefix(2);
  if (tag.size() < 2 || tag.size() > 3 || tag.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  if (tag.size() == 2 && tag.front() == '1') return Version(static_cast<std::uint16_t>(10 + (tag.back() - '0')));
  std::uint16_t major = 0;
  for (const char c : tag.substr(0, tag.size() - 1)) major = static_cast<std::uint16_t>(major * 10 + (c - '0'));
  return Version(major, static_cast<std::uint16_t>(tag.back() - '0'));
}

/// `124` -> 12.4: the digits of a tag, which are no version by themselves. None: the text is something else.
std::optional<Version> without_its_dot(const matrix::Matrix& matrix, std::string_view digits) {
  constexpr std::size_t of_a_tag = 3;
  const auto version = digits.size() == of_a_tag ? tag_version("cu" + std::string(digits)) : std::nullopt;
  const auto newest = matrix->cuda_minors.empty() ? Version() : (matrix->cuda_minors.end() - 1)->cuda;
  return version && version->major() <= newest.major() + 1 ? version : std::nullopt;
}

bool has_release(const matrix::Matrix& matrix, Framework framework, std::string_view text) {
  const auto version = Version::parse(text);
  return version && matrix.has_release(framework, *version);
}

/// `26` -> 2.6: the release whose digits these are; empty: there is none.
std::string release_without_its_dot(const matrix::Matrix& matrix, Framework framework, std::string_view digits) {
  if (digits.size() < 2 || digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  const auto dotted = fmt::format("{}.{}", digits.front(), digits.substr(1));
  return has_release(matrix, framework, dotted) ? dotted : std::string();
}

/// `15` -> 2.15: the minor alone; empty: there is no such release.
std::string release_without_its_major(const matrix::Matrix& matrix, Framework framework, std::string_view digits) {
  if (digits.find_first_not_of("0123456789") != std::string_view::npos || has_release(matrix, framework, digits)) return {};
  const auto whole = fmt::format("2.{}", digits);
  return has_release(matrix, framework, whole) ? whole : std::string();
}

/// `12.4` and `124` -> 12.4, `13` -> 13: what only CUDA is numbered like; empty: a framework may be.
std::string cuda_meant_by(const matrix::Matrix& matrix, std::string_view text, const VersionSpec& spec) {
  constexpr int least_major = 9;
  constexpr std::size_t digits_of_tag = 3;
  const bool tag = text.size() == digits_of_tag && text.find_first_not_of("0123456789") == std::string_view::npos;
  std::optional<Version> version;
  if (tag) {
    version = tag_version(fmt::format("cu{}", text));
  } else if (const auto one = spec.single()) {
    version = one;
  }
  if (!version || version->major() < least_major) return {};
  const auto& minors = matrix->cuda_minors;
  const bool known = std::any_of(minors.begin(), minors.end(),
                                 [&](const auto& minor) { return minor.cuda.under(*version) || version->under(minor.cuda); });
  return known ? version->to_string() : std::string();
}

/// `312` -> 3.12; else how a Python is written.
std::string python_hint(std::string_view text) {
  const bool digits = text.size() > 1 && text.size() < 4 && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits && text.front() == '3') return fmt::format("did you mean 3.{}?", text.substr(1));
  return "write a Python version as 3.12, or 3.13t for the free-threaded build";
}

/// Systems of the same release of Red Hat Enterprise Linux as one that is not known: `rhel7`, `centos8`, `almalinux9`.
std::vector<std::string_view> of_red_hat(const matrix::Matrix& matrix, std::string_view distribution, std::string_view version) {
  constexpr std::array<std::string_view, 6> rebuilds{"rhel", "centos", "rockylinux", "almalinux", "alma", "oraclelinux"};
  constexpr std::array<std::string_view, 3> known{"centos", "rockylinux", "ubi"};
  std::vector<std::string_view> found;
  if (std::find(rebuilds.begin(), rebuilds.end(), distribution) == rebuilds.end()) return found;
  const auto major = version.substr(0, version.find('.'));
  for (const auto& os : matrix->os) {
    const auto id = os.id.view();
    const auto digits = id.find_first_of("0123456789");
    if (std::find(known.begin(), known.end(), id.substr(0, digits)) != known.end() && id.substr(digits) == major)
      found.push_back(id);
  }
  return found;
}

/// `ubuntu-24`: the newest systems whose names begin so; else those that are written almost so; else all.
std::vector<std::string> systems_like(const matrix::Matrix& matrix, std::string_view text) {
  constexpr std::size_t most = 3;
  auto beginning = lower(text);
  std::erase_if(beginning, [](char c) { return c == '-' || c == ':' || c == '_' || c == ' '; });
  const auto distribution = std::string_view(beginning).substr(0, beginning.find_first_of("0123456789"));
  std::vector<std::string_view> names;
  std::vector<std::string_view> begun;
  std::vector<std::string_view> of_distribution;  // where the version is as long as theirs, it is no typing mistake
  for (const auto& os : matrix->os) {
    const auto id = os.id.view();
    names.push_back(id);
    if (id.starts_with(beginning)) begun.insert(begun.begin(), id);
    if (id.size() == beginning.size() && id.substr(0, id.find_first_of("0123456789")) == distribution)
      of_distribution.push_back(id);
  }
  if (const auto same = of_red_hat(matrix, distribution, beginning.substr(distribution.size())); !same.empty())
    return {fmt::format("equivalent systems: {}", fmt::join(same, ", "))};
  begun.resize(std::min(begun.size(), most));
  if (!begun.empty()) return {fmt::format("did you mean {}?", fmt::join(begun, ", "))};
  if (!of_distribution.empty()) return {fmt::format("known: {}", fmt::join(of_distribution, ", "))};
  auto hints = did_you_mean(lower(text), names, 1);
  if (hints.empty()) hints.push_back(fmt::format("known: {}", fmt::join(names, ", ")));
  return hints;
}

/// `pytorch/pytorch:2.3.1-cuda12.1-cudnn8-devel` as the values of a request; empty: it is no image that is known.
std::string flags_of_image(const matrix::Matrix& matrix, std::string_view image) {
  const auto colon = std::min(image.rfind(':'), image.size() - 1);
  const auto tag = image.substr(colon + 1);
  const auto repository = image.substr(0, colon);
  if (repository.ends_with("nvidia/cuda")) {
    for (const auto& row : matrix->cuda_images) {
      if (row.tag.view() == tag)
        return fmt::format("--base cuda --cuda {} --variant {} --os {}", row.cuda, name_of(row.variant), row.os.view());
    }
  }
  for (const auto& row : matrix->official_images) {
    const auto framework = name_of(row.framework);
    if (row.tag.view() != tag ||
        !repository.ends_with(row.framework == Framework::torch ? "pytorch/pytorch" : "tensorflow/tensorflow"))
      continue;
    return fmt::format("--base {} --{} {}{} --variant {}", row.framework == Framework::torch ? "pytorch" : framework, framework,
                       row.version,
                       // A release of TensorFlow has one build, and its image may hold another CUDA than that was tested with.
                       row.cuda && row.framework == Framework::torch ? fmt::format(" --cuda {}", row.cuda) : std::string(),
                       name_of(row.variant));
  }
  const auto* os = matrix.os_as_written(image);
  return os == nullptr ? std::string() : fmt::format("--base slim --os {}", os->id.view());
}

class Interpreter {
 public:
  Interpreter(const matrix::Matrix& matrix, const Request& request) : matrix_(matrix), request_(request) {}

  Expected<Query> run() {
    if (request_.values.size() > most_values)
      return fail(ErrorCode::usage,
                  fmt::format("a request may have at most {} values; this one has {}", most_values, request_.values.size()),
                  request_.values[most_values].where);
    query_.values = request_.values;
    query_.start_image_runs = request_.start_image_runs;
    if (auto read = read_wsl(); !read) return tl::unexpected(read.error());
    for (std::size_t i = 0; i < query_.values.size(); ++i) {
      auto& value = query_.values[i];
      value.text = usual_spelling(value.field, value.text);
      if (auto read = read_value(value, static_cast<int>(i)); !read) {
        auto other = not_covered(value.field, value.text);
        return other ? at(value, std::move(*other)) : tl::unexpected(std::move(read.error()));
      }
    }
    choose_framework();
    if (auto checked = check_framework(); !checked) return tl::unexpected(checked.error());
    if (auto checked = check_engine(); !checked) return tl::unexpected(checked.error());
    if (auto made = make_machines(); !made) return tl::unexpected(made.error());
    default_platform();
    if (query_.wsl && query_.platform == Platform::linux_aarch64)
      return fail(ErrorCode::usage, std::string(wsl_is_x86),
                  query_.values[static_cast<std::size_t>(query_.platform_value)].where);
    drive_machines(query_);
    if (auto checked = check_jetson_drivers(); !checked) return tl::unexpected(checked.error());
    settle_numbers();
    return std::move(query_);
  }

 private:
  Expected<void> read_value(const RequestValue& value, int index) {
    const bool is_companion = value.field == Field::torchvision || value.field == Field::torchaudio;
    if (value.text == "latest" && is_companion) {  // not every torch has one of its own
      (value.field == Field::torchvision ? query_.torchvision : query_.torchaudio) = {index, VersionSpec()};
      return {};
    }
    if ((value.text == "auto" && may_be_left_open(value.field)) || (value.text == "latest" && has_versions(value.field)))
      return {};
    switch (value.field) {
      case Field::torch:
        return read_framework(value, index, Framework::torch);
      case Field::tensorflow:
        return read_framework(value, index, Framework::tensorflow);
      case Field::torchvision:
        return read_spec(value, index, {"torchvision"}, query_.torchvision);
      case Field::torchaudio:
        return read_spec(value, index, {"torchaudio"}, query_.torchaudio);
      case Field::cudnn:
        return read_spec(value, index, {"cudnn"}, query_.cudnn);
      case Field::cuda:
        return read_cuda(value, index);
      case Field::python:
        return read_python(value, index);
      case Field::driver:
        driver_ = &value;
        driver_index_ = index;
        return {};
      case Field::gpu:
        return read_bare_gpu(value, index);
      case Field::host:
        return read_host(value, index);
      case Field::os:
        return read_os(value, index);
      case Field::platform:
        query_.platform_value = index;
        return read_platform(value);
      case Field::variant:
        query_.variant_value = index;
        return read_choice(value, query_.variant);
      case Field::installer:
        query_.installer_value = index;
        return read_installer(value);
      case Field::base:
        query_.base_value = index;
        return read_base(value);
      case Field::engine:
        query_.engine_value = index;
        return read_engine(value);
      case Field::wsl:
        return {};  // before all others, see read_wsl
      case Field::prefer:
        return read_choice(value, query_.prefer);
      case Field::ptx:
        return read_flag(value, [&](bool on) { query_.ptx_value = on ? index : no_value; });
      case Field::allow_inferred:
        return read_flag(value, [&](bool on) { query_.allow_inferred = on; });
    }
    return {};
  }

  /// `auto` of what the answer chooses. Boards, driver and system are the machine's to say, and a framework is still chosen.
  static bool may_be_left_open(Field field) {
    using enum Field;
    const auto open = {torchvision, torchaudio, cuda, cudnn, python, variant, installer, base, engine, prefer};
    return std::find(open.begin(), open.end(), field) != open.end();
  }

  /// `latest` of these is the newest that suits the rest, which is what the answer has anyway.
  static bool has_versions(Field field) {
    using enum Field;
    const auto versions = {torchvision, torchaudio, cuda, cudnn, python};
    return std::find(versions.begin(), versions.end(), field) != versions.end();
  }

  template <class E>
  static Expected<void> read_choice(const RequestValue& value, E& target) {
    auto parsed = parse_choice<E>(value.text);
    if (!parsed) return at(value, std::move(parsed.error()));
    target = *parsed;
    return {};
  }

  Expected<void> read_installer(const RequestValue& value) {
    auto read = read_choice(value, query_.installer);
    constexpr std::array<std::string_view, 4> of_conda{"mamba", "micromamba", "anaconda", "miniconda"};
    if (!read && std::find(of_conda.begin(), of_conda.end(), lower(value.text)) != of_conda.end())
      read.error().hints.emplace_back("did you mean conda? mamba and micromamba read the same environment.yaml");
    return read;
  }

  Expected<void> read_base(const RequestValue& value) {
    auto read = read_choice(value, query_.base);
    if (read || value.text.find_first_of(":/") == std::string::npos) return read;
    // An image, of which the request has a value for each part.
    auto flags = flags_of_image(matrix_, value.text);
    if (!flags.empty()) read.error().hints = {fmt::format("for an image like this: {}", flags)};
    read.error().hints.push_back(
        fmt::format("for exactly this image: envgen render dockerfile --base-image {}", in_one_line(value.text)));
    return read;
  }

  Expected<void> read_engine(const RequestValue& value) {
    auto read = read_choice(value, query_.engine);
    if (!read) {
      const auto kind = lower(value.text).substr(0, std::string_view("docker").size());
      if ((kind == "docker" || kind == "podman") && value.text.find_first_of("0123456789") != std::string::npos)
        read.error().hints = {fmt::format("leave out the version: --engine {}", kind)};
      read.error().hints.emplace_back("Docker 29.2 or newer with CDI devices: docker-cdi; any other Docker: docker");
      read.error().hints.emplace_back("without a container: --engine none");
      read.error().hints.emplace_back("to detect this machine's engine: --engine auto");
    }
    return read;
  }

  template <class Set>
  static Expected<void> read_flag(const RequestValue& value, Set set) {
    if (value.text != "true" && value.text != "false") return bad_value(value, "must be true or false");
    set(value.text == "true");
    return {};
  }

  /// It decides how drivers are read, wherever they stand.
  Expected<void> read_wsl() {
    const auto* value = request_.find(Field::wsl);
    return value == nullptr ? Expected<void>() : read_flag(*value, [&](bool on) { query_.wsl = on; });
  }

  Expected<void> read_platform(const RequestValue& value) {
    // The names that people and other tools use for the two.
    static constexpr std::array<std::pair<std::string_view, Platform>, 8> others{{{"x86_64", Platform::linux_x86_64},
                                                                                  {"x64", Platform::linux_x86_64},
                                                                                  {"linux-64", Platform::linux_x86_64},
                                                                                  {"amd64", Platform::linux_x86_64},
                                                                                  {"linux/amd64", Platform::linux_x86_64},
                                                                                  {"aarch64", Platform::linux_aarch64},
                                                                                  {"arm64", Platform::linux_aarch64},
                                                                                  {"linux/arm64", Platform::linux_aarch64}}};
    for (const auto& [name, platform] : others) {
      if (value.text != name) continue;
      query_.platform = platform;
      return {};
    }
    return read_choice(value, query_.platform);
  }

  static Expected<void> read_spec(const RequestValue& value, int index, std::initializer_list<std::string_view> packages,
                                  AskedVersion& target) {
    auto spec = VersionSpec::parse(without_package(value.text, packages));
    if (!spec) return bad_value(value, spec.error());
    if (auto other = not_covered(value.field, spec->single())) return at(value, std::move(*other));
    target = {index, std::move(*spec)};
    return {};
  }

  Expected<void> read_framework(const RequestValue& value, int index, Framework framework) {
    std::string_view text = without_package(value.text, {"torch", "pytorch", "tensorflow"});
    frameworks_seen_ |= 1 << static_cast<int>(framework);
    query_.framework = framework;
    query_.framework_value = index;
    if (text == "auto" || text == "latest" || text == "stable") return {};
    // A local version fixes the CUDA tag too: 2.3.1+cu121, 2.3.1+cpu.
    const auto plus = text.find('+');
    if (plus != std::string_view::npos && framework == Framework::torch) {
      const auto local = lower(text.substr(plus + 1));
      AskedCuda cuda;
      cuda.value = index;
      if (local == "cpu") {
        cuda.cpu = true;
      } else if (const auto version = tag_version(local); version && version->count() > 1) {
        cuda.spec = VersionSpec(*version);
      } else {
        return bad_value(value, fmt::format("ends in {}, which is not a CUDA tag", in_quotes(local)),
                         {"a tag looks like +cu121 or +cpu"});
      }
      query_.cuda.push_back(std::move(cuda));
      text = text.substr(0, plus);
    }
    if (const auto dotted = release_without_its_dot(matrix_, framework, text); !dotted.empty())
      return bad_value(value, fmt::format("is not a version of {}", name_of(framework)),
                       {fmt::format("did you mean {}?", dotted)});
    auto spec = VersionSpec::parse(text);
    if (!spec) return bad_value(value, spec.error());
    if (const auto cuda = cuda_meant_by(matrix_, text, *spec); !cuda.empty())
      return bad_value(value, fmt::format("is a CUDA version, not a release of {}", name_of(framework)),
                       {fmt::format("did you mean --cuda {}?", cuda)});
    if (const auto whole = release_without_its_major(matrix_, framework, text); !whole.empty())
      return bad_value(value, fmt::format("is not a version of {}", name_of(framework)),
                       {fmt::format("did you mean {}?", whole)});
    if (auto other = not_covered(value.field, spec->single())) return at(value, std::move(*other));
    query_.version = {index, std::move(*spec)};
    return {};
  }

  Expected<void> read_cuda(const RequestValue& value, int index) {
    AskedCuda cuda;
    cuda.value = index;
    const auto text = lower(value.text);
    std::string_view spelled = without_package(text, {"cuda"});
    if (spelled.starts_with("cu") && spelled.find('.') != std::string_view::npos) spelled.remove_prefix(2);  // cu12.1
    if (text == "cpu" || text == "none") {
      cuda.cpu = true;
    } else if (const auto version = tag_version(spelled)) {
      cuda.spec = VersionSpec(*version);
    } else if (const auto dotted = without_its_dot(matrix_, spelled)) {
      return bad_value(value, "is not a CUDA version", {fmt::format("did you mean {}? Its tag is cu{}", *dotted, spelled)});
    } else {
      auto spec = VersionSpec::parse(spelled);
      if (!spec) {
        auto why = spec.error();
        why.hints.emplace_back("write a CUDA version as 12.1, 12.1.1, cu121, a range such as '>=12.1,<13', or cpu");
        return bad_value(value, why);
      }
      const auto named = spec->single();
      if (matrix_.branch(named.major()) != nullptr)  // far above every CUDA
        return bad_value(value, "is a driver version, not a CUDA version", {fmt::format("did you mean --driver {}?", spelled)});
      constexpr int oldest_major = 8;  // CUDA 7 is older than every PyTorch here
      if (named.major() < oldest_major && named.count() > 1 && matrix_.has_release(Framework::torch, named))
        return bad_value(value, "is not a CUDA version", {fmt::format("did you mean --torch {}?", spelled)});
      constexpr int first_of_no_update = 10;  // 12.1.105, as nvcc prints it; the updates of a CUDA have one digit
      const auto one = spec->single();
      if (one && one.count() > 2 && one.part(2) >= first_of_no_update)
        return bad_value(value, "is a build number of nvcc, not a CUDA release", {fmt::format("did you mean {}?", one.at(2))});
      cuda.spec = std::move(*spec);
    }
    query_.cuda.push_back(std::move(cuda));
    return {};
  }

  Expected<void> read_python(const RequestValue& value, int index) {
    query_.python_value = index;
    std::string_view text = without_package(value.text, {"python"});
    const bool as_a_tag = text.starts_with("cp3") || text.starts_with("py3");
    if (as_a_tag || text.ends_with('t')) {
      auto python = PythonVersion::parse(as_a_tag ? fmt::format("cp{}", text.substr(2)) : std::string(text));
      if (!python) return bad_value(value, python.error());
      query_.pythons = {};
      query_.pythons.add(*python);
      return {};
    }
    auto spec = VersionSpec::parse(text);
    if (!spec) return bad_value(value, spec.error());
    for (const auto& clause : spec->clauses()) {
      if (clause.version.count() > 2 && clause.op == VersionSpec::Op::prefix)
        return bad_value(value, "names a patch release of Python",
                         {fmt::format("give only the minor version: {}", clause.version.at(2))});
    }
    constexpr Version later(3, 10);
    if (const auto one = spec->single(); one == Version(3, 1))
      return bad_value(value, "is not a Python version that PyTorch supports", {fmt::format("did you mean {}?", later)});
    query_.pythons = {};
    constexpr std::uint8_t largest_minor = 31;
    for (std::uint8_t minor = 0; minor <= largest_minor; ++minor) {
      if (spec->matches(Version(3, minor))) query_.pythons.add({minor, false});
    }
    if (!query_.pythons.empty()) return {};
    return bad_value(value, spec->single() ? "is not a version of Python 3" : "allows no version of Python 3",
                     {python_hint(value.text)});
  }

  Expected<void> read_os(const RequestValue& value, int index) {
    query_.os_value = index;
    query_.os = matrix_.os_as_written(value.text);
    if (query_.os != nullptr) return {};
    if (is_jetpack(lower(value.text)))
      return bad_value(value, "is not a known operating system", {std::string(jetpack_fact), std::string(jetson_note)});
    return bad_value(value, "is not a known operating system", systems_like(matrix_, value.text));
  }

  Expected<void> add_board(std::string_view text, const RequestValue& value, int index, AskedMachine& machine) {
    auto board = parse_board(matrix_, text);
    if (!board) return at(value, std::move(board.error()));
    if (query_.wsl && board->capability < oldest_in_wsl)
      return fail(ErrorCode::usage,
                  fmt::format("the {} does not work in WSL 2, which needs compute capability {} (Pascal) or newer", board->name,
                              oldest_in_wsl),
                  value.where);
    if (query_.wsl && board->mig)
      return fail(ErrorCode::usage, fmt::format("{} is a MIG slice, and MIG works only on Linux, not in WSL 2", in_quotes(text)),
                  value.where);
    if (query_.wsl && (board->tegra || board->arm_only))
      return fail(ErrorCode::usage, fmt::format("the {} comes with an Arm CPU, and {}", board->name, wsl_is_x86), value.where);
    board->value = index;
    machine.boards.push_back(static_cast<std::uint16_t>(query_.boards.size()));
    query_.boards.push_back(std::move(*board));
    return {};
  }

  Expected<void> read_bare_gpu(const RequestValue& value, int index) {
    AskedMachine machine;
    machine.values = set_of(index);
    if (auto added = add_board(value.text, value, index, machine); !added) return added;
    query_.machines.push_back(std::move(machine));
    return {};
  }

  static tl::unexpected<Error> not_a_host(const RequestValue& value) {
    return bad_value(value, "is not a host", {"write a host as gpu=V100,gpu=T4,driver=535.183.01"});
  }

  Expected<void> read_host(const RequestValue& value, int index) {
    AskedMachine machine;
    machine.values = set_of(index);
    for (const auto& [written, name, text] : parts_of_host(value.text)) {
      if (name == "gpu" && !text.empty()) {
        if (auto added = add_board(text, value, index, machine); !added) return added;
      } else if (name == "driver" && !text.empty()) {
        if (machine.driver_value != no_value) return bad_value(value, "gives one machine two drivers");
        if (auto read = read_driver(usual_spelling(Field::driver, text), value, index, machine); !read) return read;
      } else if (!text.empty() && name != "gpu" && name != "driver") {
        return bad_value(value, fmt::format("has the unknown part {}", in_quotes(written)),
                         {"the parts of a host are gpu= and driver=, as in gpu=V100,gpu=T4,driver=535.183.01"});
      } else {
        return not_a_host(value);
      }
    }
    if (machine.boards.empty() && machine.driver_value == no_value) return not_a_host(value);
    query_.machines.push_back(std::move(machine));
    return {};
  }

  Expected<void> read_driver(std::string_view text, const RequestValue& value, int index, AskedMachine& machine) const {
    machine.driver_value = index;
    const auto of_file = query_.wsl ? driver_of_windows_file(text) : std::string();
    if (!of_file.empty()) text = of_file;
    machine.driver_text = std::string(text);
    auto asked = query_.wsl ? parse_windows_driver(matrix_, text) : parse_driver(matrix_, text);
    if (!asked) return at(value, std::move(asked.error()));
    machine.asked = std::move(*asked);
    return {};
  }

  /// An official image of TensorFlow holds TensorFlow: who asks for one asks for the framework, unless torch is named.
  void choose_framework() {
    const bool names_torch = frameworks_seen_ != 0 || query_.torchvision.value != no_value || query_.torchaudio.value != no_value;
    if (names_torch || query_.base_value == no_value || query_.base != Base::tensorflow) return;
    query_.framework = Framework::tensorflow;
    query_.framework_value = query_.base_value;
  }

  Expected<void> check_framework() const {
    constexpr int both = 3;
    if (frameworks_seen_ == both)
      return fail(ErrorCode::usage, "one environment cannot have both torch and tensorflow", "--tensorflow");
    if (query_.framework == Framework::tensorflow) {
      if (query_.installer == Installer::conda) {
        return fail(ErrorCode::usage, "envgen has no data on conda's packages of TensorFlow, only on its wheels",
                    query_.values[static_cast<std::size_t>(query_.installer_value)].where,
                    {"--installer pip and --installer uv install those"});
      }
      for (const auto& cuda : query_.cuda) {
        if (!cuda.cpu) continue;
        const auto version = query_.version.spec.single();
        const auto release = version ? fmt::format("=={}{}", version, version.count() < 3 ? ".*" : "") : std::string();
        return fail(ErrorCode::usage, "envgen has no data on CPU builds of TensorFlow, only on those for CUDA",
                    query_.values[static_cast<std::size_t>(cuda.value)].where,
                    {"its CPU builds: pip install " + shell_word("tensorflow-cpu" + release), "for a GPU: omit cpu"});
      }
      for (const auto* asked : {&query_.torchvision, &query_.torchaudio}) {
        if (asked->value != no_value) {
          const auto& value = query_.values[static_cast<std::size_t>(asked->value)];
          return fail(ErrorCode::usage, fmt::format("{} goes with torch, not with tensorflow", name_of(value.field)),
                      value.where);
        }
      }
    }
    return {};
  }

  Expected<void> check_engine() const {
    if (query_.engine != Engine::none || query_.base_value == no_value || query_.base == Base::slim) return {};
    return fail(ErrorCode::usage, "starts from a container image, which --engine none excludes",
                query_.values[static_cast<std::size_t>(query_.base_value)].where, {"omit one of the two"});
  }

  /// A bare driver drives every board and every host that names none; alone, it is a machine of which nothing else is known.
  Expected<void> make_machines() {
    if (driver_ == nullptr) return {};
    if (query_.machines.empty()) query_.machines.emplace_back();
    bool any = false;
    for (auto& machine : query_.machines) {
      if (machine.driver_value != no_value) continue;
      any = true;
      if (auto added = add_bare_driver(machine); !added) return added;
    }
    if (any) return {};
    return bad_value(*driver_, "does not apply to any machine: every host names its own driver",
                     {"omit it, or omit driver= from the hosts that it is meant for"});
  }

  Expected<void> add_bare_driver(AskedMachine& machine) {
    machine.values |= set_of(driver_index_);
    return read_driver(driver_->text, *driver_, driver_index_, machine);
  }

  /// R540 is of JetPack 6 alone; its number lies between two branches for other machines.
  Expected<void> check_jetson_drivers() const {
    constexpr std::uint16_t of_jetpack_6 = 540;
    for (const auto& machine : query_.machines) {
      const auto& releases = machine.asked.releases;
      const bool of_jetson = !releases.empty() && releases.front().branch() == of_jetpack_6;
      if (of_jetson && !machine.asked.range && !query_.wsl && !machine.tegra)
        return fail(ErrorCode::usage, fmt::format("{} is a driver of JetPack 6, for Jetson", machine.driver_text),
                    query_.values[static_cast<std::size_t>(machine.driver_value)].where,
                    {"name the board in its place: --gpu Orin --installer conda --cuda 12.9"});
    }
    return {};
  }

  /// A number of a driver stands for the first of its releases that knows the boards, and all after it; where nothing runs under
  /// that one, for the later ones of which one does.
  void settle_numbers() {
    const auto means_several = [](const AskedMachine& machine) { return !machine.later.empty(); };
    if (std::none_of(query_.machines.begin(), query_.machines.end(), means_several) || find_best(matrix_, query_)) return;
    auto later = query_;
    for (auto& machine : later.machines) {
      machine.drivers.insert(machine.drivers.end(), machine.later.begin(), machine.later.end());
      machine.later.clear();
    }
    if (find_best(matrix_, later)) query_ = std::move(later);
  }

  /// A board that sits beside an Arm CPU only makes that the platform, unless one was asked for: no other could serve it.
  void default_platform() {
    if (query_.platform_value != no_value || query_.boards.empty()) return;
    const bool arm = std::any_of(query_.boards.begin(), query_.boards.end(), [](const Board& board) { return board.arm_only; });
    if (!arm) return;
    query_.platform = Platform::linux_aarch64;
    query_.platform_from_gpu = true;
  }

  const matrix::Matrix& matrix_;
  const Request& request_;
  Query query_;
  const RequestValue* driver_ = nullptr;
  int driver_index_ = no_value;
  int frameworks_seen_ = 0;
};

}  // namespace

Expected<Query> interpret(const matrix::Matrix& matrix, const Request& request) { return Interpreter(matrix, request).run(); }

}  // namespace envgen::resolver
