#include "validate/self_report.hpp"

#include "util/json_members.hpp"
#include "util/json_text.hpp"

namespace envgen::validate {

namespace {

std::optional<std::vector<CompiledPackage>> compiled_packages(const Json& json) {
  const auto* listed = util::member(json, "extensions");
  if (listed == nullptr || !listed->is_array()) return std::nullopt;
  std::vector<CompiledPackage> packages;
  for (const auto& row : *listed) {
    CompiledPackage one;
    one.name = util::text_member(row, "name").value_or("");
    one.version = util::text_member(row, "version").value_or("");
    one.targets = util::texts_member(row, "targets");
    one.error = util::text_member(row, "error").value_or("");
    if (const auto* built_for = util::member(row, "built_for"); built_for != nullptr) {
      one.torch = util::text_member(*built_for, "torch");
      one.cuda = util::text_member(*built_for, "cuda");
    }
    packages.push_back(std::move(one));
  }
  return packages;
}

}  // namespace

PythonTold python_told(Launched launched, const std::string& nonce) {
  PythonTold told;
  auto report = parse_self_report(launched.out, nonce);
  if (launched.end == Launched::End::done || (report && !report->doing.empty())) told.report = std::move(report);
  told.launched = std::move(launched);
  return told;
}

Expected<SelfReport> parse_self_report(const std::string& text, const std::string& nonce) {
  const auto end = text.find_last_not_of('\n');
  const auto begin = end == std::string::npos ? end : text.rfind('\n', end);
  const auto last = begin == std::string::npos ? text : text.substr(begin + 1);
  const auto json = util::parse_json(last, "output of the image's Python", {.what = "report"});
  if (!json) return tl::unexpected(json.error());
  SelfReport report;
  report.python = util::text_member(*json, "python").value_or("");
  if (report.python.empty()) return fail(ErrorCode::bad_input, "it does not report its version", "output of the image's Python");
  if (util::text_member(*json, "nonce") != nonce)
    return fail(ErrorCode::bad_input,
                "it does not return the nonce it was given: another program printed this, not envgen's script",
                "output of the image's Python");
  report.library = util::text_member(*json, "library").value_or("");
  report.file = util::text_member(*json, "file").value_or("");
  report.framework = util::text_member(*json, "framework").value_or("");
  report.error = util::text_member(*json, "error").value_or("");
  report.doing = util::text_member(*json, "doing").value_or("");
  report.imported = util::flag_member(*json, "imported").value_or(false);
  report.version = util::text_member(*json, "version").value_or("");
  report.cuda = util::text_member(*json, "cuda");
  report.cudnn = util::number_member(*json, "cudnn");
  report.nccl = util::text_member(*json, "nccl");
  report.archs = util::texts_member(*json, "archs");
  report.prefix = util::text_member(*json, "prefix").value_or("");
  report.free_threaded = util::flag_member(*json, "free_threaded").value_or(false);
  report.gpu_error = util::text_member(*json, "gpu_error").value_or("");
  if (const auto* products = util::member(*json, "products"); products != nullptr && products->is_array()) {
    for (const auto& one : *products) {
      Product product{util::number_member(one, "device").value_or(0), util::text_member(one, "error").value_or(""),
                      util::real_member(one, "off")};
      report.products.push_back(std::move(product));
    }
  }
  report.sees_gpu = util::flag_member(*json, "sees_gpu");
  report.gpus = util::number_member(*json, "gpus").value_or(0);
  report.nvcc = util::text_member(*json, "nvcc");
  report.extensions = compiled_packages(*json);
  return report;
}

}  // namespace envgen::validate
