# All of these come from the distribution's own packages (Debian 12, Ubuntu 22.04 and 24.04).
find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
set(OPENSSL_USE_STATIC_LIBS TRUE)  # the dynamic one would cost 1 ms of every start
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Threads REQUIRED)
