include(GNUInstallDirs)
install(TARGETS envgen RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The manual and the completions are printed by the tool itself, so they know every command and option that it has.
set(printed ${CMAKE_BINARY_DIR}/printed)
file(MAKE_DIRECTORY ${printed})
add_custom_command(
  OUTPUT ${printed}/envgen.1 ${printed}/envgen.bash ${printed}/_envgen ${printed}/envgen.fish
  COMMAND envgen man > ${printed}/envgen.1
  COMMAND envgen completion bash > ${printed}/envgen.bash
  COMMAND envgen completion zsh > ${printed}/_envgen
  COMMAND envgen completion fish > ${printed}/envgen.fish
  DEPENDS envgen
  VERBATIM
  COMMENT "Printing the manual and the completions")
add_custom_target(envgen_printed ALL DEPENDS ${printed}/envgen.1)
install(FILES ${printed}/envgen.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${printed}/envgen.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME envgen)
install(FILES ${printed}/_envgen DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${printed}/envgen.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# What editors complete envgen.json by, and programs check reports by.
install(FILES ${ENVGEN_SCHEMAS} DESTINATION ${CMAKE_INSTALL_DATADIR}/envgen/schema)

# What scripts/bench.sh built, for 'envgen validate'.
foreach(machine x86_64 aarch64)
  install(PROGRAMS ${CMAKE_SOURCE_DIR}/build/bench/${machine}/envgen-bench
    DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/envgen/${machine} OPTIONAL)
endforeach()
