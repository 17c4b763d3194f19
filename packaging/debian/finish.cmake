# Run by CPack on what it has gathered for a Debian package: documents where policy has them, and nothing that depends on
# who builds when.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(documents ${root}/usr/share/doc/${CPACK_DEBIAN_PACKAGE_NAME})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(EXISTS ${root}/usr/share/doc/convscope AND NOT CPACK_DEBIAN_PACKAGE_NAME STREQUAL convscope)
  file(RENAME ${root}/usr/share/doc/convscope ${documents})
endif()
file(MAKE_DIRECTORY ${documents})
file(COPY ${CONVSCOPE_SOURCE}/packaging/debian/copyright DESTINATION ${documents})
execute_process(
  COMMAND ${CONVSCOPE_SOURCE}/packaging/debian/changelog.sh ${CONVSCOPE_SOURCE}/CHANGELOG.md
          ${CPACK_DEBIAN_PACKAGE_NAME} ${CPACK_PACKAGE_CONTACT}
  OUTPUT_FILE ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
run(gzip -9n ${documents}/changelog)
file(GLOB_RECURSE manuals ${root}/usr/share/man/*.1)
foreach(manual ${manuals})
  run(gzip -9n ${manual})
endforeach()

run(chmod -R u=rwX,go=rX ${root})
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  run(find ${root} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} +)
endif()
