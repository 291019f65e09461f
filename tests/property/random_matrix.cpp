#include "property/random_matrix.hpp"

#include <algorithm>
#include <stdexcept>

namespace envgen::property {

bool chance(Random& random, int percent) { return random() % 100 < static_cast<unsigned>(percent); }
std::size_t below(Random& random, std::size_t count) { return static_cast<std::size_t>(random() % count); }

const Json& file(const MatrixFiles& files, std::string_view name) {
  for (const auto& [known, json] : files) {
    if (known == name) return json;
  }
  throw std::out_of_range("no such matrix file: " + std::string(name));
}

namespace {

struct Minor {
  const char* cuda;
  const char* native;
  std::vector<const char*> updates;
  std::vector<const char*> archs;
};
// Close to the truth, so that requests that people write have both answers.
const std::vector<Minor> all_minors{
    {"11.8", "520.61.05", {"11.8.0"}, {"3.7", "5.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0"}},
    {"12.1", "530.30.02", {"12.1.0", "12.1.1"}, {"5.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0"}},
    {"12.4", "550.54.14", {"12.4.0", "12.4.1"}, {"5.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0"}},
    {"12.8", "570.26", {"12.8.0", "12.8.1"}, {"5.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "12.0"}},
    {"13.0", "580.65.06", {"13.0.0", "13.0.2"}, {"7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "12.0"}},
};
const std::vector<std::string> capabilities{"3.7", "6.1", "7.0", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "12.0"};
const std::vector<std::string> branches{"450", "470", "525", "535", "550", "570", "580"};
const std::vector<std::string> firsts{"450.36.06", "470.42.01", "525.53", "535.43.02", "550.40.07", "570.26", "580.65.06"};
const std::vector<std::string> latests{"450.248.02", "470.256.02", "525.147.05", "535.261.03",
                                       "550.163.01", "570.195.03", "580.95.05"};
const std::vector<std::string> newest_cuda{"11.0", "11.4", "12.0", "12.2", "12.4", "12.8", "13.0"};
const std::vector<std::string> platforms{"linux-x86_64", "linux-aarch64"};
const std::vector<std::string> conda_cudnns{"8", "8.7.0", "8.9.2.26", "9", "9.1"};
const std::vector<std::string> cudnns{"8.7.0.84", "8.9.2.26", "9.1.0.70", "9.10.2.21"};

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  MatrixFiles make() {
    for (const auto& minor : all_minors) {
      if (chance(random_, 60)) minors_.push_back(&minor);
    }
    if (minors_.empty()) minors_.push_back(&pick(random_, all_minors));
    if (minors_.size() > 4) minors_.pop_back();
    return {{"matrix.json", {{"schema_version", 1}, {"revision", "2026.01.01"}, {"read", "2026-01-01"}}},
            {"cuda.json", cuda()},
            {"cudnn.json", cudnn()},
            {"drivers.json", drivers()},
            {"gpus.json", gpus()},
            {"os.json", os()},
            {"torch.json", torch()},
            {"conda.json", conda()},
            {"images.json", images()},
            {"tensorflow.json", tensorflow()},
            {"pitfalls.json", pitfalls()}};
  }

 private:
  static Json document() { return {{"sources", {{"s", {{"what", "made up"}, {"url", nullptr}, {"read", "2026-01-01"}}}}}}; }
  Json row(Json fields) const {
    fields["source"] = "s";
    return fields;
  }
  template <class T>
  Json or_null(int percent, T value) {
    return chance(random_, percent) ? Json(nullptr) : Json(value);
  }

  std::vector<std::string> subset(const std::vector<std::string>& all, int percent) {
    std::vector<std::string> some;
    for (const auto& value : all) {
      if (chance(random_, percent)) some.push_back(value);
    }
    return some;
  }

  Json cuda() {
    auto result = document();
    result["toolkits"] = Json::array();
    result["minors"] = Json::array();
    result["majors"] = Json::array();
    for (const auto* minor : minors_) {
      for (const auto* update : minor->updates) {
        if (chance(random_, 15)) continue;
        result["toolkits"].push_back(row({{"version", update},
                                          {"minor", minor->cuda},
                                          {"released", nullptr},
                                          {"driver", nullptr},
                                          {"ptx_isa", nullptr},
                                          {"archs", or_null(10, minor->archs)},
                                          {"arch_specific", Json::array({"9.0a"})},
                                          {"gcc_max", nullptr},
                                          {"os", nullptr}}));
      }
      result["minors"].push_back(row({{"cuda", minor->cuda}, {"native_driver", or_null(8, minor->native)}}));
    }
    const auto major = [&](const char* cuda, const char* driver) {
      Json fields = {{"cuda", cuda}, {"minor_compat_driver", or_null(10, driver)}};
      if (chance(random_, 15) && cuda == std::string("12"))
        fields["except"] = Json::array({{{"cuda", "12.1"}, {"driver", "525.53"}}});
      result["majors"].push_back(row(fields));
    };
    major("11", "450.80.02");
    major("12", "525.60.13");
    major("13", "580.65.06");
    return result;
  }

  Json cudnn() {
    auto result = document();
    result["releases"] = Json::array();
    for (const auto& version : cudnns) {
      if (chance(random_, 6)) continue;
      Json gpus = Json::array();
      for (const char* major : {"11", "12", "13"}) {
        if (chance(random_, 5)) continue;
        gpus.push_back({{"cuda", major},
                        {"min", pick(random_, std::vector<std::string>{"3.5", "5.0", "7.0", "7.5"})},
                        {"max", or_null(70, "9.0")}});
        if (!gpus.back()["max"].is_null() && chance(random_, 40)) gpus.back()["ends"] = true;
      }
      if (chance(random_, 10)) gpus = Json::array({{{"cuda", nullptr}, {"min", "5.0"}, {"max", nullptr}}});
      result["releases"].push_back(row({{"version", version},
                                        {"cuda_majors", {"11", "12", "13"}},
                                        {"gpus", chance(random_, 8) ? Json(nullptr) : gpus},
                                        {"exact", true}}));
      auto& release = result["releases"].back();
      const bool has_wheels = chance(random_, 70);
      release["wheels"] = has_wheels ? Json::array({"nvidia-cudnn-cu12"}) : Json::array();
      release["glibc"] =
          has_wheels ? Json(pick(random_, std::vector<std::string>{"2.5", "2.17", "2.27", "2.34"})) : Json(nullptr);
      if (version.starts_with("8.9.")) tested_has_wheels_ = has_wheels;
    }
    return result;
  }

  Json drivers() {
    auto result = document();
    result["branches"] = Json::array();
    for (std::size_t i = 0; i < branches.size(); ++i)
      result["branches"].push_back(row({{"branch", branches[i]},
                                        {"kind", nullptr},
                                        {"cuda", or_null(40, newest_cuda[i])},
                                        {"first", firsts[i]},
                                        {"latest", latests[i]},
                                        {"released", nullptr},
                                        {"eol", nullptr}}));
    result["gpu_drivers"] = Json::array();
    for (const auto& capability : capabilities) {
      const bool tegra = capability == "8.7";
      const bool old = capability < "7.5" && capability.size() == 3;
      const bool fresh = capability.size() == 4;
      Json last = nullptr;
      if (old) last = chance(random_, 50) ? "580" : pick(random_, branches);
      Json first = nullptr;
      if (!old && !tegra) first = fresh ? "570.26" : chance(random_, 70) ? Json(pick(random_, firsts)) : Json(nullptr);
      const char* module = tegra ? "tegra" : old ? "proprietary" : fresh ? "open" : "either";
      result["gpu_drivers"].push_back(row({{"capability", capability},
                                           {"first_driver", first},
                                           {"last_branch", last},
                                           {"kernel_module", module},
                                           {"tegra", tegra}}));
    }
    result["forward_compat"] = Json::array();
    for (const auto* minor : minors_) {
      for (const auto& branch : branches) {
        if (chance(random_, 40))
          result["forward_compat"].push_back(row({{"cuda", minor->cuda}, {"branch", branch}, {"works", chance(random_, 60)}}));
      }
    }
    return result;
  }

  Json gpus() {
    auto result = document();
    result["gpus"] = Json::array();
    const std::vector<std::string> classes{"consumer", "workstation", "datacenter", "datacenter"};
    const auto count = 3 + below(random_, 4);
    for (std::size_t i = 0; i < count; ++i) {
      const auto capability = pick(random_, capabilities);
      const bool tegra = capability == "8.7";
      Json fields = {{"name", "Board " + std::to_string(i + 1)},
                     {"aliases", Json::array()},
                     {"class", tegra ? "jetson" : pick(random_, classes)},
                     {"architecture", nullptr},
                     {"capability", capability},
                     {"platform", tegra || chance(random_, 10) ? Json("linux-aarch64") : Json(nullptr)}};
      for (const char* unknown :
           {"memory_gb", "memory_type", "bandwidth_gbs", "fp32_tflops", "tf32_tflops", "fp16_tflops", "bf16_tflops", "fp8_tflops",
            "int8_tops", "pcie_gen", "pcie_lanes", "nvlink_gbs", "power_w", "mig", "sms", "boost_mhz"})
        fields[unknown] = nullptr;
      fields["pci_ids"] = Json::array();
      fields["verified"] = Json::array();
      fields["laptop"] = false;
      // It came after its architecture, and to one branch or two.
      if (!tegra && chance(random_, 35)) {
        const auto branch = below(random_, branches.size() - 1);
        fields["first_drivers"] = Json::array({chance(random_, 50) ? latests[branch] : firsts[branch]});
        if (chance(random_, 50)) fields["first_drivers"].push_back(latests[branch + 1]);
      }
      result["gpus"].push_back(row(fields));
    }
    result["families"] = Json::array();
    const auto& first = result["gpus"][0];
    for (std::size_t i = 1; i < count; ++i) {
      if (result["gpus"][i]["capability"] != first["capability"]) continue;
      result["families"].push_back(row({{"name", "Family"}, {"members", {first["name"], result["gpus"][i]["name"]}}}));
      break;
    }
    return result;
  }

  Json os() {
    auto result = document();
    result["os"] = Json::array();
    const auto add = [&](const char* id, const char* family, const char* version, bool lts, const char* python,
                         const char* glibc) {
      if (!result["os"].empty() && chance(random_, 25)) return;
      systems_.emplace_back(id);
      result["os"].push_back(row({{"id", id},
                                  {"aliases", Json::array()},
                                  {"family", family},
                                  {"version", version},
                                  {"lts", lts},
                                  {"pythons", Json::array({python})},
                                  {"optional_pythons", Json::array()},
                                  {"glibc", or_null(8, glibc)},
                                  {"gcc", nullptr},
                                  {"eol", nullptr},
                                  {"cuda_repo", nullptr},
                                  {"deadsnakes", nullptr},
                                  {"pep668", nullptr},
                                  {"default_user", nullptr},
                                  {"image", nullptr}}));
    };
    add("debian12", "debian", "12", false, "3.11", "2.36");
    add("ubuntu20.04", "ubuntu", "20.04", true, "3.8", "2.31");
    add("ubuntu22.04", "ubuntu", "22.04", true, "3.10", "2.35");
    add("ubuntu24.04", "ubuntu", "24.04", true, "3.12", "2.39");
    result["pythons"] = Json::array();
    return result;
  }

  std::vector<std::string> archs() {
    auto list = subset({"6.1", "7.0", "7.5", "8.0", "8.6", "9.0", "10.0", "12.0"}, 55);
    if (chance(random_, 15)) list.emplace_back("8.7");
    if (chance(random_, 10)) list.emplace_back("9.0a");
    if (chance(random_, 10)) list.emplace_back("10.0f");
    return list;
  }
  std::vector<std::string> ptx() {
    if (chance(random_, 40)) return {};
    return {pick(random_, std::vector<std::string>{"7.0", "8.0", "9.0", "9.0a", "12.0"})};
  }
  std::vector<std::string> pythons() {
    auto list = subset({"3.8", "3.9", "3.10", "3.11", "3.12"}, 70);
    if (chance(random_, 20)) list.emplace_back("3.13t");
    if (list.empty()) list.emplace_back("3.11");
    return list;
  }
  Json glibc() { return or_null(7, pick(random_, std::vector<std::string>{"2.17", "2.17", "2.28", "2.28", "2.34", "2.37"})); }

  static std::string tag_of(const std::string& cuda) {
    std::string tag = "cu";
    for (const char c : cuda) {
      if (c != '.') tag += c;
    }
    return tag;
  }

  Json wheel(const std::string& torch, const Json& minor, const std::string& platform) {
    const bool cpu = minor.is_null();
    Json fields = {{"torch", torch},
                   {"tag", cpu ? "cpu" : tag_of(minor)},
                   {"platform", platform},
                   {"cuda", minor},
                   {"toolkit", nullptr},
                   {"official", chance(random_, 15) ? Json(false) : or_null(6, true)},
                   {"cudnn", cpu ? Json(nullptr) : or_null(6, pick(random_, cudnns))},
                   {"nccl", nullptr},
                   {"triton", nullptr},
                   {"triton_pythons", nullptr},
                   {"sass", cpu ? Json::array() : or_null(8, archs())},
                   {"ptx", cpu ? Json::array() : or_null(12, ptx())},
                   {"glibc", glibc()}};
    // Without a draw, so that the seeds that once told keep the rest of their facts.
    const auto turn = (fields["torch"].get<std::string>().back() * 7 + fields["tag"].get<std::string>().back()) % 12;
    if (turn < 2) fields["glibc_below"] = turn == 0 ? "2.35" : "2.38";
    fields["wheel_index"] =
        chance(random_, 85)
            ? Json({{"url", "https://wheels.invalid/" + fields["tag"].get<std::string>()}, {"pythons", pythons()}})
            : Json(nullptr);
    fields["package_index"] =
        fields["wheel_index"].is_null() || chance(random_, 30) ? Json({{"pythons", pythons()}}) : Json(nullptr);
    return row(fields);
  }

  Json torch() {
    auto result = document();
    for (const char* list : {"releases", "builds", "torchvision", "torchaudio"}) result[list] = Json::array();
    versions_ = subset({"2.0.0", "2.0.1", "2.1.0", "2.2.0", "2.2.1", "2.3.0"}, 60);
    if (versions_.size() < 2) versions_ = {"2.0.0", "2.1.0"};
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      const auto& version = versions_[i];
      Json defaults = Json::object();
      for (const auto& platform : platforms) {
        std::vector<std::string> listed;
        const bool arm = platform == platforms[1];
        if (arm && chance(random_, 50)) continue;
        for (const auto* minor : minors_) {
          if (!chance(random_, arm ? 40 : 65)) continue;
          result["builds"].push_back(wheel(version, minor->cuda, platform));
          listed.emplace_back(minor->cuda);
        }
        if (chance(random_, 70)) result["builds"].push_back(wheel(version, nullptr, platform));
        if (!listed.empty()) defaults[platform] = or_null(10, pick(random_, listed));
      }
      const auto companion = [&](const char* list, const std::string& number) -> Json {
        if (chance(random_, 15)) return nullptr;
        for (const auto& platform : platforms) {
          if (chance(random_, 10)) continue;
          const bool any = chance(random_, 10);
          result[list].push_back(row({{"version", number},
                                      {"platform", platform},
                                      {"requires_torch", chance(random_, 50) ? Json("==" + version) : Json(nullptr)},
                                      {"pythons", any ? std::vector<std::string>{"any"} : pythons()},
                                      {"requires_python", any ? Json(">=3.9") : Json(nullptr)}}));
        }
        return number;
      };
      const auto vision = companion("torchvision", "0." + std::to_string(15 + i) + ".0");
      const auto audio = companion("torchaudio", version);
      result["releases"].push_back(row({{"version", version},
                                        {"released", nullptr},
                                        {"tags_complete", !chance(random_, i + 1 == versions_.size() ? 40 : 10)},
                                        {"default_cuda", defaults},
                                        {"torchvision", vision},
                                        {"torchaudio", audio}}));
      if (chance(random_, 40))
        result["releases"].back()["requires_python"] = ">=" + pick(random_, std::vector<std::string>{"3.8", "3.9.0", "3.11"});
      if (chance(random_, 10)) result["releases"].back()["gap_before"] = true;
      if (chance(random_, 30)) {
        result["releases"].back()["open_cuda"] = Json::array();
        for (const auto* minor : minors_) {
          if (chance(random_, 30)) result["releases"].back()["open_cuda"].push_back(minor->cuda);
        }
      }
    }
    if (result["builds"].empty()) result["builds"].push_back(wheel(versions_[0], minors_[0]->cuda, platforms[0]));
    builds_ = result["builds"];
    return result;
  }

  Json conda() {
    auto result = document();
    // Without a draw, so that the seeds that once told keep the rest of their matrix.
    result["labels"] = Json::array();
    for (const auto* minor : minors_) {
      if (std::string_view(minor->cuda).back() % 2 != 0) continue;
      for (const auto* update : minor->updates)
        result["labels"].push_back(
            row({{"label", std::string("nvidia/label/cuda-") + update}, {"cuda", update}, {"evidence", "listed"}}));
    }
    result["cudnn"] = Json::array();
    for (const auto* minor : minors_) {
      if (chance(random_, 50))
        result["cudnn"].push_back(row({{"channel", "conda-forge"},
                                       {"cuda", minor->cuda},
                                       {"cudnn", pick(random_, cudnns)},
                                       {"glibc", pick(random_, std::vector<std::string>{"2.17", "2.28", "2.35"})}}));
    }
    result["builds"] = Json::array();
    for (const auto& version : versions_) {
      for (const char* channel : {"pytorch", "conda-forge"}) {
        for (const auto* minor : minors_) {
          if (!chance(random_, 25)) continue;
          const std::string cuda = minor->cuda;
          const auto& platform = chance(random_, 80) ? platforms[0] : platforms[1];
          const bool tegra = platform == platforms[1] && channel == std::string("conda-forge") && cuda < "12.8";
          result["builds"].push_back(row({{"torch", version},
                                          {"channel", channel},
                                          {"cuda", cuda},
                                          {"platform", platform},
                                          {"arm_variant", tegra ? Json("tegra") : Json(nullptr)},
                                          {"spec", "pytorch==" + version},
                                          {"channels", Json::array({channel})},
                                          {"pythons", or_null(10, pythons())},
                                          {"cudnn", or_null(20, pick(random_, conda_cudnns))},
                                          {"sass", or_null(15, archs())},
                                          {"ptx", or_null(15, ptx())},
                                          {"glibc", glibc()}}));
        }
        if (chance(random_, 30))
          result["builds"].push_back(row({{"torch", version},
                                          {"channel", channel},
                                          {"cuda", nullptr},
                                          {"platform", platforms[0]},
                                          {"arm_variant", nullptr},
                                          {"spec", "pytorch==" + version},
                                          {"channels", Json::array({channel})},
                                          {"pythons", pythons()},
                                          {"cudnn", nullptr},
                                          {"sass", Json::array()},
                                          {"ptx", Json::array()},
                                          {"glibc", glibc()}}));
      }
    }
    return result;
  }

  Json images() {
    auto result = document();
    result["gates"] = Json::array();
    std::vector<std::pair<std::string, std::string>> gates;  // CUDA and id: of some CUDA none was read, of some several
    for (const auto* minor : minors_) {
      if (!chance(random_, 15)) gates.emplace_back(minor->cuda, minor->cuda);
      if (chance(random_, 25)) gates.emplace_back(minor->cuda, std::string(minor->cuda) + "@other");
    }
    for (const auto& [cuda, id] : gates) {
      Json exceptions = Json::array();
      for (const auto& branch : branches) {
        std::vector<const char*> brands;
        if (chance(random_, 25)) brands.push_back("tesla");
        if (chance(random_, 15)) brands.insert(brands.end(), {"geforce", "geforcertx", "titan", "titanrtx"});
        if (chance(random_, 10)) brands.push_back("quadro");
        for (const char* brand : brands) exceptions.push_back({{"brand", brand}, {"branch", branch}});
      }
      result["gates"].push_back(row({{"id", id}, {"cuda", cuda}, {"exceptions", exceptions}}));
    }
    result["cuda"] = Json::array();
    const auto gate_of = [&](const std::string& cuda) {
      std::vector<std::string> ids;
      for (const auto& [of, id] : gates) {
        if (of == cuda) ids.push_back(id);
      }
      return ids.empty() ? Json(nullptr) : or_null(15, pick(random_, ids));
    };
    const auto evidence = [&] {
      return pick(random_, std::vector<std::string>{"listed", "listed", "recipe", "used", "inferred", "used-doubtful"});
    };
    for (const auto* minor : minors_) {
      for (const auto* update : minor->updates) {
        for (const auto& system : systems_) {
          if (chance(random_, 40)) continue;
          for (const char* variant : {"base", "runtime", "devel"}) {
            for (const bool with_cudnn : {false, true}) {
              if (chance(random_, 35) || (with_cudnn && variant == std::string("base"))) continue;
              result["cuda"].push_back(
                  row({{"tag", std::string(update) + (with_cudnn ? "-cudnn8-" : "-") + variant + "-" + system},
                       {"cuda", update},
                       {"cudnn", with_cudnn ? Json("8") : Json(nullptr)},
                       {"variant", variant},
                       {"os", system},
                       {"evidence", evidence()},
                       {"status", pick(random_, std::vector<std::string>{"supported", "later", "eol", "dropped", "unknown"})},
                       {"gate", gate_of(minor->cuda)}}));
            }
          }
        }
      }
    }
    result["pytorch"] = Json::array();
    for (const auto& build : builds_) {
      if (build["cuda"].is_null() || build["platform"] != platforms[0]) continue;
      for (const char* variant : {"runtime", "devel"}) {
        if (chance(random_, 50)) continue;
        const bool conda_layout = chance(random_, 50);
        std::vector<std::string> inside;  // an image holds a Python that its torch has a wheel for
        for (const char* index : {"wheel_index", "package_index"}) {
          if (!build[index].is_null()) inside = build[index]["pythons"].get<std::vector<std::string>>();
        }
        if (inside.empty()) continue;
        result["pytorch"].push_back(
            row({{"tag", build["torch"].get<std::string>() + "-cuda" + build["cuda"].get<std::string>() + "-cudnn8-" + variant},
                 {"torch", build["torch"]},
                 {"cuda", build["cuda"]},
                 {"cudnn", "8"},
                 {"variant", variant},
                 {"evidence", evidence()},
                 {"layout", or_null(10, conda_layout ? "conda" : "system")},
                 {"os", or_null(50, pick(random_, systems_))},
                 {"python", or_null(30, pick(random_, inside))}}));
        const auto gate = gate_of(build["cuda"].get<std::string>());
        if (variant == std::string("devel") && chance(random_, 40) && !gate.is_null()) result["pytorch"].back()["gate"] = gate;
      }
    }
    return result;
  }

  Json tensorflow() {
    auto result = document();
    result["releases"] = Json::array();
    for (const char* version : {"2.10.0", "2.15.0"}) {
      if (chance(random_, 40)) continue;
      Json official = Json::array();
      if (chance(random_, 60)) {
        official.push_back({{"tag", std::string(version) + "-gpu"},
                            {"variant", "gpu"},
                            {"evidence", "used"},
                            {"os", or_null(40, pick(random_, systems_))},
                            {"python", or_null(30, "3.11")},
                            {"layout", or_null(30, "system")}});
        if (chance(random_, 40)) official.back()["cudnn"] = chance(random_, 50) ? "8" : "9";
      }
      result["releases"].push_back(row({{"version", version},
                                        {"pythons", pythons()},
                                        {"cuda", or_null(5, pick(random_, minors_)->cuda)},
                                        {"cudnn", or_null(5, "8.9")},
                                        {"pins", chance(random_, 40) ? Json(nullptr) : pins()},
                                        {"glibc", glibc()},
                                        {"sass", or_null(20, archs())},
                                        {"ptx", or_null(20, ptx())},
                                        {"images", official}}));
      if (chance(random_, 20)) result["releases"].back()["fails_on"] = {"8.6", "9.0"};
    }
    return result;
  }

  /// What [and-cuda] asks for. The cuDNN that TensorFlow was tested with is in every range.
  Json pins() {
    if (!tested_has_wheels_ || chance(random_, 30)) return Json::object();
    return {{"nvidia-cudnn-cu12",
             pick(random_, std::vector<std::string>{"==8.9.2.26", ">=8.9", "<10.0,>=8.9.2.26", "<9.5", ">=8.0,!=9.1.0.70"})}};
  }

  static Json pitfalls() {
    auto result = document();
    result["rules"] = Json::array();
    return result;
  }

  Random& random_;
  bool tested_has_wheels_ = false;  ///< of the cuDNN that TensorFlow was tested with
  std::vector<const Minor*> minors_;
  std::vector<std::string> systems_;
  std::vector<std::string> versions_;
  Json builds_;
};

std::string driver_text(Random& random) {
  const auto i = below(random, branches.size());
  switch (below(random, 5)) {
    case 0:
    case 1:
      return branches[i];
    case 2:
      return chance(random, 50) ? firsts[i] : latests[i];
    case 3:
      return ">=" + branches[i];
    default:
      return ">=" + branches[i] + ",<" + branches[std::min(branches.size() - 1, i + 1 + below(random, 3))];
  }
}

std::string gpu_text(Random& random, const MatrixFiles& files) {
  const auto& gpus = file(files, "gpus.json");
  if (!gpus["families"].empty() && chance(random, 10)) return "Family";
  if (chance(random, 20)) return pick(random, capabilities);
  auto name = gpus["gpus"][below(random, gpus["gpus"].size())]["name"].get<std::string>();
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string version_text(Random& random, const std::string& version, int least) {
  const auto dot = version.find('.', version.find('.') + 1);
  const auto shorter = dot == std::string::npos || least > 2 ? version : version.substr(0, dot);
  switch (below(random, 8)) {
    case 0:
      return ">=" + shorter;
    case 1:
      return "<" + shorter;
    case 2:
      return "==" + version;
    case 3:
      return ">" + shorter;
    case 4:
    case 5:
      return version;
    default:
      return shorter;
  }
}

}  // namespace

MatrixFiles random_matrix(Random& random) { return Maker(random).make(); }

std::string random_request(Random& random, const MatrixFiles& files) {
  std::string text;
  const auto add = [&](const std::string& field, const std::string& value) {
    if (!text.empty()) text += ' ';
    text += field + "=" + value;
  };
  const auto& torch = file(files, "torch.json");
  const auto& tensorflow = file(files, "tensorflow.json")["releases"];
  const auto& minors = file(files, "cuda.json")["minors"];
  // Few values leave room for an answer, many contradict each other.
  const int eagerness = static_cast<int>(10 + below(random, 40));
  const auto some = [&](int weight) { return chance(random, eagerness * weight / 10); };
  const auto any_release = [&](const char* field) -> std::string {
    const auto& release = torch["releases"][below(random, torch["releases"].size())];
    return release[field].is_null() ? std::string("0.15.0") : release[field].get<std::string>();
  };
  const bool with_tensorflow = !tensorflow.empty() && chance(random, 8);
  if (with_tensorflow) {
    add("tensorflow", chance(random, 50) ? "2" : tensorflow[below(random, tensorflow.size())]["version"].get<std::string>());
  } else if (some(20)) {
    auto version = version_text(random, any_release("version"), 1);
    if (chance(random, 8) && version.find_first_of("<>=") == std::string::npos) version += chance(random, 40) ? "+cpu" : "+cu121";
    add("torch", version);
  }
  if (!with_tensorflow && some(3)) add("torchvision", version_text(random, any_release("torchvision"), 1));
  if (!with_tensorflow && some(3)) add("torchaudio", version_text(random, any_release("torchaudio"), 1));
  if (some(15)) {
    auto cuda = minors[below(random, minors.size())]["cuda"].get<std::string>();
    if (chance(random, 10)) cuda = pick(random, all_minors).cuda;
    if (chance(random, 15)) {
      cuda = "cpu";
    } else if (chance(random, 15)) {
      cuda += "." + std::to_string(below(random, 3));
    } else if (chance(random, 20)) {
      cuda = cuda.substr(0, cuda.find('.'));
    } else {
      cuda = version_text(random, cuda, 2);
    }
    add("cuda", cuda);
  }
  if (some(4))
    add("cudnn", pick(random, std::vector<std::string>{"8", "8.9", "9", "9.1.0.70", ">=8.9", "8.7.0.84", "<9.1", "!=8.7"}));
  if (some(10))
    add("python", pick(random, std::vector<std::string>{"3.8", "3.9", "3.10", "3.11", "3.12", "3.13t", ">=3.10", ">=3.9,<3.12"}));
  const auto boards = some(18) ? 1 + (chance(random, 30) ? below(random, 3) : 0) : 0;
  for (std::size_t i = 0; i < boards; ++i) add("gpu", gpu_text(random, files));
  bool of_windows = boards == 0;  // its drivers are no ranges, and old boards do not work there
  if (some(15)) {
    const auto driver = driver_text(random);
    of_windows = of_windows && driver.find_first_not_of("0123456789.") == std::string::npos;
    add("driver", driver);
  }
  const auto hosts = some(4) ? 1 + below(random, 2) : 0;
  for (std::size_t i = 0; i < hosts; ++i) {
    auto host = "gpu=" + gpu_text(random, files);
    if (chance(random, 40)) host += ",gpu=" + gpu_text(random, files);
    if (chance(random, 60)) {
      auto driver = driver_text(random);
      if (driver.find(',') == std::string::npos) host += ",driver=" + driver;
    }
    add("host", host);
  }
  const auto& systems = file(files, "os.json")["os"];
  if (some(10)) add("os", systems[below(random, systems.size())]["id"].get<std::string>());
  if (some(5)) add("platform", pick(random, platforms));
  if (some(8)) add("variant", pick(random, std::vector<std::string>{"devel", "devel", "runtime"}));
  if (some(8)) add("installer", pick(random, std::vector<std::string>{"pip", "uv", "conda", "conda"}));
  if (some(10)) {
    std::string base =
        with_tensorflow ? "tensorflow" : pick(random, std::vector<std::string>{"slim", "cuda", "cuda", "pytorch", "pytorch"});
    // Without a draw, so that the seeds that once told keep their other requests.
    if (base == "pytorch" && text.size() % 3 == 0) base = "tensorflow";
    add("base", base);
  }
  // Without a draw, as above.
  if (const auto turn = text.size() % 9; turn < 3) {
    add("engine", turn == 0 ? "docker" : turn == 1 ? "docker-cdi" : "podman");
  } else if (turn == 3 && text.find("base=") == std::string::npos) {
    add("engine", "none");
  }
  if (of_windows && hosts == 0 && text.size() % 3 == 0) add("wsl", "true");
  if (some(3)) add("ptx", "true");
  if (some(4)) add("allow-inferred", "true");
  if (some(3)) add("prefer", pick(random, std::vector<std::string>{"newest", "smallest", "widest"}));
  return text;
}

}  // namespace envgen::property
