#pragma once

#include <string>

#include <curl/curl.h>

#include "model/error.hpp"

namespace envgen::net {

/// The functions of libcurl that are used, from a library that is opened when the network is first needed: linked, it would cost
/// every start of envgen 5 ms.
struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  CURLcode (*easy_setopt)(CURL*, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL*, CURLINFO, ...);
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  CURLMcode (*multi_setopt)(CURLM*, CURLMoption, ...);
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_wait) multi_wait;
};

/// The library of that name, or, where it is empty, the one that this machine has. It stays open.
/// Errors (missing): there is none, or it lacks a function.
Expected<const CurlLibrary*> curl_library(const std::string& name = {});

}  // namespace envgen::net
