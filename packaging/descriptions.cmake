# Manual pages and completion, which each program writes from what it parses its command line with. Helpers that parse
# nothing have pages written by hand.

# convscope_describe(PROGRAM COMPONENT): runs the program when it was built; installs what it wrote.
function(convscope_describe program component)
  set(share ${CMAKE_CURRENT_BINARY_DIR}/descriptions/${program})
  file(MAKE_DIRECTORY ${share})
  if(TARGET ${program} AND NOT CONVSCOPE_SANITIZE)
    add_custom_command(OUTPUT ${share}.stamp DEPENDS ${program} VERBATIM
                       COMMAND ${CMAKE_COMMAND} -E rm -rf ${share}
                       COMMAND ${program} --describe ${share}
                       COMMAND ${CMAKE_COMMAND} -E touch ${share}.stamp)
    add_custom_target(describe_${program} ALL DEPENDS ${share}.stamp)
  endif()
  install(DIRECTORY ${share}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT ${component})
endfunction()

convscope_describe(convscope-cli cli)
install(FILES man/convscope-run-generated.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT cli)
if(TARGET convscope)
  convscope_describe(convscope window)
endif()
if(TARGET convscope-sweep-mpi)
  convscope_describe(convscope-sweep-mpi mpi)
endif()
if(TARGET convscope-peers)
  install(FILES man/convscope-peers.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT peers)
endif()
