#include "inspect/image.hpp"

#include "inspect/places.hpp"

namespace envgen::inspect {

ImageInspection::ImageInspection(std::string origin) : origin_(origin), inspection_(std::move(origin)), reader_(first_time()) {}

TarFiles ImageInspection::first_time() {
  return {[this](const std::string& path, std::uint64_t size) { return is_of_interest(path) && inspection_.begin(path, size); },
          [this](Bytes bytes) { return inspection_.feed(bytes); }, [this] { return inspection_.end(); },
          [this](const TarMember& member) { links_.add(member); }};
}

TarFiles ImageInspection::second_time() {
  return {[this](const std::string&, std::uint64_t size) {
            if (names_.empty() || !inspection_.begin(names_.front(), size)) return false;
            const auto place = place_of(names_.front());
            for (std::size_t i = 1; i < names_.size(); ++i) {
              if (place_of(names_[i]) == place) inspection_.also(names_[i]);
            }
            return true;
          },
          [this](Bytes bytes) { return inspection_.feed(bytes); }, [this] { return inspection_.end(); },
          [this](const TarMember& member) { names_ = links_.names_of(member); }};
}

Expected<void> ImageInspection::ended() const {
  auto read = reader_.finish();
  if (!read && read.error().origin.empty()) read.error().origin = origin_;
  return read;
}

Expected<bool> ImageInspection::wants_again() {
  if (auto read = ended(); !read) return tl::unexpected(read.error());
  if (auto followed = links_.follow(); !followed) {
    followed.error().origin = origin_;
    return tl::unexpected(followed.error());
  }
  if (!links_.lead_elsewhere()) return false;
  reader_ = TarReader(second_time());
  return true;
}

Expected<Inspected> ImageInspection::finish() {
  if (auto read = ended(); !read) return tl::unexpected(read.error());
  auto inspected = inspection_.finish();
  inspected.unreadable = links_.unreadable();
  if (!inspected.packages.empty() || !inspected.libraries.empty()) return inspected;
  if (!inspected.unreadable.empty())
    return fail(ErrorCode::bad_input, "cannot tell whether the image contains torch: " + inspected.unreadable.front().to_string(),
                origin_);
  return fail(ErrorCode::missing, "the image has neither torch nor NVIDIA packages in a site-packages folder", origin_);
}

}  // namespace envgen::inspect
