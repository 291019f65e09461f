#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/facts_cells.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/judge.hpp"
#include "resolver/known_drivers.hpp"
#include "resolver/place.hpp"
#include "resolver/predicates.hpp"

namespace envgen::answers {
namespace {

using matrix::Build;
using matrix::Matrix;

Sheet torch_sheet(const Matrix& matrix, const std::vector<const Build*>& builds) {
  Sheet sheet{torch_columns(), {}};
  for (const auto* build : builds) sheet.rows.push_back(torch_cells(matrix, *build));
  return sheet;
}

/// What a person asks of the wheels of one release, as narrow as a screen.
Sheet wheels_in_brief(const Matrix& matrix, const std::vector<const Build*>& builds) {
  auto sheet = torch_sheet(matrix, builds);
  constexpr std::array<std::string_view, 6> shown{"tag", "platform", "pythons", "cudnn", "archs", "ptx"};
  for (auto& column : sheet.columns) {
    if (std::find(shown.begin(), shown.end(), column.key) == shown.end()) column.title = {};
  }
  std::size_t row = 0;
  std::erase_if(sheet.rows, [&](const auto&) { return builds[row++]->channel != matrix::Channel::wheels; });
  return sheet;
}

/// `2.1.0 (cu118, cu121), 2.0.1 (cu118) and 3 more`: which releases have wheels that `wanted` accepts.
template <class Wanted>
SheetCell releases_cell(const Matrix& matrix, Wanted wanted, std::size_t most = std::string::npos) {
  std::vector<std::string> texts;
  std::vector<std::string> parts;
  const auto builds =
      torch_builds(matrix, [&](const Build& build) { return build.channel == matrix::Channel::wheels && wanted(build); });
  for (std::size_t i = 0; i < builds.size();) {
    std::vector<std::string_view> tags;
    const auto version = builds[i]->version;
    const auto text = builds[i]->version_text.view();
    for (; i < builds.size() && builds[i]->version == version; ++i) {
      if (std::find(tags.begin(), tags.end(), builds[i]->tag.view()) == tags.end()) tags.push_back(builds[i]->tag.view());
    }
    for (const auto tag : tags) texts.push_back(fmt::format("{}+{}", text, tag));
    parts.push_back(fmt::format("{} ({})", text, fmt::join(tags, ", ")));
  }
  return SheetCell::list(std::move(texts), first_of(parts, most));
}

Sheet companion_sheet(const matrix::List<matrix::Companion>& companions, Version version) {
  Sheet sheet{{{"version", "version"}, {"platform", "platform"}, {"Python", "pythons"}, {"requires torch", "requires_torch"}},
              {}};
  for (const auto& row : companions) {
    if (version && row.version == version)
      sheet.rows.push_back({SheetCell::text(row.text), SheetCell::text(name_of(row.platform)), pythons_cell(row.pythons),
                            SheetCell::text_or_none(row.requires_torch)});
  }
  return sheet;
}

template <class Row, class Matches>
Sheet image_sheet(const Matrix& matrix, const matrix::List<Row>& images, Matches matches) {
  Sheet sheet{image_columns(), {}};
  for (const auto& image : images) {
    if (image.evidence != matrix::Evidence::used_doubtful && matches(image)) sheet.rows.push_back(image_cells(matrix, image));
  }
  return sheet;
}

SheetCell default_cuda_cell(const matrix::Release& release) {
  std::vector<std::string> texts;
  for (const auto platform : {Platform::linux_x86_64, Platform::linux_aarch64}) {
    const auto cuda = release.default_cuda[static_cast<std::size_t>(platform)];
    if (cuda) texts.push_back(fmt::format("{} {}", name_of(platform), cuda));
  }
  auto shown = fmt::format("{}", fmt::join(texts, ", "));
  return SheetCell::list(std::move(texts), std::move(shown));
}

/// The release's own torchaudio, or that of an earlier one that declares to work with it.
SheetCell torchaudio_cell(const Matrix& matrix, const matrix::Release& release) {
  auto cell = SheetCell::text_or_none(release.torchaudio_text);
  if (!release.torchaudio_text.empty()) return cell;
  for (const auto& build : matrix->builds) {
    if (!build.listed || build.channel != matrix::Channel::wheels || &matrix.release(build) != &release) continue;
    if (const auto* other = resolver::newest_companion(matrix->torchaudio, build, VersionSpec()))
      return std::move(cell).shown_as(fmt::format("none of its own; {} works with it", other->text.view()));
  }
  return cell;
}

}  // namespace

Card show_torch(const Matrix& matrix, const matrix::Release& release) {
  Card card;
  card.title = fmt::format("torch {}", release.text.view());
  card.add("", "version", SheetCell::text(release.text));
  card.add("released", "released", SheetCell::text_or_unknown(release.released));
  card.add("CUDA on the package index", "default_cuda", default_cuda_cell(release));
  card.add("torchvision", "torchvision", SheetCell::text_or_none(release.torchvision_text));
  card.add("torchaudio", "torchaudio", torchaudio_cell(matrix, release));
  card.add("CUDA tags complete", "tags_complete",
           knows_every_cuda(release) ? SheetCell::flag(true)
                                     : SheetCell::flag(false).shown_as("no: there may be builds that are not listed here"));
  card.read_from(release.from);
  const auto mine = [&](const Build& build) { return build.version == release.version; };
  const auto builds = torch_builds(matrix, mine);
  const auto is_mine = [&](const matrix::OfficialImage& image) {
    return image.framework == Framework::torch && image.version == release.version;
  };
  const auto images = std::count_if(matrix->official_images.begin(), matrix->official_images.end(), is_mine);
  if (images > 0)
    card.add("official images", "",
             SheetCell::text(fmt::format("{}: envgen list images --repo pytorch --torch {}", images, release.text.view())),
             In::brief);
  card.add_part("Wheels", "", wheels_in_brief(matrix, builds), In::brief);
  card.add_part("Builds", "builds", torch_sheet(matrix, builds), In::full);
  for (const auto* build : builds) card.read_from(build->from);
  card.add_part("torchvision", "torchvision_wheels", companion_sheet(matrix->torchvision, release.torchvision), In::full);
  card.add_part("torchaudio", "torchaudio_wheels", companion_sheet(matrix->torchaudio, release.torchaudio), In::full);
  Sheet conda{{{"channel", "channel"}, {"CUDA", "cuda"}, {"specification", "spec"}, {"channels", "channels"}}, {}};
  for (const auto* build : builds) {
    if (build->channel == matrix::Channel::wheels) continue;
    conda.rows.push_back({SheetCell::text(channel_names[static_cast<std::size_t>(build->channel)]), version_or_none(build->cuda),
                          SheetCell::text(build->conda_spec), texts_cell(build->conda_channels)});
  }
  card.add_part("conda", "conda", std::move(conda), In::full);
  card.add_part("Official images", "images", image_sheet(matrix, matrix->official_images, is_mine), In::full);
  for (const auto& image : matrix->official_images) {
    if (is_mine(image)) card.read_from(image.from);
  }
  return card;
}

Card show_tensorflow(const Matrix& matrix, const matrix::Release& release) {
  Card card;
  card.title = fmt::format("tensorflow {}", release.text.view());
  card.add("", "version", SheetCell::text(release.text));
  card.add("released", "released", SheetCell::text_or_unknown(release.released));
  for (const auto& build : matrix->builds) {
    if (!build.listed || build.framework != Framework::tensorflow || build.version != release.version) continue;
    card.add("CUDA of the tested build", "cuda", version_cell(build.cuda));
    card.add("cuDNN of the tested build", "cudnn", version_cell(build.cudnn));
    card.add("Python", "pythons", pythons_cell(build.pythons, build.pythons_known));
    card.add("SASS", "archs", archs_cell(build.sass, build.sass_known));
    card.add("PTX", "ptx", archs_cell(build.ptx, build.ptx_known));
    card.add("minimum glibc", "glibc", version_cell(build.glibc));
    card.read_from(build.from);
  }
  Sheet pins{{{"package", "package"}, {"version", "spec"}}, {}};
  bool extra = false;
  for (const auto& row : matrix->tensorflow_extras) {
    if (row.version != release.version) continue;
    extra = row.exists;
    for (const auto& pin : row.pins) pins.rows.push_back({SheetCell::text(pin.package), SheetCell::text(pin.spec)});
  }
  card.add("[and-cuda]", "and_cuda",
           extra ? SheetCell::flag(true) : SheetCell::flag(false).shown_as("no such extra: CUDA and cuDNN come from the system"));
  card.add_part("What [and-cuda] installs", "pins", std::move(pins), In::full);
  const auto is_mine = [&](const matrix::OfficialImage& image) {
    return image.framework == Framework::tensorflow && image.version.at(2) == release.version.at(2);
  };
  // A patch release may have none of its own: 2.15.1 has wheels, and the images are of 2.15.0.
  card.add_part("Official images of this minor release", "images", image_sheet(matrix, matrix->official_images, is_mine));
  return card;
}

Card show_cuda(const Matrix& matrix, Version version, const std::vector<const matrix::Toolkit*>& toolkits) {
  Card card;
  card.title = fmt::format("CUDA {}", version);
  card.add("", "version", SheetCell::text(version.to_string()));
  const auto minor = toolkits.front()->minor;
  for (const auto& major : matrix->cuda_majors) {
    if (major.cuda != version.major()) continue;
    auto cell = major.minor_compat_driver ? SheetCell::text(major.minor_compat_driver.to_string())
                                          : SheetCell::none().shown_as("none: the driver must support the build's CUDA natively");
    for (const auto& exception : major.except) {
      if (version.count() > 1 && exception.cuda == minor) cell = driver_cell(exception.driver);
    }
    card.add("minimum driver for this CUDA major", "minor_compat_driver", std::move(cell));
    card.read_from(major.from);
  }
  const bool one_minor = version.count() > 1;
  if (one_minor) {
    for (const auto& row : matrix->cuda_minors) {
      if (row.cuda != minor) continue;
      card.add("first driver with native support", "native_driver", driver_cell(row.native_driver));
      card.read_from(row.from);
    }
    std::vector<std::string> lifted;
    for (const auto& row : matrix->forward_compat) {
      if (row.cuda == minor && row.works) lifted.push_back(fmt::format("{}", row.branch));
    }
    if (!lifted.empty()) card.add("branches where cuda-compat works", "forward_compat", SheetCell::list(std::move(lifted)));
    card.add("torch with wheels for it", "torch",
             releases_cell(matrix, [&](const Build& build) { return !build.cpu && build.cuda == minor; }));
  }
  Sheet sheet{toolkit_columns(), {}};
  for (const auto* toolkit : toolkits) {
    sheet.rows.push_back(toolkit_cells(matrix, *toolkit));
    card.read_from(toolkit->from);
  }
  auto brief = sheet;
  hide(brief, {"os", "driver"});
  std::reverse(brief.rows.begin(), brief.rows.end());  // the newest, where not all have room
  card.add_part("Toolkits", "toolkits", std::move(sheet), std::move(brief));
  Sheet labels{{{"conda label", "label"}, {"evidence", "evidence"}}, {}};
  for (const auto& row : matrix->conda_labels) {
    if (row.cuda.under(version)) labels.rows.push_back({SheetCell::text(row.label), SheetCell::text_or_unknown(row.evidence)});
  }
  card.add_part("conda", "conda_labels", std::move(labels), In::full);
  if (one_minor) {
    // One row an update: which systems and flavours have an image.
    Sheet images{{{"image", "cuda"}, {"systems", "os"}, {"tags", "tags", true}}, {}};
    for (const auto* toolkit : toolkits) {
      std::set<std::string> systems;
      std::size_t tags = 0;
      for (const auto& image : matrix->cuda_images) {
        if (image.cuda != toolkit->version || image.evidence > matrix::Evidence::used) continue;
        systems.emplace(image.os.view());
        ++tags;
      }
      if (tags > 0)
        images.rows.push_back({SheetCell::text(fmt::format("nvidia/cuda:{}-*", toolkit->text.view())),
                               SheetCell::list({systems.begin(), systems.end()}), SheetCell::number(static_cast<double>(tags))});
    }
    card.add_part("Images (see 'envgen list images --cuda')", "images", std::move(images));
  }
  return card;
}

Card show_cudnn(const Matrix& matrix, Version version, const std::vector<const matrix::Cudnn*>& releases) {
  Card card;
  card.title = fmt::format("cuDNN {}", version);
  card.add("", "version", SheetCell::text(version.to_string()));
  Sheet sheet{cudnn_columns(), {}};
  for (const auto* release : releases) {
    sheet.rows.push_back(cudnn_cells(matrix, *release));
    card.read_from(release->from);
  }
  const auto pins_it = [&](const Build& build) { return build.cudnn && build.cudnn.under(version); };
  card.add("torch wheels that pin it", "", releases_cell(matrix, pins_it, 5), In::brief);
  card.add("torch wheels that pin it", "torch", releases_cell(matrix, pins_it), In::full);
  auto brief = sheet;
  hide(brief, {"wheels"});
  std::reverse(brief.rows.begin(), brief.rows.end());
  card.add_part("Releases", "releases", std::move(sheet), std::move(brief));
  return card;
}

namespace {

/// The boards of a capability that a branch knows, by the first of its releases to do so; none: all of them do.
std::map<DriverVersion, std::vector<std::string>> known_to(const Matrix& matrix, const matrix::GpuDriver& row,
                                                           const matrix::DriverBranch& branch) {
  std::map<DriverVersion, std::vector<std::string>> boards;
  for (const auto& gpu : matrix->gpus) {
    const resolver::KnownDrivers known(row, gpu);
    if (gpu.capability != row.capability || !known.knows_branch(branch.branch)) continue;
    const auto first = known.from(DriverVersion(Version(branch.branch)));
    const bool whole = first.version().count() == 1 || (branch.first && first <= branch.first);
    boards[whole ? DriverVersion() : first].emplace_back(gpu.name.view());
  }
  return boards;
}

}  // namespace

namespace {

/// Where a release that the row of its branch does not name was read: of a board, or of a toolkit. None: of neither.
std::optional<std::uint16_t> source_of(const Matrix& matrix, DriverVersion driver) {
  for (const auto& gpu : matrix->gpus) {
    const auto& firsts = gpu.first_drivers;
    if (std::find(firsts.begin(), firsts.end(), driver) != firsts.end()) return gpu.from.of("first_drivers");
  }
  const auto& toolkits = matrix->toolkits;
  const auto* toolkit =
      std::find_if(toolkits.begin(), toolkits.end(), [&](const matrix::Toolkit& row) { return row.driver == driver; });
  return toolkit == toolkits.end() ? std::nullopt : std::optional(toolkit->from.of("driver"));
}

}  // namespace

const matrix::DriverBranch* branch_of_windows(const Matrix& matrix, Version number) {
  const bool of_windows = number.count() <= 2 && resolver::is_number_of_windows(matrix, number.major());
  return of_windows ? resolver::last_branch_until(matrix, number.major()) : nullptr;
}

Card show_driver(const Matrix& matrix, const matrix::DriverBranch& branch) {
  Card card;
  card.title = fmt::format("driver branch {}", branch.branch);
  card.add("", "branch", SheetCell::text(fmt::format("{}", branch.branch)));
  card.add("kind", "kind", SheetCell::text_or_unknown(branch.kind));
  card.add("newest CUDA it reports", "cuda", version_cell(branch.cuda));
  card.add("first release", "first", driver_cell(branch.first));
  const auto latest = resolver::latest_known(matrix, branch.branch);
  card.add("latest known", "latest", driver_cell(latest));
  card.add("data-centre release", "released", SheetCell::text_or_unknown(branch.released));
  card.add("end of life", "eol", SheetCell::text_or_unknown(branch.eol));
  card.read_from(branch.from);
  if (const auto source = latest != branch.latest ? source_of(matrix, latest) : std::nullopt) card.read_from("latest", *source);
  std::vector<std::string> works;
  std::vector<std::string> fails;
  bool listed = false;
  for (const auto& row : matrix->forward_compat) {
    if (row.branch != branch.branch) continue;
    listed = true;
    // What the driver supports by itself needs no cuda-compat.
    if (row.cuda > branch.cuda) (row.works ? works : fails).push_back(row.cuda.to_string());
  }
  card.add("cuda-compat works for CUDA", "forward_compat", listed ? SheetCell::list(std::move(works)) : SheetCell::unknown());
  card.add("cuda-compat does not work for CUDA", "no_forward_compat",
           fails.empty() && matrix->forward_compat.empty() ? SheetCell::unknown() : SheetCell::list(std::move(fails)));
  Sheet gpus{{{"capability", "capability", true}, {"kernel module", "kernel_module"}, {"from", "first_driver"}, {"GPUs", "gpus"}},
             {}};
  Sheet brief{{{"capability", "", true}, {"kernel module", ""}, {"GPUs", ""}, {"need a later release", "", true}}, {}};
  bool any_later = false;
  for (const auto& row : matrix->gpu_drivers) {
    if (row.tegra) continue;
    std::vector<std::string> whole;  // that every release of the branch supports
    int later = 0;
    for (auto& [first, names] : known_to(matrix, row, branch)) {
      if (first) {
        later += static_cast<int>(names.size());
      } else {
        whole = names;
      }
      auto shown = first_of(names);
      gpus.rows.push_back(
          {capability_cell(row.capability), SheetCell::text(module_names[static_cast<std::size_t>(row.kernel_module)]),
           first ? SheetCell::text(first.to_string()) : SheetCell::none(), SheetCell::list(std::move(names), std::move(shown))});
    }
    if (!whole.empty() || later > 0)
      brief.rows.push_back(
          {capability_cell(row.capability), SheetCell::text(module_names[static_cast<std::size_t>(row.kernel_module)]),
           SheetCell::text_or_none(first_of(whole, 1)), later > 0 ? SheetCell::number(later) : SheetCell::none()});
    any_later = any_later || later > 0;
  }
  if (!any_later) brief.columns.back().title = {};
  std::reverse(brief.rows.begin(), brief.rows.end());
  card.add_part("GPUs it supports", "gpus", std::move(gpus), std::move(brief));
  return card;
}

namespace {

Card image_card(std::string title, const std::vector<Column>& columns, std::vector<SheetCell> cells) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> titles{
      {{"version", "framework version"},
       {"cuda", "CUDA"},
       {"cudnn", "cuDNN major"},
       {"variant", "variant"},
       {"os", "operating system"},
       {"evidence", "evidence"},
       {"status", "status"},
       {"gate", "driver requirement"},
       {"gate_exceptions", "exceptions by brand"},
       {"python", "Python"},
       {"layout", "layout"}}};
  Card card;
  card.title = std::move(title);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].key == "source") continue;
    std::string_view shown;
    for (const auto& [key, name] : titles) {
      if (key == columns[i].key && cells[i].shown() != "-") shown = name;
    }
    card.add(shown, columns[i].key, std::move(cells[i]));
  }
  return card;
}

}  // namespace

Card show_cuda_image(const Matrix& matrix, const matrix::ImageTag& image) {
  auto card = image_card(image_reference(image), image_columns(), image_cells(matrix, image));
  card.read_from(image.from);
  if (image.gate >= 0) card.read_from(matrix->gates[static_cast<std::size_t>(image.gate)].from);
  return card;
}

Card show_official_image(const Matrix& matrix, const matrix::OfficialImage& image) {
  auto card = image_card(image_reference(image), image_columns(), image_cells(matrix, image));
  card.read_from(image.from);
  for (const auto& gate : matrix->gates) {
    if (resolver::inherits_gate(image) && gate.cuda == image.cuda) card.read_from(gate.from);
  }
  return card;
}

Card show_os(const Matrix& matrix, const matrix::Os& os) {
  Card card;
  card.title = std::string(os.id.view());
  card.add("", "id", SheetCell::text(os.id));
  card.add("also called", "aliases", texts_cell(os.aliases));
  card.add("family", "family", SheetCell::text(os.family));
  card.add("long-term support", "lts", SheetCell::flag(os.lts));
  card.add("Python", "pythons", pythons_cell(os.pythons));
  card.add("other Pythons in its repositories", "optional_pythons", pythons_cell(os.optional_pythons));
  card.add("Pythons from deadsnakes", "deadsnakes", pythons_cell(os.deadsnakes));
  card.add("glibc", "glibc", version_cell(os.glibc));
  card.add("gcc", "gcc", os.gcc ? SheetCell::number(os.gcc.major()) : SheetCell::unknown());
  card.add("pip requires a venv (PEP 668)", "pep668", os.known_pep668 ? SheetCell::flag(os.pep668) : SheetCell::unknown());
  card.add("end of life", "eol", SheetCell::text_or_unknown(os.eol));
  card.add("official image", "image", SheetCell::text_or_unknown(os.image));
  card.add("CUDA repository", "cuda_repo", SheetCell::text_or_unknown(os.cuda_repo));
  card.read_from(os.from);
  std::set<std::string> versions;
  std::vector<std::pair<Version, std::string>> updates;
  for (const auto& image : matrix->cuda_images) {
    if (image.os.view() != os.id.view() || image.evidence > matrix::Evidence::used) continue;
    if (versions.insert(image.cuda.to_string()).second) updates.emplace_back(image.cuda, image.cuda.to_string());
  }
  std::sort(updates.begin(), updates.end());
  std::vector<std::string> texts;
  for (auto& [version, text] : updates) texts.push_back(std::move(text));
  if (!texts.empty())
    card.add("CUDA versions with images based on it", "",
             SheetCell::text(fmt::format("{} ({} to {})", texts.size(), texts.front(), texts.back())), In::brief);
  card.add("CUDA versions with images based on it", "image_cuda", SheetCell::list(std::move(texts)), In::full);
  return card;
}

}  // namespace envgen::answers
