#include <functional>

#include <gtest/gtest.h>

#include "files/outputs.hpp"
#include "files/resolved.hpp"
#include "support/literals.hpp"

/// scripts/checks/injection.py looks at every value in every output; here are the messages.
namespace envgen::files {
namespace {

using test::environment_of;

/// `place | message`, or "fine".
std::string looked_at(Environment environment, const std::function<void(Environment&)>& change) {
  change(environment);
  const auto checked = check_environment(environment);
  if (checked) return "fine";
  EXPECT_EQ(checked.error().code, ErrorCode::bad_input);
  EXPECT_EQ(checked.error().hints, std::vector<std::string>{"no file was generated: 'envgen lock --force' regenerates the lock"});
  return checked.error().origin + " | " + checked.error().message;
}

TEST(WellFormed, IsWhatTheResolverMakes) {
  const auto none = [](Environment&) {};
  for (const auto* request : {"torch=2.3 cuda=12.1", "torch=2.5 installer=conda", "tensorflow=2.15",
                              "torch=2.7 gpu=5090 variant=devel", "torch=2.3 base=pytorch", "torch=2.13 cuda=cpu"})
    EXPECT_EQ(looked_at(environment_of(request), none), "fine") << request;
}

TEST(WellFormed, NamesTheValueThatNoFileCanHold) {
  const auto pip = environment_of("torch=2.3 cuda=12.1");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->version = "2.3.1; >x"; }),
            "/environment/torch/version | '2.3.1; >x' is not a version or a name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->tag = "--upgrade"; }),
            "/environment/torch/tag | '--upgrade' is not a version or a name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->tag.clear(); }), "/environment/torch/tag | '' is not a version or a name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->index_url = "https://x/$(y)"; }),
            "/environment/torch/index_url | 'https://x/$(y)' is not an http, https or file URL without a password, query or "
            "fragment");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.images.devel = "a b"; }), "/environment/images/devel | 'a b' is not an image name");
  EXPECT_EQ(looked_at(pip,
                      [](auto& e) {
                        e.pins = {{"setuptools", "<82 -r x", "", ""}};
                      }),
            "/pins | 'setuptools<82 -r x' is not a pip requirement by name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->conda_spec = "pytorch"; }),
            "/environment/torch/conda_channels | a conda package without a channel");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.env = {{"A B", "1"}}; }), "/env | 'A B' is not a variable name");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_spec = "pytorch=2.5;x"; }),
            "/environment/torch/conda_spec | 'pytorch=2.5;x' is not a conda spec");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_spec = "pytorch -c evil"; }),
            "/environment/torch/conda_spec | '-c' is not a conda spec");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_spec = "pytorch *"; }),
            "/environment/torch/conda_spec | '*' is not a conda spec");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.system->family = "rhel"; }),
            "/environment/system/family | 'rhel' is not a known OS family");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_channels = {"-c"}; }),
            "/environment/torch/conda_channels | '-c' is not a conda channel");
}

using Change = std::function<void(Environment&)>;

/// Every value that a file is made of, each with something that would be a command there.
std::vector<std::pair<std::string, Change>> bad_values() {
  const std::string bad = "a b;$(c)";
  std::vector<std::pair<std::string, Change>> all{{"cuda/conda_label", [=](auto& e) { e.cuda->conda_label = bad; }},
                                                  {"driver/compat_image", [=](auto& e) { e.driver->compat_image = bad; }},
                                                  {"gpus/nvcc", [=](auto& e) { e.gpus.back().nvcc = bad; }},
                                                  {"os", [=](auto& e) { e.os = bad; }},
                                                  {"system/family", [=](auto& e) { e.system->family = bad; }},
                                                  {"system/version", [=](auto& e) { e.system->version = bad; }},
                                                  {"system/image", [=](auto& e) { e.system->image = bad; }},
                                                  {"images/devel", [=](auto& e) { e.images.devel = bad; }},
                                                  {"images/devel_cudnn", [=](auto& e) { e.images.devel_cudnn = bad; }},
                                                  {"images/runtime", [=](auto& e) { e.images.runtime = bad; }},
                                                  {"images/runtime_cudnn", [=](auto& e) { e.images.runtime_cudnn = bad; }},
                                                  {"images/official_devel", [=](auto& e) { e.images.official_devel = bad; }},
                                                  {"images/official_runtime", [=](auto& e) { e.images.official_runtime = bad; }},
                                                  {"image_layout", [=](auto& e) { e.image_layout = bad; }}};
  using Build = Environment::FrameworkBuild;
  const std::vector<std::pair<std::string, std::function<void(Build&)>>> of_builds{
      {"version", [=](auto& b) { b.version = bad; }},
      {"tag", [=](auto& b) { b.tag = bad; }},
      {"torchvision", [=](auto& b) { b.torchvision = bad; }},
      {"torchaudio", [=](auto& b) { b.torchaudio = bad; }},
      {"index_url", [=](auto& b) { b.index_url = bad; }},
      {"conda_spec", [=](auto& b) { b.conda_spec = bad; }},
      {"conda_spec", [=](auto& b) { b.conda_spec = " "; }},
      {"conda_channels", [=](auto& b) { b.conda_channels.push_back(bad); }},
      {"cuda_pins", [=](auto& b) { b.cuda_pins.emplace_back("nvidia-x", bad); }}};
  const auto is_of_torch = [](std::string_view field) { return field == "torchvision" || field == "torchaudio"; };
  for (const auto& [field, change] : of_builds) {
    if (field != "cuda_pins") all.emplace_back("torch/" + field, [change = change](auto& e) { change(*e.torch); });
    if (is_of_torch(field)) continue;
    all.emplace_back("tensorflow/" + field, [change = change](auto& e) {
      e.tensorflow = Build(*e.torch);
      change(*e.tensorflow);
    });
  }
  return all;
}

TEST(WellFormed, LooksAtEveryValue) {
  const auto environment = environment_of("torch=2.3 cuda=12.1 gpu=4090 gpu=A100");
  for (const auto& [place, change] : bad_values()) {
    const auto found = looked_at(environment, change);
    EXPECT_EQ(found.substr(0, found.find(" | ")), "/environment/" + place);
  }
}

TEST(WellFormed, TellsTheFirstOfSeveralValues) {
  EXPECT_EQ(looked_at(environment_of("torch=2.3 cuda=12.1"),
                      [](auto& e) {
                        e.image_layout = "x y";
                        e.os = "a b";
                      }),
            "/environment/os | 'a b' is not a version or a name");
}

TEST(WellFormed, NamesWhatAFrozenTreeCannotHold) {
  auto environment = environment_of("torch=2.3 cuda=12.1");
  const auto hash = "sha256:" + std::string(64, 'a');
  environment.frozen = Environment::Frozen{"uv 0.13.9", {}, {{"torch", "2.3.1+cu121", {hash}}}, {}};
  using Frozen = Environment::Frozen;
  const auto with = [&](const std::function<void(Frozen&)>& change) {
    return looked_at(environment, [&](auto& e) { change(*e.frozen); });
  };
  EXPECT_EQ(with([](Frozen&) {}), "fine");
  EXPECT_EQ(with([](Frozen& tree) { tree.by = "uv\" x"; }), "/frozen/by | 'uv\" x' is not a tool and its version");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.clear(); }), "/frozen/packages | a tree without packages");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.front().name = "-r x"; }),
            "/frozen/packages | '-r x==2.3.1+cu121' is not a pip requirement by name");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.front().hashes.clear(); }), "/frozen/packages | 'torch' has no hash");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.front().hashes = {"sha256:12\nx"}; }),
            "/frozen/packages | 'sha256:12\\x0ax' is not a file hash");
  EXPECT_EQ(with([](Frozen& tree) {
              tree.images = {{"debian:12-slim", "sha256:1"}};
            }),
            "/frozen/images | 'debian:12-slim@sha256:1' is not an image name");
  EXPECT_EQ(with([](Frozen& tree) { tree.images = {{"a b", std::nullopt}}; }), "/frozen/images | 'a b' is not an image name");
  EXPECT_EQ(with([&](Frozen& tree) { tree.images = {{"debian:12-slim", hash}, {"ubuntu:22.04", std::nullopt}}; }), "fine");
}

TEST(WellFormed, IsAskedBeforeAnyOutputIsMade) {
  auto environment = environment_of("torch=2.3 cuda=12.1");
  environment.torch->tag = "cu121\" ]";
  for (const auto& output : outputs()) {
    const auto made = make(output, {environment, Options(), "sha256:0"});
    ASSERT_FALSE(made) << output.name;
    EXPECT_EQ(made.error().message, "'cu121\" ]' is not a version or a name") << output.name;
  }
}

}  // namespace
}  // namespace envgen::files
