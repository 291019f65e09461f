// The digest of an image, from doubles of the clients that ask its registry.
#include "container/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/engine_double.hpp"

namespace envgen::container {
namespace {

using test::EngineDouble;
using testing::ElementsAre;

const std::string one = "sha256:" + std::string(64, '1');
const std::string two = "sha256:" + std::string(64, '2');
constexpr const char* image = "debian:12-slim";

/// As `docker buildx imagetools inspect` of buildx 0.26 has it, shortened.
std::string index_of_platforms() {
  return R"({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "digest": ")" + one +
         R"(", "size": 10260, "manifests": [{"digest": ")" + two +
         R"(", "platform": {"architecture": "amd64", "os": "linux"}}]})";
}
std::string platform(const std::string& architecture, const std::string& digest) {
  return R"({"Ref": "docker.io/library/debian:12-slim@)" + digest + R"(", "Descriptor": {"digest": ")" + digest +
         R"(", "platform": {"architecture": ")" + architecture + R"(", "os": "linux"}}})";
}

std::string message_of(const Expected<std::string>& digest) { return digest ? *digest : digest.error().message; }

TEST(Registry, IsAskedByBuildxFirst) {
  const EngineDouble double_;
  double_.answer("buildx", index_of_platforms());
  EXPECT_EQ(message_of(find_digest(image, "amd64")), one);
  EXPECT_THAT(double_.calls(), ElementsAre("buildx|imagetools|inspect|--format|{{json .Manifest}}|debian:12-slim|"));
}

TEST(Registry, IsAskedByDockerAloneForOnePlatform) {
  const EngineDouble double_;
  double_.answer("buildx", "", 1, "docker: 'buildx' is not a docker command.\n");
  double_.answer("manifest", "[" + platform("amd64", one) + ", " + platform("arm64", two) + "]");
  EXPECT_EQ(message_of(find_digest(image, "amd64")), one);
  EXPECT_EQ(message_of(find_digest(image, "arm64")), two);
}

TEST(Registry, IsAskedBySkopeo) {
  const EngineDouble double_({"skopeo"});
  double_.answer("inspect", two + "\n");
  EXPECT_EQ(message_of(find_digest("docker.io/library/debian:12-slim", "amd64")), two);
  EXPECT_THAT(double_.calls(), ElementsAre("inspect|--format|{{.Digest}}|docker://docker.io/library/debian:12-slim|"));
}

TEST(Registry, ThatIsOutOfReachLeavesWhatWasPulledHere) {
  for (const auto* engine : {"docker", "podman"}) {
    const EngineDouble double_({engine});
    double_.answer("buildx", "", 1, "ERROR: dial tcp: lookup registry: no such host\n");
    double_.answer("manifest", "", 1, "no such manifest\n");
    double_.answer("image-inspect", R"(["example.org/debian@)" + two + R"(", "debian@)" + one + R"("])");
    EXPECT_EQ(message_of(find_digest(image, "amd64")), one) << engine;
    EXPECT_EQ(message_of(find_digest("docker.io/library/debian:12-slim", "amd64")), one) << engine;
  }
}

TEST(Registry, ThatNobodyCanAskIsSaid) {
  const EngineDouble none(std::vector<std::string>{});
  const auto digest = find_digest(image, "amd64");
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().code, ErrorCode::missing);
  EXPECT_EQ(digest.error().message, "none of docker, podman and skopeo is on PATH");
}

TEST(Registry, SaysWhatEachClientSaid) {
  const EngineDouble double_;
  double_.answer("buildx", "", 1, "docker: 'buildx' is not a docker command.\n");
  double_.answer("manifest", "", 1, "toomanyrequests: You have reached your pull rate limit.\n");
  double_.answer("image-inspect", "[]");
  const auto digest = find_digest(image, "amd64");
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().message, "no client here can find its digest");
  EXPECT_THAT(digest.error().hints, ElementsAre("docker buildx: docker: 'buildx' is not a docker command.",
                                                "docker manifest: toomanyrequests: You have reached your pull rate limit.",
                                                "docker image: the image was built here, and no registry gave it a digest"));
}

TEST(Registry, AnswersThatCannotBeReadAreSaid) {
  const std::string unread = ": the answer is truncated (line 1, column 2)";
  EXPECT_EQ(message_of(parse_imagetools("{")), "cannot read the output of docker buildx imagetools inspect" + unread);
  EXPECT_EQ(message_of(parse_manifest_inspect("{", "amd64")), "cannot read the output of docker manifest inspect" + unread);
  EXPECT_EQ(message_of(parse_repo_digests("{", image)), "cannot read the output of image inspect" + unread);
}

TEST(Registry, APlatformIsThatOfLinux) {
  auto windows = platform("amd64", two);
  windows.replace(windows.find("linux"), 5, "windows");
  EXPECT_EQ(message_of(parse_manifest_inspect("[" + windows + ", " + platform("amd64", one) + "]", "amd64")), one);
  EXPECT_EQ(message_of(parse_manifest_inspect("[" + windows + "]", "amd64")),
            "docker manifest inspect shows no digest for linux/amd64");
}

TEST(Registry, ADigestIsOfItsLength) {
  for (const auto& wrong : {"sha256:" + std::string(63, '1'), "sha256:" + std::string(65, '1'), "sha512:" + std::string(64, '1'),
                            "sha256:" + std::string(64, 'G')})
    EXPECT_EQ(message_of(parse_imagetools(R"({"digest": ")" + wrong + "\"}")), "docker buildx imagetools inspect shows no digest")
        << wrong;
}

TEST(Registry, ARepositoryIsKnownWithoutItsTagAndItsDigest) {
  const auto of = [](const std::string& name) {
    return message_of(parse_repo_digests("[\"other@" + two + "\", \"debian@" + one + "\", \"host:5000/x@" + two + "\"]", name));
  };
  for (const auto* same : {"debian", "debian:12", "docker.io/library/debian:12", "library/debian"})
    EXPECT_EQ(of(same), one) << same;
  EXPECT_EQ(of("debian@" + two), one);
  EXPECT_EQ(of("host:5000/x:1"), two);
  EXPECT_EQ(of("host:5000/x"), two);
  EXPECT_EQ(of("debian2"), "the image was built here, and no registry gave it a digest");
}

TEST(Registry, IsNotBelievedEverything) {
  EXPECT_EQ(message_of(parse_imagetools(R"({"digest": "sha256:12"})")), "docker buildx imagetools inspect shows no digest");
  EXPECT_EQ(message_of(parse_imagetools("[]")), "docker buildx imagetools inspect shows no digest");
  EXPECT_EQ(message_of(parse_imagetools(R"({"digest": ")" + one + "\\nRUN x\"}")),
            "docker buildx imagetools inspect shows no digest");
  EXPECT_EQ(message_of(parse_manifest_inspect("[" + platform("arm64", two) + "]", "amd64")),
            "docker manifest inspect shows no digest for linux/amd64");
  EXPECT_EQ(message_of(parse_manifest_inspect(platform("arm64", two), "amd64")),
            "docker manifest inspect shows no digest for linux/amd64");
  EXPECT_EQ(message_of(parse_manifest_inspect("{}", "amd64")), "docker manifest inspect shows no digest for linux/amd64");
  EXPECT_EQ(message_of(parse_manifest_inspect(platform("amd64", "sha256:2"), "amd64")),
            "docker manifest inspect shows no digest");
  EXPECT_EQ(message_of(parse_repo_digests("[\"debian@sha256:1\"]", image)), "image inspect shows no digest");
  EXPECT_EQ(message_of(parse_repo_digests("[1, \"debian\"]", image)),
            "the image was built here, and no registry gave it a digest");
  EXPECT_EQ(message_of(parse_repo_digests("null", image)), "the image was built here, and no registry gave it a digest");
  EXPECT_TRUE(message_of(parse_repo_digests("{", image)).starts_with("cannot read the output of image inspect: "));
}

}  // namespace
}  // namespace envgen::container
