# Run by CPack (generator External) on what it has gathered: makes an archive that runs from any folder of any Debian 12.
# Every library that is not part of each Debian comes along; programs look for them beside themselves, and no variable of
# the environment reaches the compilers that they start.
set(root ${CPACK_TEMPORARY_DIRECTORY})
set(libraries ${root}/lib/convscope)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Qt finds these by qt.conf, which lies beside the program.
set(plugins)
if(EXISTS ${root}/bin/convscope)
  foreach(kind platforms/libqxcb platforms/libqoffscreen iconengines/libqsvgicon imageformats/libqsvg
               xcbglintegrations/libqxcb-glx-integration)
    if(EXISTS ${CONVSCOPE_QT_PLUGINS}/${kind}.so)
      get_filename_component(folder ${kind} DIRECTORY)
      file(COPY ${CONVSCOPE_QT_PLUGINS}/${kind}.so DESTINATION ${libraries}/plugins/${folder})
      list(APPEND plugins ${libraries}/plugins/${kind}.so)
    endif()
  endforeach()
  file(WRITE ${root}/bin/qt.conf "[Paths]\nPrefix = ..\nPlugins = lib/convscope/plugins\n")
endif()

file(GLOB programs ${root}/bin/convscope*)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES ${plugins}
     RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
     # The C and C++ libraries, which dpkg and apt need themselves.
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|stdc\\+\\+|gcc_s)\\.so")
if(missing)
  message(FATAL_ERROR "libraries that are not there: ${missing}")
endif()
foreach(library ${found})
  file(COPY ${library} DESTINATION ${libraries} FOLLOW_SYMLINK_CHAIN)
endforeach()
foreach(program ${programs})
  # RPATH, not RUNPATH: it holds for libraries of libraries, too.
  run(patchelf --force-rpath --set-rpath "$ORIGIN/../lib/convscope" ${program})
endforeach()
foreach(plugin ${plugins})
  run(patchelf --force-rpath --set-rpath "$ORIGIN/../.." ${plugin})
endforeach()
file(COPY ${CONVSCOPE_SOURCE}/LICENSE ${CONVSCOPE_SOURCE}/CHANGELOG.md DESTINATION ${root})

set(name convscope-${CPACK_PACKAGE_VERSION}-debian12-${CONVSCOPE_MACHINE})
run(chmod -R u=rwX,go=rX ${root})
run(tar --create --file ${CPACK_PACKAGE_DIRECTORY}/${name}.tar.zst --use-compress-program "zstd -19 -T1 --quiet"
        --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$ENV{SOURCE_DATE_EPOCH} --format=gnu
        --directory ${root} --transform "s,^\\.,${name},S" .)
