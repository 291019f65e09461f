#include "check/asked.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "check/specifier.hpp"
#include "matrix/gpu_names.hpp"
#include "model/spelling.hpp"
#include "model/usual_spelling.hpp"

namespace envgen::check {
namespace {

/// `torch==2.3` -> `==2.3`, `cuda12.1` -> `12.1`, `v2.3` -> `2.3`.
std::string_view without_package(std::string_view text, std::string_view package) {
  if (text.starts_with(package)) text.remove_prefix(package.size());
  if (text.size() > 1 && text.front() == 'v' && is_digit(text[1])) text.remove_prefix(1);
  return without_spaces_around(text);
}

/// The names that other tools use for the two platforms.
std::string_view platform_name(std::string_view text) {
  if (text == "x86_64" || text == "x64" || text == "linux-64" || text == "amd64" || text == "linux/amd64")
    return name_of(Platform::linux_x86_64);
  if (text == "aarch64" || text == "arm64" || text == "linux/arm64") return name_of(Platform::linux_aarch64);
  return text;
}

class Reader {
 public:
  Reader(const matrix::Matrix& matrix, std::vector<std::string>& violations) : matrix_(matrix), violations_(violations) {}

  Asked run(const Request& request) {
    for (const auto& value : request.values) {
      const auto text = usual_spelling(value.field, value.text);
      if (text != "auto" && text != "latest" && text != "stable") field(value.field, text);
    }
    asked_.image_runs = request.start_image_runs;
    // A bare driver drives what names none; without any machine it is one by itself.
    const auto driver = asked_[Field::driver];
    if (!driver.empty() && asked_.machines.empty()) asked_.machines.emplace_back();
    for (auto& machine : asked_.machines) {
      if (machine.driver.empty()) machine.driver = driver;
      if (auto of_file = driver_of_windows_file(machine.driver); asked_.wsl && !of_file.empty())
        machine.driver = std::move(of_file);
    }
    // An official image of TensorFlow asks for its framework, unless torch is named.
    const auto names = [&](Field field) { return request.find(field) != nullptr; };
    const bool by_image = asked_[Field::base] == name_of(Base::tensorflow) && !names(Field::torch) &&
                          !names(Field::torchvision) && !names(Field::torchaudio);
    if (by_image || names(Field::tensorflow)) asked_.framework = Framework::tensorflow;
    return std::move(asked_);
  }

 private:
  void field(Field field, std::string_view text) {
    switch (field) {
      case Field::torch:
        return framework(field, without_package(text, "py"));
      case Field::tensorflow:
        return framework(field, text);
      case Field::torchvision:
      case Field::torchaudio:
      case Field::cudnn:
      case Field::python:
        asked_[field] = without_package(text, name_of(field));
        return;
      case Field::cuda:
        return cuda(lower(text));
      case Field::gpu:
        asked_.machines.push_back({{}, {board(text)}});
        return;
      case Field::host:
        return host(text);
      case Field::os:
        if (const auto* os = matrix_.os_as_written(text)) {
          asked_.os = os->id.view();
        } else {
          asked_.os = text;
        }
        return;
      case Field::platform:
        asked_[field] = platform_name(text);
        return;
      case Field::ptx:
        asked_.ptx = text != "false";
        return;
      case Field::allow_inferred:
        asked_.inferred_tags = text != "false";
        return;
      case Field::wsl:
        asked_.wsl = text != "false";
        return;
      case Field::driver:
      case Field::variant:
      case Field::installer:
      case Field::base:
      case Field::engine:
      case Field::prefer:  // an order, which no single answer can break
        asked_[field] = text;
    }
  }

  void framework(Field field, std::string_view text) {
    text = without_package(text, name_of(field));
    const auto plus = text.find('+');
    asked_[field] = text.substr(0, plus);
    if (plus == std::string_view::npos) return;
    asked_.tag = lower(text.substr(plus + 1));
    if (asked_.tag == "cpu") asked_.cpu = true;
  }

  void cuda(const std::string& text) {
    if (text == "cpu" || text == "none") {
      asked_.cpu = true;
    } else {
      constexpr std::size_t of_major = 4;  // cu12, which is no tag
      const bool dotted = text.find('.') != std::string::npos;
      auto version = without_package(text, "cuda");
      if (version.starts_with("cu") && (dotted || (version.size() == of_major && version[2] == '1'))) version.remove_prefix(2);
      asked_.cuda.emplace_back(version);
    }
  }

  std::size_t board(std::string_view text) {
    text = matrix_.gpu_without_count(text);
    AskedBoard board{text, matrix_.gpus_named(text), {}};
    board.mig = matrix::slice_of(text).has_value();
    if (board.mig) std::erase_if(board.rows, [](const matrix::Gpu* row) { return row->mig == 0; });
    if (!board.rows.empty()) {
      board.capability = board.rows.front()->capability;
      for (const auto* row : board.rows) {
        board.classes.insert(row->gpu_class);
        board.arm_only = board.arm_only || row->arm_only == matrix::Tribool::yes;
        if (row->capability != board.capability)
          violations_.push_back(fmt::format("request: {} and {} are a {} of different capabilities",
                                            board.rows.front()->name.view(), row->name.view(), text));
      }
    } else if (const auto capability = Capability::parse(lower(text))) {
      board.capability = *capability;
      board.arm_only = matrix_.only_beside_arm(*capability);
      for (const auto& row : matrix_->gpus) {
        if (row.capability == *capability) board.classes.insert(row.gpu_class);
      }
    } else {
      violations_.push_back(fmt::format("request: no board and no compute capability is called {}", text));
    }
    board.drivers = matrix_.gpu_driver(board.capability);
    asked_.boards.push_back(std::move(board));
    return asked_.boards.size() - 1;
  }

  void host(std::string_view text) {
    AskedMachine machine;
    while (!text.empty()) {
      auto value = cut(text, ',');
      const bool bare = value.find('=') == std::string_view::npos;  // 4xA100
      const auto name = bare ? std::string_view("gpu") : cut(value, '=');
      value = without_spaces_around(value);
      if (name == "gpu") {
        machine.boards.push_back(board(value));
      } else if (name == "driver") {
        machine.driver = usual_spelling(Field::driver, value);
      } else {
        violations_.push_back(fmt::format("request: {} says nothing of a host", name));
      }
    }
    asked_.machines.push_back(std::move(machine));
  }

  const matrix::Matrix& matrix_;
  std::vector<std::string>& violations_;
  Asked asked_;
};

}  // namespace

Asked read(const matrix::Matrix& matrix, const Request& request, std::vector<std::string>& violations) {
  return Reader(matrix, violations).run(request);
}

}  // namespace envgen::check
