#include "output/options.hpp"

#include "output/grammar.hpp"

namespace envgen::output {

Expected<void> check_options(const Options& options) {
  for (const auto& package : options.apt) {
    if (auto checked = check_apt_package(package.value, package.where); !checked) return checked;
  }
  for (const auto& requirement : options.pip) {
    if (auto checked = check_pip_requirement(requirement.value, requirement.where); !checked) return checked;
  }
  if (auto checked = check_user_name(options.user.value, options.user.where); !checked) return checked;
  if (!options.base_image.value.empty()) {
    if (auto checked = check_image(options.base_image.value, options.base_image.where); !checked) return checked;
  }
  if (!options.pip_index.value.empty()) {
    if (auto checked = check_url(options.pip_index.value, options.pip_index.where); !checked) return checked;
  }
  if (auto checked = check_image(options.image_name.value, options.image_name.where); !checked) return checked;
  if (!options.shm_size.value.empty()) {
    if (auto checked = check_size(options.shm_size.value, options.shm_size.where); !checked) return checked;
  }
  if (options.classic && options.ca_cert)
    return fail(ErrorCode::usage, "the classic builder has no secrets, and a certificate must be in no layer", "--ca-cert",
                {"leave out --classic: BuildKit is the default builder since Docker 23"});
  return {};
}

}  // namespace envgen::output
