# libenvgen.a, for programs of others (find_package(envgen)): one object of all rooms below src/library, in which nothing is seen from outside
# but its own API. So whoever links it can have a zlib, a fmt or a JSON library of any version, and needs none of ours. It is not a part of `all`.
set(library_rooms envgen_library envgen_embedded envgen_api envgen_project envgen_diagnosis envgen_files envgen_answers envgen_check envgen_resolver
  envgen_matrix envgen_util envgen_model envgen_fmt)
set(archives "")
foreach(room IN LISTS library_rooms)
  list(APPEND archives $<TARGET_FILE:${room}>)
endforeach()
set(library_object ${CMAKE_CURRENT_BINARY_DIR}/envgen_library.o)
set(ENVGEN_LIBRARY ${CMAKE_CURRENT_BINARY_DIR}/libenvgen.a)
add_custom_command(
  OUTPUT ${ENVGEN_LIBRARY}
  # Only what the API needs of the archives is taken. Without groups, an inline function that others have, too, stays here as well as there.
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${library_object} --whole-archive $<TARGET_FILE:envgen_library> --no-whole-archive
    --start-group ${archives} ${ENVGEN_LIBMD} ${ENVGEN_ZLIB} --end-group
  # What an inline function or variable is unique by (GNU's STB_GNU_UNIQUE) is made local only if it is weak.
  COMMAND ${CMAKE_OBJCOPY} --weaken ${library_object}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=_ZN6envgen7library* --keep-global-symbol=_ZT*N6envgen7library* ${library_object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${ENVGEN_LIBRARY}
  COMMAND ${CMAKE_AR} qcD ${ENVGEN_LIBRARY} ${library_object}
  DEPENDS ${library_rooms}
  VERBATIM
  COMMENT "Merging the rooms into libenvgen.a")
add_custom_target(envgen_development DEPENDS ${ENVGEN_LIBRARY})

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/envgen)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/envgenConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/envgenConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0.0 a minor may change the API.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/envgenConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# A component of its own, which a plain `cmake --install` leaves out: wheels and packages hold the tool alone.
#   cmake --build BUILD --target envgen_development && cmake --install BUILD --component Development
install(FILES ${CMAKE_SOURCE_DIR}/src/library/envgen.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/envgen COMPONENT Development EXCLUDE_FROM_ALL)
install(FILES ${ENVGEN_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/envgenConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/envgenConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT Development EXCLUDE_FROM_ALL)
