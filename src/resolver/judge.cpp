#include "resolver/judge.hpp"

#include <algorithm>

#include "resolver/asked_driver.hpp"
#include "resolver/judge_cudnn.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Channel;
using matrix::Companion;
using matrix::Matrix;
using matrix::Tribool;

bool in_domain(const Query& query, const Build& build) {
  return build.framework == query.framework && in_domain_of_any_framework(query, build);
}

bool in_domain_of_any_framework(const Query& query, const Build& build) {
  // A board beside an Arm CPU moves the default: what it moved away from falls because of the board.
  if (query.platform_value == no_value && build.platform != query.platform && !query.platform_from_gpu) return false;
  if (query.installer_value == no_value && build.channel != Channel::wheels) return false;
  if (build.tegra && !names_jetson(query)) return false;
  const bool asked_cpu = std::any_of(query.cuda.begin(), query.cuda.end(), [](const AskedCuda& asked) { return asked.cpu; });
  // Who asks for the CPU build is told of the others when it cannot be had; nobody else is offered one.
  return asked_cpu || !build.cpu;
}

namespace {

bool cuda_matches(const Matrix& matrix, const Build& build, const AskedCuda& asked) {
  if (asked.cpu) return build.cpu;
  if (build.cpu) return false;
  const auto toolkits = matrix.toolkits(build);
  if (toolkits.empty()) return asked.spec.matches_at_own_precision(build.cuda, 2);
  return std::any_of(toolkits.begin(), toolkits.end(),
                     [&](const matrix::Toolkit& toolkit) { return asked.spec.matches_at_own_precision(toolkit.version, 2); });
}

/// Whether the companion's wheel runs beside the CUDA of a build. Unknown: it is one wheel of the package index, and the build
/// comes from PyTorch's wheel index alone.
Tribool fits_cuda(const Companion& row, const Build& build) {
  if (row.linked_cuda) {
    if (!build.package_index.empty()) return !build.cpu && build.cuda.at(1) == row.linked_cuda ? Tribool::yes : Tribool::no;
    return Tribool::unknown;
  }
  const bool same = row.cuda.empty() || build.cpu || std::find(row.cuda.begin(), row.cuda.end(), build.cuda) != row.cuda.end();
  return same ? Tribool::yes : Tribool::no;
}

const Companion* companion(const AskedVersion& asked, Version own, const Companion* own_row, const matrix::List<Companion>& rows,
                           const Build& build) {
  if (asked.value == no_value) return own_row;
  if (own && asked.spec.matches(own)) return own_row;
  return newest_companion(rows, build, asked.spec);
}

PythonSet own_pythons(const Build& build) { return build.pythons_known ? build.pythons : PythonSet::all(); }

}  // namespace

PythonSet pythons_of(const Companion& row, const Build& build) {
  return row.linked_cuda ? row.pythons & build.package_index : row.pythons;
}

const Companion* newest_companion(const matrix::List<Companion>& rows, const Build& build, const VersionSpec& among,
                                  Tribool fitting) {
  const Companion* best = nullptr;
  for (const auto& row : rows) {
    if (row.platform != build.platform || row.requires_torch.empty() || !among.matches(row.version)) continue;
    if (fits_cuda(row, build) != fitting) continue;
    const auto requires_torch = VersionSpec::parse(row.requires_torch);
    if (requires_torch && requires_torch->matches(build.version) && (best == nullptr || row.version > best->version)) best = &row;
  }
  return best;
}

PythonSet default_pythons(const Build& build) {
  const auto own = own_pythons(build);
  const auto regular = own & PythonSet::regular();
  return regular.empty() ? own : regular;
}

PythonSet wanted_pythons(const Query& query, const Build& build) {
  return query.python_value == no_value ? default_pythons(build) : own_pythons(build) & query.pythons;
}

const Companion* torchvision_of(const Matrix& matrix, const Query& query, const Build& build) {
  return companion(query.torchvision, matrix.release(build).torchvision, matrix.torchvision(build), matrix->torchvision, build);
}

const Companion* torchaudio_of(const Matrix& matrix, const Query& query, const Build& build) {
  return companion(query.torchaudio, matrix.release(build).torchaudio, matrix.torchaudio(build), matrix->torchaudio, build);
}

Companions choose_companions(const Matrix& matrix, const Query& query, const Build& build, PythonSet pythons) {
  Companions result;
  if (build.pythons_known) result.pythons = pythons;
  const auto* vision = torchvision_of(matrix, query, build);
  const auto* audio = torchaudio_of(matrix, query, build);
  // A companion without a wheel for the Python is left out, unless it was asked for.
  const auto take = [&](const Companion* row, const AskedVersion& asked) -> const Companion* {
    if (row == nullptr) return nullptr;
    const auto common = result.pythons & pythons_of(*row, build);
    if (common.empty() && asked.value == no_value) return nullptr;
    result.pythons = common;
    return row;
  };
  // What was asked for narrows the Pythons first.
  if (query.torchaudio.value != no_value) result.torchaudio = take(audio, query.torchaudio);
  result.torchvision = take(vision, query.torchvision);
  if (query.torchaudio.value == no_value) result.torchaudio = take(audio, query.torchaudio);
  return result;
}

namespace {

bool boards_need_jit(const Matrix& matrix, const Query& query, const Build& build, const AskedMachine& machine) {
  return std::any_of(machine.boards.begin(), machine.boards.end(), [&](std::uint16_t board) {
    const auto path = code_path(matrix, build, query.boards[board].capability);
    return path.runs == Runs::ptx || (path.runs == Runs::unknown && !path.maybe_sass);
  });
}

ValueSet board_values(const Query& query, const AskedMachine& machine) {
  ValueSet values = 0;
  for (const auto b : machine.boards) values |= set_of(query.boards[b].value);
  return values;
}

/// The first board of a machine whose machine code was not read: with it the driver would not have to compile PTX. None
/// where another board needs PTX for certain.
int board_with_unread_code(const Matrix& matrix, const Query& query, const Build& build, const AskedMachine& machine) {
  int found = -1;
  for (const auto b : machine.boards) {
    const auto path = code_path(matrix, build, query.boards[b].capability);
    if (path.runs == Runs::sass) continue;
    if (!path.maybe_sass) return -1;
    if (found < 0) found = b;
  }
  return found;
}

/// Whether `answer` is no better than the verdict of which the cause is looked for: a "no", or what is not known.
bool as_bad_as(Tribool verdict, Tribool answer) {
  return verdict == Tribool::no ? answer == Tribool::no : answer != Tribool::yes;
}

/// True when the machine's driver is as bad whichever of the asked boards it stands beside, and with none of them: where some
/// boards narrow the drivers, or let cuda-compat carry the build, the others are to blame too.
bool falls_alone(const Matrix& matrix, const Query& query, const Build& build, const AskedMachine& machine, bool jit,
                 bool allow_forward, const Court& court, Tribool verdict) {
  const auto falls = [&](const AskedMachine& one) {
    return as_bad_as(verdict, carried_on(matrix, build, one, jit, allow_forward).answer);
  };
  return falls(without_boards(machine)) &&
         std::all_of(query.machines.begin(), query.machines.end(), [&](const AskedMachine& other) {
           return other.driver_value != machine.driver_value || falls(other) || court.refutes(other.values);
         });
}

/// Boards whose last driver is too old for the build need no asked driver to be refused.
void no_driver_at_all(const Matrix& matrix, const Query& query, const Build& build, std::size_t m, Court& court) {
  const auto free = with_free_driver(query.machines[m]);
  const auto boards = board_values(query, free);
  const auto falls = [&](bool jit) { return carried_on(matrix, build, free, jit, false).answer == Tribool::no; };
  if (falls(boards_need_jit(matrix, query, build, free))) {
    court.no(Reason::gpu_too_old, boards, static_cast<std::int16_t>(m));
  } else if (query.ptx_value != no_value && falls(true)) {
    court.no(Reason::gpu_too_old, boards | set_of(query.ptx_value), static_cast<std::int16_t>(m));
  }
}

/// GPUs and drivers.
bool judge_machines(const Matrix& matrix, const Query& query, const Build& build, bool allow_forward, Court& court,
                    Verdict& verdict) {
  for (std::size_t b = 0; b < query.boards.size(); ++b) {
    const auto& board = query.boards[b];
    const auto subject = static_cast<std::int16_t>(b);
    if (board.arm_only && build.platform != Platform::linux_aarch64 && court.no(Reason::arm_only, set_of(board.value), subject))
      return true;
    if (board.driver_row == nullptr) court.unknown(Reason::gpu_driver, set_of(board.value), subject);
    const auto path = code_path(matrix, build, board.capability);
    if (path.runs == Runs::no && court.no(Reason::code, set_of(board.value), subject)) return true;
    if (path.runs == Runs::unknown) court.unknown(Reason::code, set_of(board.value), subject);
    if (judge_cudnn_of_board(matrix, query, build, b, path, court)) return true;
  }
  for (std::size_t m = 0; m < query.machines.size(); ++m) {
    const auto& machine = query.machines[m];
    const auto subject = static_cast<std::int16_t>(m);
    if (!build.cpu) {
      for (const auto& doubt : machine.doubts) court.unknown(doubt.reason, doubt.values, doubt.subject);
    }
    const bool boards_jit = boards_need_jit(matrix, query, build, machine);
    const bool jit = boards_jit || query.ptx_value != no_value;
    verdict.jit = verdict.jit || boards_jit;
    const auto carried = carried_on(matrix, build, machine, jit, allow_forward);
    if (carried.answer == Tribool::no && jit && query.ptx_value == no_value) {
      const int unread = board_with_unread_code(matrix, query, build, machine);
      if (unread >= 0 && carried_on(matrix, build, machine, false, allow_forward).answer != Tribool::no) {
        court.unknown(Reason::code, set_of(query.boards[static_cast<std::size_t>(unread)].value),
                      static_cast<std::int16_t>(unread));
        continue;
      }
    }
    if (carried.answer != Tribool::yes) {
      const bool free = machine.drivers.empty();
      const auto reason = free ? Reason::gpu_too_old : Reason::driver;
      const auto boards = board_values(query, machine);
      // Without PTX first: where machine code falls too, PTX is not to blame.
      const auto blamed = [&](bool by_ptx) {
        if (free) return boards;
        const bool alone = falls_alone(matrix, query, build, machine, by_ptx, allow_forward, court, carried.answer);
        return set_of(machine.driver_value) | (alone ? 0 : boards);
      };
      const auto say = [&](ValueSet values) {
        if (carried.answer == Tribool::no) return court.no(reason, values, subject);
        court.unknown(reason, values, subject);
        return false;
      };
      if (!jit || as_bad_as(carried.answer, carried_on(matrix, build, machine, false, allow_forward).answer)) {
        if (say(blamed(false))) return true;
      } else {
        // Only PTX asks for more than this: because of --ptx, or because a board has no machine code.
        if (query.ptx_value != no_value && say(blamed(true) | set_of(query.ptx_value))) return true;
        if (boards_jit && say(blamed(false) | boards)) return true;
      }
    }
    // What the boards say alone, which what they say with the driver may hide.
    const bool more_to_say = carried.answer == Tribool::no || !query.always.empty();
    if (court.collects() && more_to_say && !machine.drivers.empty() && !machine.boards.empty())
      no_driver_at_all(matrix, query, build, m, court);
    verdict.minimum = std::max(verdict.minimum, carried.minimum);
    verdict.forward = verdict.forward || (carried.by & Carrier::forward_compat) != 0;
  }
  if (court.collects()) {
    for (std::size_t m = 0; m < query.machines.size(); ++m) {
      const auto& machine = query.machines[m];
      if (!machine.drivers.empty() && court.refutes(machine.values) &&
          falls_alone(matrix, query, build, machine, false, allow_forward, court, Tribool::no))
        court.no(Reason::driver, set_of(machine.driver_value), static_cast<std::int16_t>(m));
    }
  }
  if (query.machines.empty()) {
    const AskedMachine any;
    const auto carried = carried_on(matrix, build, any, query.ptx_value != no_value, false);
    verdict.minimum = carried.minimum;
  }
  return false;
}

/// The torchvision and torchaudio that were asked for.
bool judge_companions(const Matrix& matrix, const Query& query, const Build& build, Court& court) {
  const auto& release = matrix.release(build);
  const auto wanted = wanted_pythons(query, build);
  auto left = wanted;
  auto left_by_default = default_pythons(build);
  // Which Python was asked for matters only where the default would have done.
  const auto without_python = [&](ValueSet values, PythonSet by_default) {
    return court.no(Reason::companion_python, values | (by_default.empty() ? 0 : set_of(query.python_value)));
  };
  const auto check = [&](const AskedVersion& asked, Version own, const Companion* row, Reason reason) {
    if (asked.value == no_value) return false;
    const bool is_own = own && asked.spec.matches(own);
    if (!is_own && row == nullptr) {
      const auto& rows = reason == Reason::torchvision ? matrix->torchvision : matrix->torchaudio;
      if (newest_companion(rows, build, asked.spec, Tribool::unknown) == nullptr) return court.no(reason, set_of(asked.value));
      court.unknown(reason, set_of(asked.value));
      return false;
    }
    const bool wheels = build.channel == Channel::wheels;
    if (build.channel == Channel::pytorch_channel && is_own) return false;
    // What its wheel declares says nothing of a package on a channel, and which packages conda-forge has of it was not read.
    if (!wheels || row == nullptr) {
      court.unknown(reason, set_of(asked.value));
      return false;
    }
    left = left & pythons_of(*row, build);
    left_by_default = left_by_default & pythons_of(*row, build);
    const auto pythons = pythons_of(*row, build);
    return (wanted & pythons).empty() && without_python(set_of(asked.value), default_pythons(build) & pythons);
  };
  if (check(query.torchvision, release.torchvision, torchvision_of(matrix, query, build), Reason::torchvision) ||
      check(query.torchaudio, release.torchaudio, torchaudio_of(matrix, query, build), Reason::torchaudio))
    return true;
  // Each has a Python, but no Python has both.
  const auto companions = set_of(query.torchvision.value) | set_of(query.torchaudio.value);
  return left.empty() && !wanted.empty() && without_python(companions, left_by_default);
}

}  // namespace

bool needs_jit(const Matrix& matrix, const Query& query, const Build& build, const AskedMachine& machine) {
  return query.ptx_value != no_value || boards_need_jit(matrix, query, build, machine);
}

Verdict judge(const Matrix& matrix, const Query& query, const Build& build, bool allow_forward,
              std::vector<Objection>* objections) {
  Court court(objections);
  Verdict verdict;
  const auto done = [&] {
    verdict.answer = court.answer();
    return verdict;
  };
  if (!query.always.empty()) {
    for (const auto& objection : query.always) {
      if (court.no(objection.reason, objection.values, objection.subject)) return done();
    }
  }
  if (build.framework != query.framework) {
    // Each value that names the framework says it.
    for (const int value : {query.framework_value, query.torchvision.value, query.torchaudio.value}) {
      if (value != no_value && court.no(Reason::framework, set_of(value))) return done();
    }
  }
  if (query.version.value != no_value && !query.version.spec.matches(build.version) &&
      court.no(Reason::version, set_of(query.version.value)))
    return done();
  if (query.platform_value != no_value && build.platform != query.platform &&
      court.no(Reason::platform, set_of(query.platform_value)))
    return done();
  if (query.installer_value != no_value) {
    const bool conda = query.installer == Installer::conda;
    if (conda != (build.channel != Channel::wheels) && court.no(Reason::installer, set_of(query.installer_value))) return done();
  }
  const bool cuda_unread = !build.cpu && !build.cuda;  // of a TensorFlow release
  if (cuda_unread) court.unknown(Reason::cuda, 0);
  for (const auto& asked : query.cuda) {
    if (cuda_unread && !asked.cpu) continue;
    if (!cuda_matches(matrix, build, asked) && court.no(Reason::cuda, set_of(asked.value))) return done();
  }
  if (judge_cudnn(matrix, query, build, court)) return done();
  if (!build.pythons_known) {
    // All builds of a release ask for the same Python.
    const auto allowed = matrix.release(build).allowed_pythons;
    const bool refused = query.python_value != no_value && !allowed.empty() && (allowed & query.pythons).empty();
    if (!refused) {
      court.unknown(Reason::python, set_of(query.python_value));
    } else if (court.no(Reason::python, set_of(query.python_value))) {
      return done();
    }
  } else if ((build.pythons & query.pythons).empty() && query.python_value != no_value) {
    if (court.no(Reason::python, set_of(query.python_value))) return done();
  }
  if (build.framework == Framework::torch && (query.torchvision.value != no_value || query.torchaudio.value != no_value) &&
      judge_companions(matrix, query, build, court))
    return done();
  if (build.cpu) {  // needs no driver, and serves no GPU
    for (std::size_t b = 0; b < query.boards.size(); ++b) {
      if (court.no(Reason::code, set_of(query.boards[b].value), static_cast<std::int16_t>(b))) return done();
    }
  } else if (judge_machines(matrix, query, build, allow_forward, court, verdict)) {
    return done();
  }
  return done();
}

}  // namespace envgen::resolver
