#include "matrix/loading.hpp"

namespace envgen::matrix {
namespace {

constexpr Field os_fields[] = {
    {"id", Is::key, "os_id", into<&Os::id>, "`ubuntu22.04`"},
    {"aliases", Is::needed, "aliases", into<&Os::aliases>, "`jammy`, `22.04`"},
    {"family", Is::needed, "os_family", into<&Os::family>},
    {"version", Is::needed, "os_version", into<&Os::version>},
    {"lts", Is::needed, "flag", into<&Os::lts>, "of Ubuntu"},
    {"pythons", Is::needed, "plain_pythons_or_none", into<&Os::pythons>, "the system's own; `[]`: none known"},
    {"optional_pythons", Is::needed, "plain_pythons_or_none", into<&Os::optional_pythons>,
     "others that its repositories provide"},
    {"glibc", Is::or_null, "glibc", into<&Os::glibc>},
    {"gcc", Is::or_null, "major_number", major_into<&Os::gcc>, "the default compiler"},
    {"eol", Is::or_null, "when", into<&Os::eol>},
    {"cuda_repo", Is::or_null, "cuda_repo", into<&Os::cuda_repo>, "its folder in NVIDIA's package repository"},
    {"image", Is::or_null, "image", into<&Os::image>, "the plain image of Docker Hub"},
    {"deadsnakes", Is::or_null, "plain_pythons_or_none", into<&Os::deadsnakes>, "those that the deadsnakes PPA provides for it"},
    {"pep668", Is::or_null, "flag", known_into<&Os::known_pep668, &Os::pep668>, "its Python is externally managed"},
    {"default_user", Is::or_null, "user", nullptr,
     "the user of its plain image; for information only, envgen reads it from the image"},
};
constexpr Field python_fields[] = {
    {"version", Is::key, "plain_python", into<&PythonRelease::version>},
    {"released", Is::or_null, "when", into<&PythonRelease::released>},
    {"eol", Is::or_null, "when", into<&PythonRelease::eol>},
};

}  // namespace

const Table tables::systems{"os.json", "os", os_fields, "Operating systems."};
const Table tables::pythons{"os.json", "pythons", python_fields, "Release and end of life of each Python."};

void load_os(Loading& l) {
  l.pack(tables::systems, l.root.os);
  l.pack(tables::pythons, l.root.pythons);
}

}  // namespace envgen::matrix
