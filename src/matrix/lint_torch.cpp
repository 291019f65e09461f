#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix/linting.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::matrix {
namespace {

bool is_wheel_of(const Build& build, Version torch) {
  return build.listed && build.framework == Framework::torch && build.channel == Channel::wheels && build.version == torch;
}

void check_torch_release(Lint& lint, const Release& release, const Cell& cell) {
  const auto& root = lint.root;
  const auto name = release.version.to_string();
  if (!any(root.builds, [&](const Build& build) { return is_wheel_of(build, release.version); }))
    lint.find(cell, fmt::format("torch {} has no build", name));
  const auto check_companion = [&](Version wanted, const List<Companion>& rows, std::string_view field) {
    if (wanted && !any(rows, [&](const Companion& row) { return row.version == wanted; }))
      lint.find(cell.maybe(field), fmt::format("no {} {} is in torch.json", field, wanted));
  };
  check_companion(release.torchvision, root.torchvision, "torchvision");
  check_companion(release.torchaudio, root.torchaudio, "torchaudio");
  for (const auto& [platform, value] : cell.maybe("default_cuda").members()) {
    const auto known = parse_choice<Platform>(platform);
    const auto cuda = value.is_text() ? value.version() : Version();
    if (!known) {
      lint.find(value, fmt::format("{} is not one of {}", in_quotes(platform), fmt::join(Names<Platform>::names, ", ")));
    } else if (!any(root.builds, [&, &of = *known](const Build& build) {
                 return is_wheel_of(build, release.version) && build.platform == of && build.cuda == cuda;
               })) {
      lint.find(value, fmt::format("torch {} has no {} build for {}", name, cuda ? "CUDA " + cuda.to_string() : "CPU", platform));
    }
  }
}

/// A wheel pins one cuDNN; other builds name it in part.
void check_cudnn(Lint& lint, Version cudnn, const Cell& cell, bool in_part) {
  const bool known =
      any(lint.root.cudnns, [&](const Cudnn& row) { return in_part ? row.version.under(cudnn) : row.version == cudnn; });
  if (cudnn && !known) lint.find(cell.maybe("cudnn"), fmt::format("cuDNN {} is not in cudnn.json", cudnn));
}

void check_targets(Lint& lint, const Build& build, const Cell& cell) {
  const auto compiles = [&](const Arch& arch) {
    return any(lint.root.toolkits, [&](const Toolkit& toolkit) {
      const auto is = [&](const Arch& other) { return other == arch; };
      return toolkit.minor == build.cuda && (any(toolkit.archs, is) || any(toolkit.arch_specific, is));
    });
  };
  // A CUDA whose toolkits were not read has none.
  const bool read = any(lint.root.toolkits, [&](const Toolkit& toolkit) {
    return build.cuda && toolkit.minor == build.cuda && !(toolkit.archs.empty() && toolkit.arch_specific.empty());
  });
  if (!read) return;
  for (const std::string_view field : {"sass", "ptx"}) {
    for (const auto& item : cell.maybe(field).items()) {
      if (const auto arch = Arch::parse(item.text()); arch && !compiles(*arch))
        lint.find(item, fmt::format("no CUDA {} toolkit compiles for {}", build.cuda, *arch));
    }
  }
}

void check_wheel_build(Lint& lint, const Build& build, const Cell& cell) {
  const auto cuda = build.cuda.to_string();
  const auto wanted = build.cuda ? fmt::format("cu{}{}", build.cuda.major(), build.cuda.minor()) : "cpu";
  if (!build.tag.empty() && build.tag.view() != wanted)
    lint.find(cell.maybe("tag"),
              fmt::format("the tag {} does not match {}", in_quotes(build.tag), build.cuda ? "CUDA " + cuda : "a CPU build"));
  const auto toolkit = build.toolkit;
  if (toolkit && !any(lint.root.toolkits, [&](const Toolkit& row) { return row.version == toolkit; }))
    lint.find(cell.maybe("toolkit"), fmt::format("cuda.json has no toolkit {}", toolkit));
  if (toolkit && build.cuda && !toolkit.under(build.cuda))
    lint.find(cell.maybe("toolkit"), fmt::format("the toolkit {} is not an update of CUDA {}", toolkit, cuda));
  check_cudnn(lint, build.cudnn, cell, false);
  if (!build.nccl.empty()) lint.check_spec(cell.maybe("nccl"), build.nccl, nullptr, "nccl");
  if (!build.triton.empty()) lint.check_spec(cell.maybe("triton"), build.triton, nullptr, "triton");
  check_targets(lint, build, cell);
}

void check_contents(Lint& lint, const Build& build, const Cell& cell) {
  check_cudnn(lint, build.cudnn, cell, true);
  check_targets(lint, build, cell);
}

}  // namespace

void lint_torch(Lint& lint) {
  const auto torch = releases_of(lint.root, Framework::torch);
  const auto pythons = pythons_of(lint);
  lint.each<Release>(tables::torch_releases, check_torch_release);
  lint.each<Build>(tables::wheel_builds, check_wheel_build);
  for (const auto* table : {&tables::conda_builds, &tables::tensorflow_releases}) lint.each<Build>(*table, check_contents);
  for (const auto* table : {&tables::torchvision, &tables::torchaudio}) {
    lint.each<Companion>(*table, [&](Lint&, const Companion&, const Cell& cell) {
      // What is malformed, or contradicts a release, has the loader told.
      const auto check = [&](const Cell& asked, const std::vector<Version>& among, std::string_view what) {
        if (asked.is_text() && wheel_spec(asked.text())) lint.check_spec(asked, asked.text(), &among, what);
      };
      check(cell.maybe("requires_torch"), torch, "torch");
      check(cell.maybe("requires_python"), pythons, "Python");
    });
  }
  lint.each<OfferedCudnn>(tables::offered_cudnns, [](Lint& found, const OfferedCudnn& row, const Cell& cell) {
    check_cudnn(found, row.cudnn, cell, false);
  });
  lint.each<CondaLabel>(tables::conda_labels, [](Lint& found, const CondaLabel& row, const Cell& cell) {
    if (const auto end = fmt::format("cuda-{}", row.cuda); !row.label.view().ends_with(end))
      found.find(cell.maybe("cuda"), fmt::format("the label does not end in {}", end));
  });
}

}  // namespace envgen::matrix
