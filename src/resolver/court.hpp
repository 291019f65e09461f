#pragma once

#include <algorithm>
#include <vector>

#include "resolver/query.hpp"

namespace envgen::resolver {

/// Collects objections, or remembers only the verdict when nobody asks for them.
class Court {
 public:
  explicit Court(std::vector<Objection>* objections) : objections_(objections) {}
  /// Each returns true when the judge may stop.
  bool no(Reason reason, ValueSet values, std::int16_t subject = -1) {
    answer_ = matrix::Tribool::no;
    if (objections_ != nullptr) objections_->push_back({reason, false, values, subject});
    return objections_ == nullptr;
  }
  void unknown(Reason reason, ValueSet values, std::int16_t subject = -1) {
    if (answer_ == matrix::Tribool::yes) answer_ = matrix::Tribool::unknown;
    if (objections_ != nullptr) objections_->push_back({reason, true, values, subject});
  }
  matrix::Tribool answer() const { return answer_; }
  bool collects() const { return objections_ != nullptr; }
  /// True when these values alone say no.
  bool refutes(ValueSet values) const {
    return objections_ != nullptr && std::any_of(objections_->begin(), objections_->end(), [&](const Objection& objection) {
             return !objection.unknown && (objection.values & ~values) == 0;
           });
  }

 private:
  std::vector<Objection>* objections_;
  matrix::Tribool answer_ = matrix::Tribool::yes;
};

}  // namespace envgen::resolver
