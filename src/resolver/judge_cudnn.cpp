#include "resolver/judge_cudnn.hpp"

#include "resolver/cudnn_choice.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;
using matrix::Tribool;

namespace {

/// False where every known cuDNN of these versions is for another CUDA. Of one that is not known nothing is said.
bool was_made_for(const Matrix& matrix, Version cuda, const VersionSpec& wanted) {
  bool for_another = false;
  for (const auto& row : matrix->cudnns) {
    if (!wanted.matches(row.version)) continue;
    const auto& majors = row.cuda_majors;
    const bool for_cuda = !cuda || majors.empty() || std::find(majors.begin(), majors.end(), cuda.at(1)) != majors.end();
    if (for_cuda) return true;
    for_another = true;
  }
  return !for_another;
}

/// The base, where it is what keeps a build from choosing its cuDNN.
ValueSet image_value(const Query& query, const Build& build) {
  return build.cudnn_choices.empty() ? 0 : set_of(query.base_value);
}

/// What no release of a choice of cuDNN satisfies. An official image has one of them: what falls by all falls there too.
bool judge_cudnn_choice(const Matrix& matrix, const Query& query, const Build& build, Court& court) {
  bool stop = false;
  each_choice_objection(matrix, query, build, [&](Tribool answer, ValueSet values, std::int16_t board) {
    const auto reason = board < 0 ? Reason::cudnn : Reason::cudnn_gpu;
    if (answer == Tribool::no) {
      stop = court.no(reason, values, board) || stop;
    } else if (chooses_cudnn(query, build)) {
      court.unknown(reason, values, board);
    }
  });
  return stop;
}

/// The cuDNN that was asked for.
bool judge_asked_cudnn(const Matrix& matrix, const Query& query, const Build& build, Court& court) {
  if (query.cudnn.value == no_value) return false;
  const auto blamed = set_of(query.cudnn.value) | image_value(query, build);
  const auto no = [&] { return court.no(Reason::cudnn, blamed); };
  if (build.cpu) return no();
  if (!build.cudnn) {
    if (!was_made_for(matrix, build.cuda, query.cudnn.spec)) return no();
    court.unknown(Reason::cudnn, blamed);
    return false;
  }
  switch (query.cudnn.spec.holds_under(build.cudnn)) {
    case VersionSpec::Holds::for_none:
      return no();
    case VersionSpec::Holds::for_some: {
      const auto* offered = matrix.offered_cudnn(build, query.os);
      if (offered == nullptr || !query.cudnn.spec.matches(offered->cudnn)) court.unknown(Reason::cudnn, blamed);
      return false;
    }
    case VersionSpec::Holds::for_all:
      return false;
  }
  return false;
}

}  // namespace

bool judge_cudnn(const Matrix& matrix, const Query& query, const Build& build, Court& court) {
  if (!build.cudnn_choices.empty() && judge_cudnn_choice(matrix, query, build, court)) return true;
  return !chooses_cudnn(query, build) && judge_asked_cudnn(matrix, query, build, court);
}

bool judge_cudnn_of_board(const Matrix& matrix, const Query& query, const Build& build, std::size_t board, const CodePath& path,
                          Court& court) {
  if (chooses_cudnn(query, build)) return false;
  const auto served = cudnn_serves(matrix, build, query.os, query.boards[board].capability, path);
  const auto subject = static_cast<std::int16_t>(board);
  const auto blamed = set_of(query.boards[board].value) | image_value(query, build);
  if (served == Tribool::no) return court.no(Reason::cudnn_gpu, blamed, subject);
  if (served == Tribool::unknown) court.unknown(Reason::cudnn_gpu, blamed, subject);
  return false;
}

}  // namespace envgen::resolver
