#include "cli/examples.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace envgen::cli {
namespace {

constexpr auto all_examples = std::to_array<Example>({
    {"envgen", "envgen resolve --gpu 5090"},
    {"envgen", "envgen why torch 2.4 gpu 5090 wsl"},
    {"envgen", "envgen render dockerfile --torch 2.6 --gpu A100 --pip flash-attn -o ./"},
    {"envgen", "envgen explain train.log"},
    {"resolve", "envgen resolve --torch 2.3 --cuda 12.1 --gpu 4090"},
    {"resolve", "envgen resolve --gpu 4xH200 --driver 550.90.07"},
    {"resolve", "envgen resolve --gpu auto --driver auto --installer uv --json"},
    {"why", "envgen why torch 2.3 gpu 5090"},
    {"why", "envgen why torch 2.6 cuda 12.4 driver 470"},
    {"init", "envgen init dockerfile compose --torch 2.6 --gpu A100"},
    {"init", "envgen init --gpu auto --driver auto"},
    {"lock", "envgen lock"},
    {"lock", "envgen lock --check"},
    {"lock", "envgen lock --freeze"},
    {"diff", "envgen diff before.lock envgen.lock --json"},
    {"diff", "envgen diff old.lock new.lock"},
    {"schema", "envgen schema"},
    {"schema", "envgen schema envgen > envgen.schema.json"},
    {"generate", "envgen generate"},
    {"generate", "envgen generate --check"},
    {"generate", "envgen generate --diff"},
    {"render", "envgen render dockerfile --torch 2.6 --gpu A100 --pip flash-attn -o ./"},
    {"render", "envgen render conda --torch 2.3 --gpu V100"},
    {"render", "envgen render devcontainer --gpu auto --driver auto -o ./"},
    {"list", "envgen list torch --gpu 5090"},
    {"list", "envgen list images --torch 2.6"},
    {"list", "envgen list gpus"},
    {"list torch", "envgen list torch --torch 2.6"},
    {"list torch", "envgen list torch --gpu 5090 --cuda '>=12.8'"},
    {"list tensorflow", "envgen list tensorflow --gpu T4"},
    {"list tensorflow", "envgen list tensorflow --cuda 12.2"},
    {"list cuda", "envgen list cuda --gpu 5090"},
    {"list cuda", "envgen list cuda --os ubuntu24.04"},
    {"list cudnn", "envgen list cudnn --cuda 12.4"},
    {"list cudnn", "envgen list cudnn --gpu V100"},
    {"list drivers", "envgen list drivers --gpu H200"},
    {"list drivers", "envgen list drivers --cuda 12.8"},
    {"list gpus", "envgen list gpus --arch Hopper"},
    {"list gpus", "envgen list gpus --class datacenter --json"},
    {"list images", "envgen list images --torch 2.6"},
    {"list images", "envgen list images --repo cuda --cuda 12.4 --os ubuntu22.04"},
    {"list os", "envgen list os"},
    {"list os", "envgen list os --json"},
    {"list presets", "envgen list presets"},
    {"list presets", "envgen resolve --preset colab-t4"},
    {"list mirrors", "envgen list mirrors"},
    {"list mirrors", "envgen list mirrors --json"},
    {"list diagnoses", "envgen list diagnoses"},
    {"list diagnoses", "envgen explain cuda-209"},
    {"show", "envgen show gpu 4090"},
    {"show", "envgen show torch 2.6"},
    {"show", "envgen show driver 535"},
    {"show torch", "envgen show torch 2.6"},
    {"show torch", "envgen show torch 2.3.1 --json"},
    {"show tensorflow", "envgen show tensorflow"},
    {"show tensorflow", "envgen show tensorflow 2.15"},
    {"show gpu", "envgen show gpu 4090"},
    {"show gpu", "envgen show gpu 10de:2684"},
    {"show gpu", "envgen show gpu 8.6"},
    {"show cuda", "envgen show cuda 12.1"},
    {"show cuda", "envgen show cuda 12.1.1"},
    {"show cudnn", "envgen show cudnn 9.1"},
    {"show cudnn", "envgen show cudnn 8 --json"},
    {"show driver", "envgen show driver 535"},
    {"show driver", "envgen show driver 535.183.01"},
    {"show image", "envgen show image nvidia/cuda:12.1.1-devel-ubuntu22.04"},
    {"show image", "envgen show image pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime"},
    {"show os", "envgen show os"},
    {"show os", "envgen show os jammy"},
    {"explain", "envgen explain train.log"},
    {"explain", "docker run --gpus all IMAGE 2>&1 | envgen explain"},
    {"explain", "envgen explain 'no kernel image is available for execution on the device'"},
    {"validate", "envgen validate my-image"},
    {"validate", "envgen validate my-image --profile build"},
    {"validate", "envgen validate my-image --format junit --output report.xml"},
    {"bench", "envgen bench"},
    {"bench", "envgen bench --format json"},
    {"checks", "envgen checks"},
    {"checks", "envgen checks --json"},
    {"report", "envgen report html report.json -o report.html"},
    {"report", "envgen report diff monday.json today.json"},
    {"report html", "envgen report html report.json -o report.html"},
    {"report html", "envgen report html report.json"},
    {"report junit", "envgen report junit report.json"},
    {"report junit", "envgen report junit report.json -o report.xml"},
    {"report markdown", "envgen report markdown report.json"},
    {"report markdown", "envgen report markdown report.json -o report.md"},
    {"report github", "envgen report github report.json"},
    {"report github", "envgen report github report.json -o report.txt"},
    {"report text", "envgen report text report.json"},
    {"report text", "envgen report text report.json -o report.txt"},
    {"report diff", "envgen report diff monday.json today.json"},
    {"report diff", "envgen report diff a.json b.json --tolerance 5"},
    {"gpus", "envgen gpus --rank bf16"},
    {"gpus", "envgen gpus --rank memory --limit 10"},
    {"inspect", "envgen inspect torch-2.6.0-cp312-cp312-manylinux1_x86_64.whl"},
    {"inspect", "envgen inspect my-image"},
    {"inspect", "envgen inspect libtorch_cuda.so --json"},
    {"matrix", "envgen matrix update"},
    {"matrix", "envgen matrix info"},
    {"matrix", "envgen matrix export markdown"},
    {"matrix update", "envgen matrix update"},
    {"matrix update", "envgen matrix update --source package-index --dry-run"},
    {"matrix verify", "envgen matrix verify"},
    {"matrix verify", "envgen matrix verify --against-image my-image"},
    {"matrix add", "envgen matrix add torch 2.16.0"},
    {"matrix add", "envgen matrix add torch 2.16.0 ./torch-2.16.0.whl"},
    {"matrix lint", "envgen matrix lint"},
    {"matrix lint", "envgen matrix lint ./matrix"},
    {"matrix info", "envgen matrix info"},
    {"matrix info", "envgen matrix info --json"},
    {"matrix export", "envgen matrix export json -o facts"},
    {"matrix export", "envgen matrix export markdown -o compatibility.md"},
    {"completion", "source <(envgen completion bash)"},
    {"completion", "envgen completion fish | source"},
    {"man", "envgen man > envgen.1"},
    {"man", "envgen man | man -l -"},
});

/// The lines of `command`, else of what it is a part of: each view of a report has those of `report`.
std::string lines_of(std::string_view command) {
  std::string text;
  for (const auto& example : all_examples) {
    if (example.command == command) text += fmt::format("\n  {}", example.line);
  }
  const auto space = command.rfind(' ');
  return text.empty() && space != std::string_view::npos ? lines_of(command.substr(0, space)) : text;
}

void add_examples_of(CLI::App& app, const std::string& command) {
  if (const auto lines = lines_of(command); !lines.empty())
    app.footer(fmt::format("{}{}Examples:{}", app.get_footer(), app.get_footer().empty() ? "" : "\n\n", lines));
  for (auto* child : app.get_subcommands([](const CLI::App*) { return true; }))
    add_examples_of(*child, fmt::format("{} {}", command, child->get_name()));
}

}  // namespace

std::span<const Example> examples() { return all_examples; }

void add_examples(CLI::App& command) { add_examples_of(command, command.get_name()); }

}  // namespace envgen::cli
