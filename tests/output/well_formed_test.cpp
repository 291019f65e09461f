#include "output/well_formed.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "output/outputs.hpp"
#include "resolver/resolver.hpp"
#include "support/request_text.hpp"

/// scripts/checks/injection.py looks at every value in every output; here are the messages.
namespace envgen::output {
namespace {

Environment environment_of(std::string_view request) {
  const auto matrix = matrix::embedded();
  const auto query = resolver::interpret(matrix, test::request_of(request)).value();
  return resolver::materialize(matrix, query, resolver::find_best(matrix, query).value());
}

/// `place | message`, or "fine".
std::string looked_at(Environment environment, const std::function<void(Environment&)>& change) {
  change(environment);
  const auto checked = check_environment(environment);
  if (checked) return "fine";
  EXPECT_EQ(checked.error().code, ErrorCode::bad_input);
  EXPECT_EQ(checked.error().hints, std::vector<std::string>{"no file is made of it: 'envgen lock --force' makes the lock anew"});
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
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.python = "--upgrade"; }),
            "/environment/python | '--upgrade' is not a version or a name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.python.clear(); }), "/environment/python | '' is not a version or a name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->index_url = "https://x/$(y)"; }),
            "/environment/torch/index_url | 'https://x/$(y)' is not an http, https or file URL without a password, a query and a "
            "fragment");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.images.devel = "a b"; }),
            "/environment/images/devel | 'a b' is not the name of an image");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.variant = "devle"; }), "/environment/variant | 'devle' is not one of runtime, devel");
  EXPECT_EQ(looked_at(pip,
                      [](auto& e) {
                        e.pins = {{"setuptools", "<82 -r x", "", ""}};
                      }),
            "/pins | 'setuptools<82 -r x' is not a requirement of pip by name");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.torch->conda_spec = "pytorch"; }),
            "/environment/torch/conda_channels | a package of conda without a channel");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.env = {{"A B", "1"}}; }), "/env | 'A B' is not the name of a variable");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_spec = "pytorch=2.5;x"; }),
            "/environment/torch/conda_spec | 'pytorch=2.5;x' is not a specification of conda");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_spec = "pytorch -c evil"; }),
            "/environment/torch/conda_spec | '-c' is not a specification of conda");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_spec = "pytorch *"; }),
            "/environment/torch/conda_spec | '*' is not a specification of conda");
  EXPECT_EQ(looked_at(pip, [](auto& e) { e.system->family = "rhel"; }),
            "/environment/system/family | 'rhel' is no family of systems");
  EXPECT_EQ(looked_at(environment_of("torch=2.5 installer=conda"), [](auto& e) { e.torch->conda_channels = {"-c"}; }),
            "/environment/torch/conda_channels | '-c' is not a channel of conda");
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
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.clear(); }), "/frozen/packages | a tree of no packages");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.front().name = "-r x"; }),
            "/frozen/packages | '-r x==2.3.1+cu121' is not a requirement of pip by name");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.front().hashes.clear(); }), "/frozen/packages | 'torch' has no hash");
  EXPECT_EQ(with([](Frozen& tree) { tree.packages.front().hashes = {"sha256:12\nx"}; }),
            "/frozen/packages | 'sha256:12\\x0ax' is not a hash of a file");
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
}  // namespace envgen::output
