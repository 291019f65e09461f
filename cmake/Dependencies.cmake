# All of these come from the distribution's own packages (Debian 12, Ubuntu 22.04 and 24.04).
find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
# libmd for SHA-256: the static one leans on nothing, and a shared one would be paid for at every start.
find_path(ENVGEN_LIBMD_INCLUDE sha2.h REQUIRED)
find_library(ENVGEN_LIBMD NAMES libmd.a REQUIRED)
mark_as_advanced(ENVGEN_LIBMD_INCLUDE ENVGEN_LIBMD)
add_library(envgen_libmd STATIC IMPORTED)
set_target_properties(envgen_libmd PROPERTIES IMPORTED_LOCATION ${ENVGEN_LIBMD} INTERFACE_INCLUDE_DIRECTORIES ${ENVGEN_LIBMD_INCLUDE})
# libcurl by its headers alone: it is opened when the network is first used (net/curl_library.hpp).
find_path(ENVGEN_CURL_INCLUDE curl/curl.h REQUIRED)
mark_as_advanced(ENVGEN_CURL_INCLUDE)
# zlib for what is embedded compressed; static for the same reasons.
find_path(ENVGEN_ZLIB_INCLUDE zlib.h REQUIRED)
find_library(ENVGEN_ZLIB NAMES libz.a REQUIRED)
mark_as_advanced(ENVGEN_ZLIB_INCLUDE ENVGEN_ZLIB)
add_library(envgen_zlib STATIC IMPORTED)
set_target_properties(envgen_zlib PROPERTIES IMPORTED_LOCATION ${ENVGEN_ZLIB} INTERFACE_INCLUDE_DIRECTORIES ${ENVGEN_ZLIB_INCLUDE})
find_package(Threads REQUIRED)

# fmt as a static library: no start of envgen pays for a shared one, and no file compiles fmt's bodies again.
add_library(envgen_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_static.cpp)
target_include_directories(envgen_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
