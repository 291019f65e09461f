#include "render/answer_json.hpp"

#include "render/proof.hpp"

namespace envgen::render {

using util::JsonWriter;

namespace {

std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::internal:
      return "internal";
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::bad_input:
      return "bad_input";
    case ErrorCode::missing:
      return "missing";
    case ErrorCode::network:
      return "network";
    case ErrorCode::interrupted:
      return "interrupted";
    case ErrorCode::differs:
      return "differs";
  }
  return "internal";
}

void write_build(JsonWriter& json, std::string_view name, const std::optional<Environment::FrameworkBuild>& build) {
  json.key(name);
  if (!build) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("version", build->version).member("cuda", build->cuda).member("tag", build->tag);
  if (name == "torch") json.member("torchvision", build->torchvision).member("torchaudio", build->torchaudio);
  json.member("index_url", build->index_url).member("on_package_index", build->on_package_index);
  json.key("official");
  if (build->official) {
    json.value(*build->official);
  } else {
    json.null();
  }
  json.member("toolkit", build->toolkit)
      .member("archs", build->archs)
      .member("ptx", build->ptx)
      .member("pythons", build->pythons);
  json.member("triton", build->triton).member("nccl", build->nccl).member("glibc", build->glibc);
  json.member("conda_spec", build->conda_spec).member("conda_channels", build->conda_channels);
  if (name == "tensorflow") {
    json.key("cuda_pins").begin_object();
    for (const auto& [package, spec] : build->cuda_pins) json.member(package, spec);
    json.end_object();
  }
  json.end_object();
}

void write_head(JsonWriter& json, const matrix::Matrix& matrix) {
  json.member("schema_version", schema_version);
  json.key("matrix").begin_object().member("revision", matrix->revision.view());
  const auto* newest = matrix.newest(Framework::torch);
  json.member("newest_torch", newest == nullptr ? std::string_view() : newest->text.view());
  json.end_object();
}

void write_conflict(JsonWriter& json, const matrix::Matrix& matrix, const resolver::Query& query,
                    const resolver::Conflict& conflict) {
  json.key("conflict").begin_object();
  json.key("values").begin_array();
  for (const auto index : conflict.values) {
    const auto& value = query.values[static_cast<std::size_t>(index)];
    json.begin_object()
        .member("field", name_of(value.field))
        .member("value", value.text)
        .member("origin", name_of(value.origin))
        .end_object();
  }
  json.end_array();
  const auto proof = proof_of(matrix, query, conflict);
  json.member("proof", proof.lines);
  json.key("facts").begin_array();
  for (const auto source : proof.sources) {
    const auto& row = matrix.source(source);
    json.begin_object().member("source", row.what.view());
    json.key("url");
    if (row.url.empty()) {
      json.null();
    } else {
      json.value(row.url.view());
    }
    json.member("read", row.read.view()).end_object();
  }
  json.end_array();
  json.key("nearest").begin_array();
  for (const auto& nearest : conflict.nearest) {
    json.begin_object().key("changes").begin_array();
    for (const auto& change : nearest.changes) {
      json.begin_object().member("field", name_of(change.field)).member("from", change.from).key("to");
      if (change.to.empty()) {
        json.null();
      } else {
        json.value(change.to);
      }
      json.end_object();
    }
    json.end_array().key("environment");
    write_environment(json, nearest.environment);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_frozen(JsonWriter& json, const Environment::Frozen& frozen) {
  json.key("frozen").begin_object().member("by", frozen.by).member("requirements", frozen.requirements);
  json.key("packages").begin_array();
  for (const auto& package : frozen.packages)
    json.begin_object()
        .member("name", package.name)
        .member("version", package.version)
        .member("hashes", package.hashes)
        .end_object();
  json.end_array();
  if (!frozen.images.empty()) {
    json.key("images").begin_array();
    for (const auto& image : frozen.images)
      json.begin_object().member("image", image.name).member("digest", image.digest).end_object();
    json.end_array();
  }
  json.end_object();
}

}  // namespace

void write_request(JsonWriter& json, const Request& request) {
  json.begin_object();
  const auto list = [&](Field field, std::string_view name) {
    if (request.find(field) == nullptr) return;
    json.key(name).begin_array();
    for (const auto& value : request.values) {
      if (value.field == field) json.value(value.text);
    }
    json.end_array();
  };
  for (const auto& value : request.values) {
    if (value.field == Field::gpu || value.field == Field::host) continue;
    if (value.field == Field::ptx || value.field == Field::allow_inferred) {
      json.member(value.field == Field::ptx ? "ptx" : "allow_inferred", value.text == "true");
    } else {
      json.member(name_of(value.field), value.text);
    }
  }
  list(Field::gpu, "gpus");
  list(Field::host, "hosts");
  json.end_object();
}

namespace {

void write_number(JsonWriter& json, std::string_view name, const std::optional<int>& number) {
  json.key(name);
  if (number) {
    json.value(*number);
  } else {
    json.null();
  }
}

void write_system(JsonWriter& json, const std::optional<Environment::System>& system) {
  if (!system) {
    json.null();
    return;
  }
  json.begin_object().member("family", system->family).member("version", system->version).member("image", system->image);
  write_number(json, "gcc", system->gcc);
  json.key("pep668");
  if (system->pep668) {
    json.value(*system->pep668);
  } else {
    json.null();
  }
  json.end_object();
}

void write_range(JsonWriter& json, const Environment::DriverRange& range) {
  json.member("minimum", range.minimum).member("last_branch", range.last_branch);
}

}  // namespace

void write_environment(JsonWriter& json, const Environment& environment) {
  json.begin_object();
  write_build(json, "torch", environment.torch);
  write_build(json, "tensorflow", environment.tensorflow);
  json.key("cuda");
  if (environment.build().tag != "cpu") {  // the update may be unknown, the CUDA is there
    json.begin_object().member("toolkit", environment.cuda_toolkit);
    write_number(json, "gcc_max", environment.gcc_max);
    json.member("conda_label", environment.conda_label);
    json.end_object();
  } else {
    json.null();
  }
  json.key("cudnn");
  if (environment.cudnn) {
    json.begin_object().member("version", environment.cudnn->version);
    write_number(json, "major", environment.cudnn->major);
    json.member("from", environment.cudnn->from).end_object();
  } else {
    json.null();
  }
  json.member("python", environment.python)
      .member("python_provider", name_of(environment.python_provider))
      .member("pythons", environment.pythons);
  json.key("driver");
  if (environment.driver) {
    json.begin_object();
    if (environment.driver->asked) json.member("asked", environment.driver->asked);
    write_range(json, environment.driver->range);
    json.member("native", environment.driver->native).member("carried_by", environment.driver->carried_by);
    json.key("machines").begin_array();
    for (const auto& machine : environment.driver->machines) {
      json.begin_object().member("gpus", machine.gpus);
      if (machine.asked) json.member("asked", machine.asked);
      write_range(json, machine.range);
      json.member("carried_by", machine.carried_by);
      if (machine.compat) json.member("compat", machine.compat);
      json.end_object();
    }
    json.end_array();
    if (environment.driver->compat_image) json.member("compat_image", environment.driver->compat_image);
    json.end_object();
  } else {
    json.null();
  }
  json.key("gpus").begin_array();
  for (const auto& gpu : environment.gpus)
    json.begin_object()
        .member("name", gpu.name)
        .member("capability", gpu.capability)
        .member("runs", gpu.runs)
        .member("via", gpu.via)
        .member("nvcc", gpu.nvcc)
        .end_object();
  json.end_array();
  json.member("os", environment.os).key("system");
  write_system(json, environment.system);
  json.member("platform", name_of(environment.platform)).member("variant", name_of(environment.variant));
  json.member("installer", name_of(environment.installer)).member("base", name_of(environment.base));
  const auto& images = environment.images;
  json.key("images").begin_object();
  json.member("devel", images.devel)
      .member("devel_cudnn", images.devel_cudnn)
      .member("runtime", images.runtime)
      .member("runtime_cudnn", images.runtime_cudnn);
  json.member("official_devel", images.official_devel).member("official_runtime", images.official_runtime).end_object();
  json.member("image_layout", environment.image_layout);
  json.end_object();
}

void write_advice(JsonWriter& json, const Environment& environment) {
  json.key("pins").begin_array();
  for (const auto& pin : environment.pins)
    json.begin_object()
        .member("package", pin.package)
        .member("spec", pin.spec)
        .member("why", pin.why)
        .member("source", pin.source)
        .end_object();
  json.end_array();
  json.key("env").begin_object();
  for (const auto& [name, value] : environment.env) json.member(name, value);
  json.end_object();
  json.member("warnings", environment.warnings);
  json.key("reasons").begin_array();
  for (const auto& reason : environment.reasons)
    json.begin_object()
        .member("field", reason.field)
        .member("value", reason.value)
        .member("why", reason.why)
        .member("sources", reason.sources)
        .end_object();
  json.end_array();
  if (environment.frozen) write_frozen(json, *environment.frozen);
}

namespace {

void begin_answer(JsonWriter& json, const matrix::Matrix& matrix, const Request& request) {
  json.begin_object();
  write_head(json, matrix);
  json.key("request");
  write_request(json, request);
}

void write_explanation(JsonWriter& json, const Explanation& explanation) {
  json.key("explain").begin_array();
  for (const auto& removal : explanation.removals) {
    const auto& value = explanation.query.values[static_cast<std::size_t>(removal.value)];
    json.begin_object()
        .member("field", name_of(value.field))
        .member("value", value.text)
        .member("before", removal.before)
        .member("after", removal.after);
    json.key("removed").begin_array();
    for (const auto* build : removal.removed) json.value(build_label(*build));
    json.end_array().end_object();
  }
  json.end_array();
}

std::string end_answer(JsonWriter& json, const Explanation* explanation) {
  if (explanation != nullptr) write_explanation(json, *explanation);
  json.end_object();
  return json.take();
}

}  // namespace

std::string environment_json(const matrix::Matrix& matrix, const Request& request, const Environment& environment, int indent,
                             const Explanation* explanation) {
  JsonWriter json(indent);
  begin_answer(json, matrix, request);
  json.key("environment");
  write_environment(json, environment);
  write_advice(json, environment);
  return end_answer(json, explanation);
}

std::string refusal_json(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                         const resolver::Answer& answer, int indent, const Explanation* explanation) {
  JsonWriter json(indent);
  begin_answer(json, matrix, request);
  if (const auto* conflict = std::get_if<resolver::Conflict>(&answer)) {
    write_conflict(json, matrix, query, *conflict);
  } else {
    const auto missing = missing_of(matrix, query, std::get<resolver::Unknown>(answer));
    json.key("unknown").begin_object().member("missing", missing.facts).member("message", missing.message).end_object();
  }
  return end_answer(json, explanation);
}

std::string error_json(const Error& error, int indent) {
  JsonWriter json(indent);
  json.begin_object().member("schema_version", schema_version).key("error").begin_object();
  json.member("code", code_name(error.code))
      .member("message", error.message)
      .member("origin", error.origin)
      .member("hints", error.hints);
  json.end_object().end_object();
  return json.take();
}

}  // namespace envgen::render
