#include "check/asked.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "check/specifier.hpp"
#include "model/spelling.hpp"

namespace envgen::check {
namespace {

/// `torch==2.3` -> `==2.3`, `cuda12.1` -> `12.1`.
std::string_view without_package(std::string_view text, std::string_view package) {
  if (text.starts_with(package)) text.remove_prefix(package.size());
  return without_spaces_around(text);
}

/// The names that other tools use for the two platforms.
std::string_view platform_name(std::string_view text) {
  if (text == "x86_64" || text == "amd64" || text == "linux/amd64") return name_of(Platform::linux_x86_64);
  if (text == "aarch64" || text == "arm64" || text == "linux/arm64") return name_of(Platform::linux_aarch64);
  return text;
}

class Reader {
 public:
  Reader(const matrix::Matrix& matrix, std::vector<std::string>& violations) : matrix_(matrix), violations_(violations) {}

  Asked run(const Request& request) {
    for (const auto& value : request.values) {
      const auto text = without_spaces_around(value.text);
      asked_.wants_tensorflow = asked_.wants_tensorflow || value.field == Field::tensorflow;
      if (text != "auto" && text != "latest") field(value.field, text);
    }
    // A bare driver drives what names none; without any machine it is one by itself.
    if (!driver_.empty() && asked_.machines.empty()) asked_.machines.emplace_back();
    for (auto& machine : asked_.machines) {
      if (machine.driver.empty()) machine.driver = driver_;
    }
    // An official image of TensorFlow asks for its framework, unless torch is named.
    const auto names_torch = [](const RequestValue& value) {
      return value.field == Field::torch || value.field == Field::torchvision || value.field == Field::torchaudio;
    };
    if (asked_.base == name_of(Base::tensorflow) && std::none_of(request.values.begin(), request.values.end(), names_torch))
      asked_.wants_tensorflow = true;
    return std::move(asked_);
  }

 private:
  void field(Field field, std::string_view text) {
    switch (field) {
      case Field::torch:
        framework(without_package(text, "py"), "torch", asked_.torch);
        break;
      case Field::tensorflow:
        framework(text, "tensorflow", asked_.tensorflow);
        break;
      case Field::torchvision:
        asked_.torchvision = without_package(text, "torchvision");
        break;
      case Field::torchaudio:
        asked_.torchaudio = without_package(text, "torchaudio");
        break;
      case Field::cuda:
        cuda(text);
        break;
      case Field::cudnn:
        asked_.cudnn = without_package(text, "cudnn");
        break;
      case Field::python:
        asked_.python = without_package(text, "python");
        break;
      case Field::driver:
        driver_ = text;
        break;
      case Field::gpu:
        asked_.machines.push_back({{}, {board(text)}});
        break;
      case Field::host:
        host(text);
        break;
      case Field::os:
        asked_.os = lower(text);
        std::erase(asked_.os, ' ');
        break;
      case Field::platform:
        asked_.platform = platform_name(text);
        break;
      case Field::variant:
        asked_.variant = text;
        break;
      case Field::installer:
        asked_.installer = text;
        break;
      case Field::base:
        asked_.base = text;
        break;
      case Field::prefer:
        break;  // an order, which no single answer can break
      case Field::ptx:
        asked_.ptx = text != "false";
        break;
      case Field::allow_inferred:
        asked_.inferred_tags = text != "false";
        break;
    }
  }

  void framework(std::string_view text, std::string_view package, std::string_view& version) {
    text = without_package(text, package);
    const auto plus = text.find('+');
    version = text.substr(0, plus);
    if (plus == std::string_view::npos) return;
    asked_.tag = lower(text.substr(plus + 1));
    if (asked_.tag == "cpu") asked_.cpu = true;
  }

  void cuda(std::string_view text) {
    auto spelled = lower(text);
    if (spelled == "cpu" || spelled == "none") {
      asked_.cpu = true;
    } else {
      asked_.cuda.emplace_back(without_package(spelled, "cuda"));
    }
  }

  std::size_t board(std::string_view text) {
    AskedBoard board{text, matrix_.gpus_named(text), {}, false};
    const auto beside_arm = [](const matrix::Gpu& row) { return row.arm_only == matrix::Answer::yes; };
    if (board.rows.empty()) {
      if (const auto capability = Capability::parse(text)) {
        board.capability = *capability;
        const auto has = [&](const matrix::Gpu& row) { return row.capability == *capability; };
        const auto& all = matrix_->gpus;
        board.arm_only =
            std::any_of(all.begin(), all.end(), has) &&
            std::all_of(all.begin(), all.end(), [&](const matrix::Gpu& row) { return !has(row) || beside_arm(row); });
      } else {
        violations_.push_back(fmt::format("request: no board and no compute capability is called {}", text));
      }
    } else {
      board.capability = board.rows.front()->capability;
      board.arm_only =
          std::any_of(board.rows.begin(), board.rows.end(), [&](const matrix::Gpu* row) { return beside_arm(*row); });
      for (const auto* row : board.rows) {
        if (row->capability != board.capability)
          violations_.push_back(fmt::format("request: {} may be a {} or a {}, whose capabilities differ", text,
                                            board.rows.front()->name.view(), row->name.view()));
      }
    }
    asked_.boards.push_back(std::move(board));
    return asked_.boards.size() - 1;
  }

  void host(std::string_view text) {
    AskedMachine machine;
    while (!text.empty()) {
      auto part = cut(text, ',');
      const auto name = without_spaces_around(cut(part, '='));
      part = without_spaces_around(part);
      if (name == "gpu") {
        machine.boards.push_back(board(part));
      } else if (name == "driver") {
        machine.driver = part;
      } else {
        violations_.push_back(fmt::format("request: {} says nothing of a host", name));
      }
    }
    asked_.machines.push_back(std::move(machine));
  }

  const matrix::Matrix& matrix_;
  std::vector<std::string>& violations_;
  Asked asked_;
  std::string_view driver_;
};

}  // namespace

Asked read(const matrix::Matrix& matrix, const Request& request, std::vector<std::string>& violations) {
  return Reader(matrix, violations).run(request);
}

}  // namespace envgen::check
