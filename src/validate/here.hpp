#pragma once

#include "util/run_time.hpp"
#include "validate/launch.hpp"

namespace envgen::validate {

/// The environment that envgen itself is in: programs are its children, without a container. The flags of a program, which are
/// an engine's, are left aside; one that brings its file is run where that lies.
class Here : public Place {
 public:
  explicit Here(util::RunTime time) : time_(time) {}
  Expected<Launched> launch(const Program& program) override;

 private:
  util::RunTime time_;
};

}  // namespace envgen::validate
