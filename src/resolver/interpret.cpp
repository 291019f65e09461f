#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix/gpu_names.hpp"
#include "model/spelling.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/predicates.hpp"
#include "resolver/query.hpp"

namespace envgen::resolver {
namespace {

constexpr std::size_t most_values = 60;  // bits of a ValueSet, with room for what a `+cu121` adds

/// The error of a value: what it is not, and where it was written.
tl::unexpected<Error> bad_value(const RequestValue& value, const Error& why) {
  return fail(ErrorCode::usage, fmt::format("{} is {}", in_quotes(value.text), why.message), value.where, why.hints);
}

/// Drops a package name that people paste along: `torch==2.3.1`, `pytorch>=2.3`.
std::string_view without_package(std::string_view text, std::initializer_list<std::string_view> packages) {
  for (const auto package : packages) {
    if (!text.starts_with(package)) continue;
    auto rest = text.substr(package.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.empty() && std::string_view("=<>!~").find(rest.front()) != std::string_view::npos) return rest;
  }
  return text;
}

/// `cu121` -> 12.1: the last digit is the minor.
std::optional<Version> tag_version(std::string_view tag) {
  if (!tag.starts_with("cu")) return std::nullopt;
  tag.remove_prefix(2);
  if (tag.size() < 2 || tag.size() > 3 || tag.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  std::uint16_t major = 0;
  for (const char c : tag.substr(0, tag.size() - 1)) major = static_cast<std::uint16_t>(major * 10 + (c - '0'));
  return Version(major, static_cast<std::uint16_t>(tag.back() - '0'));
}

class Interpreter {
 public:
  Interpreter(const matrix::Matrix& matrix, const Request& request) : matrix_(matrix), request_(request) {}

  Expected<Query> run() {
    if (request_.values.size() > most_values)
      return fail(ErrorCode::usage,
                  fmt::format("a request holds at most {} values, this one has {}", most_values, request_.values.size()),
                  request_.values[most_values].where);
    query_.values = request_.values;
    for (std::size_t i = 0; i < query_.values.size(); ++i) {
      auto& value = query_.values[i];
      value.text = without_spaces_around(value.text);
      if (auto read = read_value(value, static_cast<int>(i)); !read) return tl::unexpected(read.error());
    }
    choose_framework();
    if (auto checked = check_framework(); !checked) return tl::unexpected(checked.error());
    if (auto made = make_machines(); !made) return tl::unexpected(made.error());
    default_platform();
    find_what_always_falls();
    return std::move(query_);
  }

 private:
  Expected<void> read_value(const RequestValue& value, int index) {
    if (value.text == "auto" && may_be_left_open(value.field)) return {};
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
        return read_choice(value, query_.installer);
      case Field::base:
        query_.base_value = index;
        return read_choice(value, query_.base);
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
    switch (field) {
      case Field::torch:
      case Field::tensorflow:
      case Field::driver:
      case Field::gpu:
      case Field::host:
      case Field::os:
      case Field::platform:
      case Field::ptx:
      case Field::allow_inferred:
        return false;
      default:
        return true;
    }
  }

  template <class E>
  static Expected<void> read_choice(const RequestValue& value, E& target) {
    auto parsed = parse_choice<E>(value.text);
    if (!parsed) return fail(ErrorCode::usage, parsed.error().message, value.where, parsed.error().hints);
    target = *parsed;
    return {};
  }

  template <class Set>
  static Expected<void> read_flag(const RequestValue& value, Set set) {
    if (value.text != "true" && value.text != "false")
      return fail(ErrorCode::usage, fmt::format("{} is neither true nor false", in_quotes(value.text)), value.where);
    set(value.text == "true");
    return {};
  }

  Expected<void> read_platform(const RequestValue& value) {
    // The names that people and other tools use for the two.
    static constexpr std::array<std::pair<std::string_view, Platform>, 6> others{{{"x86_64", Platform::linux_x86_64},
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
    target = {index, std::move(*spec)};
    return {};
  }

  Expected<void> read_framework(const RequestValue& value, int index, Framework framework) {
    std::string_view text = without_package(value.text, {"torch", "pytorch", "tensorflow"});
    frameworks_seen_ |= 1 << static_cast<int>(framework);
    query_.framework = framework;
    query_.framework_value = index;
    if (text == "auto" || text == "latest") return {};
    // A local version fixes the CUDA tag too: 2.3.1+cu121, 2.3.1+cpu.
    const auto plus = text.find('+');
    if (plus != std::string_view::npos && framework == Framework::torch) {
      const auto local = lower(text.substr(plus + 1));
      AskedCuda cuda;
      cuda.value = index;
      if (local == "cpu") {
        cuda.cpu = true;
      } else if (const auto version = tag_version(local)) {
        cuda.spec = VersionSpec(*version);
      } else {
        return fail(ErrorCode::usage, fmt::format("{} ends in {}, which is no CUDA tag", in_quotes(value.text), in_quotes(local)),
                    value.where, {"a tag looks like +cu121 or +cpu"});
      }
      query_.cuda.push_back(std::move(cuda));
      text = text.substr(0, plus);
    }
    auto spec = VersionSpec::parse(text);
    if (!spec) return bad_value(value, spec.error());
    query_.version = {index, std::move(*spec)};
    return {};
  }

  Expected<void> read_cuda(const RequestValue& value, int index) {
    AskedCuda cuda;
    cuda.value = index;
    const auto text = lower(value.text);
    std::string_view spelled = without_package(text, {"cuda"});
    if (spelled.starts_with("cuda")) spelled.remove_prefix(4);  // cuda12.1
    if (text == "cpu" || text == "none") {
      cuda.cpu = true;
    } else if (const auto version = tag_version(spelled)) {
      cuda.spec = VersionSpec(*version);
    } else {
      auto spec = VersionSpec::parse(spelled);
      if (!spec) {
        auto why = spec.error();
        why.hints.emplace_back("a CUDA version is written 12.1, 12.1.1, cu121, a range such as '>=12.1,<13', or cpu");
        return bad_value(value, why);
      }
      cuda.spec = std::move(*spec);
    }
    query_.cuda.push_back(std::move(cuda));
    return {};
  }

  Expected<void> read_python(const RequestValue& value, int index) {
    query_.python_value = index;
    std::string_view text = without_package(value.text, {"python"});
    if (text.starts_with("cp3") || text.ends_with('t')) {
      auto python = PythonVersion::parse(text);
      if (!python) return bad_value(value, python.error());
      query_.pythons = {};
      query_.pythons.add(*python);
      return {};
    }
    auto spec = VersionSpec::parse(text);
    if (!spec) return bad_value(value, spec.error());
    for (const auto& clause : spec->clauses()) {
      if (clause.version.count() > 2 && clause.op == VersionSpec::Op::prefix)
        return fail(ErrorCode::usage, fmt::format("{} names a patch release of Python", in_quotes(value.text)), value.where,
                    {fmt::format("envgen chooses the minor: {}", clause.version.at(2).to_string())});
    }
    query_.pythons = {};
    constexpr std::uint8_t largest_minor = 31;
    for (std::uint8_t minor = 0; minor <= largest_minor; ++minor) {
      if (spec->matches(Version(3, minor))) query_.pythons.add({minor, false});
    }
    if (!query_.pythons.empty()) return {};
    return fail(ErrorCode::usage, fmt::format("{} allows no Python 3", in_quotes(value.text)), value.where,
                {"a Python is written 3.12, or 3.13t for the free-threaded one"});
  }

  Expected<void> read_os(const RequestValue& value, int index) {
    query_.os_value = index;
    auto text = lower(value.text);
    std::erase(text, ' ');  // Ubuntu 22.04
    query_.os = matrix_.os(text);
    if (query_.os != nullptr) return {};
    std::vector<std::string_view> names;
    for (const auto& os : matrix_->os) names.push_back(os.id.view());
    auto hints = did_you_mean(text, names, 1);
    if (hints.empty()) hints.push_back(fmt::format("known: {}", fmt::join(names, ", ")));
    return fail(ErrorCode::usage, fmt::format("{} is no operating system that the matrix knows", in_quotes(value.text)),
                value.where, std::move(hints));
  }

  Expected<std::uint16_t> add_board(std::string_view text, const RequestValue& value, int index) {
    Board board;
    board.value = index;
    if (const auto capability = Capability::parse(lower(text))) {
      board.capability = *capability;
      board.name = fmt::format("GPU of compute capability {}", capability->to_string());
      if (matrix_.gpu_driver(*capability) == nullptr) return unknown_capability(*capability, value);
      board.arm_only = matrix_.only_beside_arm(*capability);
    } else {
      const auto gpus = matrix_.gpus_named(text);
      if (gpus.empty()) return unknown_gpu(text, value);
      const auto* first = gpus.front();
      for (const auto* gpu : gpus) {
        if (gpu->capability != first->capability) return ambiguous_gpu(text, gpus, value);
      }
      board.gpu = first;
      board.capability = first->capability;
      board.name = std::string(first->name.view());
      if (gpus.size() > 1) {
        // A family: its own name says it, and the smallest class decides what may be assumed.
        board.name = std::string(text);
        for (const auto* gpu : gpus) {
          if (gpu->gpu_class < board.gpu->gpu_class) board.gpu = gpu;
        }
      }
      board.arm_only =
          std::any_of(gpus.begin(), gpus.end(), [](const matrix::Gpu* gpu) { return gpu->arm_only == matrix::Answer::yes; });
    }
    board.driver_row = matrix_.gpu_driver(board.capability);
    board.tegra = matrix_.tegra(board.capability);
    query_.boards.push_back(std::move(board));
    return static_cast<std::uint16_t>(query_.boards.size() - 1);
  }

  Expected<std::uint16_t> unknown_capability(Capability capability, const RequestValue& value) const {
    std::vector<std::string> known;
    for (const auto& row : matrix_->gpu_drivers) known.push_back(row.capability.to_string());
    return fail(ErrorCode::usage, fmt::format("no GPU of compute capability {} is in the matrix", capability.to_string()),
                value.where, {fmt::format("known: {}", fmt::join(known, ", "))});
  }

  /// The board whose name a laptop's ends in `laptop`, `mobile` or `max-q`; null: there is none.
  const matrix::Gpu* desktop_of(std::string_view text) const {
    constexpr std::string_view laptop = "laptop";
    const auto key = matrix::light_key(text);
    if (!key.ends_with(laptop)) return nullptr;
    const auto gpus = matrix_.gpus_named(std::string_view(key).substr(0, key.size() - laptop.size()));
    return gpus.empty() ? nullptr : gpus.front();
  }

  Expected<std::uint16_t> unknown_gpu(std::string_view text, const RequestValue& value) const {
    std::vector<std::string_view> spellings;
    for (const auto& spelling : matrix_->gpu_spellings) spellings.push_back(spelling.view());
    auto hints = did_you_mean(text, spellings);
    if (const auto* desktop = desktop_of(text); desktop != nullptr)
      hints.push_back(fmt::format("the matrix has the {} of desktops, of compute capability {}; if yours is the same: {}",
                                  desktop->name.view(), desktop->capability.to_string(), desktop->capability.to_string()));
    hints.emplace_back("'envgen list gpus' shows all names; a compute capability such as 8.6 works too");
    return fail(ErrorCode::usage, fmt::format("{} is no GPU that the matrix knows", in_quotes(text)), value.where,
                std::move(hints));
  }

  static Expected<std::uint16_t> ambiguous_gpu(std::string_view text, const std::vector<const matrix::Gpu*>& gpus,
                                               const RequestValue& value) {
    std::vector<std::string> names;
    names.reserve(gpus.size());
    for (const auto* gpu : gpus) names.push_back(fmt::format("{} ({})", gpu->name.view(), gpu->capability.to_string()));
    return fail(ErrorCode::usage, fmt::format("{} stands for GPUs of several generations", in_quotes(text)), value.where,
                {fmt::format("say which: {}", fmt::join(names, ", "))});
  }

  Expected<void> read_bare_gpu(const RequestValue& value, int index) {
    auto board = add_board(value.text, value, index);
    if (!board) return tl::unexpected(board.error());
    Machine machine;
    machine.values = set_of(index);
    machine.boards.push_back(*board);
    query_.machines.push_back(std::move(machine));
    return {};
  }

  Expected<void> read_host(const RequestValue& value, int index) {
    Machine machine;
    machine.values = set_of(index);
    bool more = true;
    for (std::string_view rest = value.text; more;) {
      const auto comma = rest.find(',');
      const auto part = without_spaces_around(rest.substr(0, comma));
      more = comma != std::string_view::npos;
      rest = more ? rest.substr(comma + 1) : std::string_view();
      const auto equals = part.find('=');
      const auto name = without_spaces_around(part.substr(0, equals));
      const auto text = equals == std::string_view::npos ? std::string_view() : without_spaces_around(part.substr(equals + 1));
      if (name == "gpu" && !text.empty()) {
        auto board = add_board(text, value, index);
        if (!board) return tl::unexpected(board.error());
        machine.boards.push_back(*board);
      } else if (name == "driver" && !text.empty()) {
        if (machine.driver_value != no_value)
          return fail(ErrorCode::usage, fmt::format("{} gives one machine two drivers", in_quotes(value.text)), value.where);
        if (auto read = read_driver(text, value, index, machine); !read) return read;
      } else {
        return fail(ErrorCode::usage, fmt::format("{} is not a host", in_quotes(value.text)), value.where,
                    {"a host is written gpu=V100,gpu=T4,driver=535.183.01"});
      }
    }
    if (machine.boards.empty() && machine.driver_value == no_value)
      return fail(ErrorCode::usage, fmt::format("{} is not a host", in_quotes(value.text)), value.where,
                  {"a host is written gpu=V100,gpu=T4,driver=535.183.01"});
    query_.machines.push_back(std::move(machine));
    return {};
  }

  Expected<void> read_driver(std::string_view text, const RequestValue& value, int index, Machine& machine) const {
    machine.driver_value = index;
    machine.driver_text = std::string(text);
    auto asked = parse_driver(matrix_, text);
    if (!asked) return fail(ErrorCode::usage, asked.error().message, value.where, asked.error().hints);
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
      return fail(ErrorCode::usage, "torch and tensorflow cannot both be asked for in one environment", "--tensorflow");
    if (query_.framework == Framework::tensorflow) {
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
    return fail(ErrorCode::usage, fmt::format("{} drives no machine: every host names its own driver", in_quotes(driver_->text)),
                driver_->where, {"leave it out, or leave driver= out of the hosts that it is meant for"});
  }

  Expected<void> add_bare_driver(Machine& machine) {
    machine.values |= set_of(driver_index_);
    return read_driver(driver_->text, *driver_, driver_index_, machine);
  }

  /// A board that sits beside an Arm CPU only makes that the platform, unless one was asked for: no other could serve it.
  void default_platform() {
    if (query_.platform_value != no_value || query_.boards.empty()) return;
    const bool arm = std::any_of(query_.boards.begin(), query_.boards.end(), [](const Board& board) { return board.arm_only; });
    if (!arm) return;
    query_.platform = Platform::linux_aarch64;
    query_.platform_from_gpu = true;
  }

  void find_what_always_falls() {
    for (std::size_t m = 0; m < query_.machines.size(); ++m) {
      auto& machine = query_.machines[m];
      const auto subject = static_cast<std::int16_t>(m);
      bool proprietary = false;
      bool open = false;
      bool others = false;
      if (!machine.boards.empty()) machine.datacenter = matrix::Answer::yes;
      for (const auto b : machine.boards) {
        const auto& board = query_.boards[b];
        machine.tegra = machine.tegra || board.tegra;
        others = others || !board.tegra;
        if (board.gpu == nullptr) {
          if (machine.datacenter == matrix::Answer::yes) machine.datacenter = matrix::Answer::unknown;
        } else if (!is_for_cuda_compat(*board.gpu)) {
          machine.datacenter = matrix::Answer::no;
        }
        if (board.driver_row == nullptr || board.tegra) continue;
        const auto& row = *board.driver_row;
        machine.first_driver = std::max(machine.first_driver, row.first_driver);
        if (row.last_branch != 0)
          machine.last_branch = machine.last_branch == 0 ? row.last_branch : std::min(machine.last_branch, row.last_branch);
        proprietary = proprietary || row.kernel_module == matrix::KernelModule::proprietary;
        open = open || row.kernel_module == matrix::KernelModule::open;
        const auto knows = [&](DriverVersion driver) {
          return driver >= row.first_driver && (row.last_branch == 0 || driver.branch() <= row.last_branch);
        };
        const auto& asked = machine.asked.releases;
        if (!asked.empty() && std::none_of(asked.begin(), asked.end(), knows))
          query_.always.push_back(
              {Reason::gpu_driver, false, set_of(machine.driver_value) | set_of(board.value), static_cast<std::int16_t>(b)});
      }
      // These the boards say, whichever driver was asked for.
      ValueSet boards = 0;
      for (const auto b : machine.boards) boards |= set_of(query_.boards[b].value);
      if ((proprietary && open) || (machine.tegra && others))
        query_.always.push_back({Reason::kernel_module, false, boards, subject});
      if (machine.last_branch != 0 && machine.first_driver && machine.first_driver.branch() > machine.last_branch)
        query_.always.push_back({Reason::host_drivers, false, boards, subject});
      // Only drivers that know every board are worth asking further.
      auto known = machine.asked.releases;
      std::erase_if(known, [&](DriverVersion driver) {
        return driver < machine.first_driver || (machine.last_branch != 0 && driver.branch() > machine.last_branch);
      });
      // Each board may have drivers among them, and yet no driver has all boards.
      if (known.empty() && machine.boards.size() > 1 && machine.asked.releases.size() > 1)
        query_.always.push_back({Reason::host_drivers, false, machine.values, subject});
      drive(machine, known.empty() ? machine.asked.releases : known);
    }
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
