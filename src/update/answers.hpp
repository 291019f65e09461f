#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "update/source.hpp"

namespace envgen::update {

/// The error of an answer that is not what this source has always sent: nothing of it is taken.
tl::unexpected<Error> other_shape(std::string_view what, const std::string& url);

/// A listing must have most of what it had: one that lost more than a tenth of `known`, and more than two, is a broken or partial
/// copy. Errors (network): it has.
Expected<void> not_shrunk(std::size_t listed, std::size_t known, std::string_view what, const std::string& url);

/// The body of an answer that must be there.
Expected<std::string> body_of(Expected<net::Reply> reply, const std::string& url);
/// The same, of JSON; at the top stands an object.
Expected<Json> object_of(Expected<net::Reply> reply, const std::string& url);
/// One GET.
Expected<net::Reply> get(net::Client& client, const std::string& url, std::string accept = "*/*");

/// The last steps of the addresses that a page of HTML links to (`href` of its `<a>`), without query and fragment,
/// percent-decoded: `torch-2.3.1+cu121-cp310-cp310-linux_x86_64.whl`. What holds a slash, a backslash or a control character
/// after that is left out.
std::vector<std::string> linked_names(std::string_view html);

/// What stands between the separators; one part more than there are of them.
std::vector<std::string_view> split(std::string_view text, char at);

/// Whether a table has a row whose `field` is that text.
bool has_row(const matrix::Documents& known, const matrix::Table& table, std::string_view field, const std::string& value);

/// The value of a text member; empty where there is none, or it is no text.
std::string text_in(const Json& object, std::string_view member);

}  // namespace envgen::update
