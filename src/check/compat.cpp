#include <algorithm>

#include "check/driver_facts.hpp"
#include "check/image_gate.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

bool is_lifted(const std::vector<CarriedBy>& carried_by) {
  return std::find(carried_by.begin(), carried_by.end(), CarriedBy::forward_compat) != carried_by.end();
}

/// Whether no driver of a machine would use cuda-compat that is not known to work there.
bool is_proven_harmless(const Subject& subject, std::size_t index) {
  const auto& answer = subject.environment.driver->machines[index];
  const auto& asked = subject.asked.machines[index];
  const DriverFacts facts(subject.matrix, subject.build.cuda);
  if (asked.driver.empty()) {
    return answer.range.minimum && facts.native(*answer.range.minimum);
  }
  std::vector<const AskedBoard*> boards;
  bool jit = subject.asked.ptx;
  for (const auto board : asked.boards) {
    boards.push_back(&subject.asked.boards[board]);
    jit = jit || (board < subject.environment.gpus.size() && subject.environment.gpus[board].runs == CodeKind::ptx);
  }
  const auto gate = gate_of(subject);
  auto [drivers, any_will_do] = facts.meant_by(asked.driver);
  std::erase_if(drivers, [&](DriverVersion driver) {
    return !std::all_of(boards.begin(), boards.end(),
                        [&](const AskedBoard* board) { return facts.unknown_to(driver, board->capability).empty(); });
  });
  if (!any_will_do && drivers.size() > 1) drivers.resize(1);
  return std::all_of(drivers.begin(), drivers.end(), [&](DriverVersion driver) {
    if ((gate && !gate->opens(driver, boards)) || facts.native(driver)) return true;
    return jit || !facts.minor_compat(driver) || facts.forward_compat(driver, boards);
  });
}

/// Read in dist/*/ubuntu*/base/Dockerfile: those for x86_64 install cuda-compat since CUDA 10.0, those for arm64 since 12.5.1.
bool holds_compat(const Subject& subject, const matrix::ImageTag& row) {
  const bool arm = subject.environment.platform == Platform::linux_aarch64;
  const bool offered = row.evidence != matrix::Evidence::used_doubtful &&
                       (row.evidence != matrix::Evidence::inferred || subject.asked.inferred_tags);
  return offered && row.is_base && row.os.view().starts_with("ubuntu") && row.cuda.at(2) == subject.build.cuda &&
         row.cuda >= (arm ? Version(12, 5, 1) : Version(10, 0));
}

void check_image(const Subject& subject, const std::optional<std::string>& answer) {
  const auto& rows = subject.matrix->cuda_images;
  const auto names = [&](const matrix::ImageTag& row) {
    return answer && answer->substr(0, answer->find('@')) == fmt::format("nvidia/cuda:{}", row.tag.view());
  };
  const bool any = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return holds_compat(subject, row); });
  const bool right =
      std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return names(row) && holds_compat(subject, row); });
  if (answer ? !right : any)
    subject.wrong("driver.compat_image: {} is not known to hold cuda-compat for CUDA {} on {}", shown(answer),
                  subject.build.cuda.to_string(), name_of(subject.environment.platform));
}

}  // namespace

void check_compat(const Subject& subject) {
  const auto& driver = subject.environment.driver;
  if (!driver || subject.build.cpu) return;
  const bool needed = is_lifted(driver->carried_by);
  if (needed) {
    check_image(subject, driver->compat_image);
  } else if (driver->compat_image) {
    subject.wrong("driver.compat_image: no machine needs cuda-compat, the answer names {}", *driver->compat_image);
  }
  for (std::size_t i = 0; i < driver->machines.size() && i < subject.asked.machines.size(); ++i) {
    const auto& machine = driver->machines[i];
    const auto fact = !needed                          ? std::optional<Compat>()
                      : is_lifted(machine.carried_by)  ? Compat::needed
                      : is_proven_harmless(subject, i) ? Compat::harmless
                                                       : Compat::unproven;
    const auto name = [](std::optional<Compat> compat) { return compat ? name_of(*compat) : std::string_view("none"); };
    if (machine.compat != fact)
      subject.wrong("driver.machines.compat: it is {}, the answer says {}", name(fact), name(machine.compat));
  }
}

}  // namespace envgen::check
