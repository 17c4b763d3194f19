# The packages, as CPack makes them: one file of settings each in build/packages, for package.sh.
set(CPACK_PACKAGE_VENDOR ConvScope)
# As Debian's own tools know who packs; the name that stands in otherwise is reserved and reaches nobody.
set(maintainer "$ENV{DEBFULLNAME}")
set(address "$ENV{DEBEMAIL}")
if(NOT maintainer)
  set(maintainer "ConvScope maintainers")
endif()
if(NOT address)
  set(address "maintainers@convscope.example")
endif()
set(CPACK_PACKAGE_CONTACT "${maintainer} <${address}>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "maps convolutional networks onto accelerators")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)

set(what_it_is [[ConvScope compiles every layer of a convolutional network for a machine
and shows what the compiler did: task graphs, schedules, programs, buffers,
rooflines, utilization and traffic. Machines are the Neuro Vector Engine,
NMP, Snowflake, and the CPU itself. It reads ONNX, Caffe, Darknet,
TensorFlow, TensorFlow Lite, Torch7 and descriptors in XML.]])

# convscope_package(NAME COMPONENTS components... SUMMARY text WORDS text [SCRIPTS folder] [FIELDS name value...])
# FIELDS are those of Debian's control file, as CPack calls them (DEPENDS, CONFLICTS, ...); SCRIPTS run when it is installed
# (postinst) and removed (prerm).
function(convscope_package name)
  cmake_parse_arguments(ARG "" "SUMMARY;WORDS;SCRIPTS" "COMPONENTS;FIELDS" ${ARGN})
  set(text "include(\"\${CMAKE_CURRENT_LIST_DIR}/../CPackConfig.cmake\")\nset(CPACK_INSTALL_CMAKE_PROJECTS)\n")
  foreach(component ${ARG_COMPONENTS})
    string(APPEND text "list(APPEND CPACK_INSTALL_CMAKE_PROJECTS [[${CMAKE_BINARY_DIR}]] ConvScope ${component} /)\n")
  endforeach()
  string(APPEND text "set(CPACK_PACKAGE_NAME ${name})\nset(CPACK_DEBIAN_PACKAGE_NAME ${name})\n"
         "set(CPACK_PACKAGE_DESCRIPTION_SUMMARY [[${ARG_SUMMARY}]])\n"
         "set(CPACK_DEBIAN_PACKAGE_DESCRIPTION [[${what_it_is}\n\n${ARG_WORDS}]])\n"
         "set(CPACK_PRE_BUILD_SCRIPTS [[${CMAKE_SOURCE_DIR}/packaging/debian/finish.cmake]])\n"
         "set(CONVSCOPE_SOURCE [[${CMAKE_SOURCE_DIR}]])\n")
  if(ARG_SCRIPTS)
    file(GLOB scripts CONFIGURE_DEPENDS ${ARG_SCRIPTS}/*)
    string(APPEND text "set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA [[${scripts}]])\n"
           "set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)\n")
  endif()
  while(ARG_FIELDS)
    list(POP_FRONT ARG_FIELDS field value)
    string(APPEND text "set(CPACK_DEBIAN_PACKAGE_${field} [[${value}]])\n")
  endwhile()
  file(WRITE ${CMAKE_BINARY_DIR}/packages/${name}.cmake "${text}")
endfunction()

set(same "(= ${PROJECT_VERSION})")
set(one_of_both "convscope-nogui ${same} | convscope ${same}")
convscope_package(convscope-nogui COMPONENTS cli
  SUMMARY "maps convolutional networks onto accelerators, command line"
  WORDS [[This package has the command line alone, for computers without a display.]]
  FIELDS CONFLICTS convscope REPLACES convscope SUGGESTS "convscope-mpi, convscope-peers, g++")
if(TARGET convscope)
  convscope_package(convscope COMPONENTS cli window
    SUMMARY "maps convolutional networks onto accelerators and shows how and why"
    WORDS [[This package has the window and the command line.]]
    FIELDS DEPENDS "fonts-dejavu-core" CONFLICTS convscope-nogui REPLACES convscope-nogui
           SUGGESTS "convscope-mpi, convscope-peers, g++")
endif()
if(TARGET convscope-sweep-mpi)
  convscope_package(convscope-mpi COMPONENTS mpi
    SUMMARY "maps convolutional networks onto accelerators, sweeps over MPI"
    WORDS [[This package sweeps machines over the ranks of an MPI job.]]
    FIELDS DEPENDS "${one_of_both}, openmpi-bin")
endif()
if(TARGET convscope-peers)
  convscope_package(convscope-peers COMPONENTS peers
    SUMMARY "maps convolutional networks onto accelerators, other libraries' speed"
    WORDS [[This package measures oneDNN and OpenBLAS beside the generated programs.]]
    FIELDS ENHANCES "convscope, convscope-nogui")
endif()

if(TARGET convscope_python)
  convscope_package(python3-convscope COMPONENTS python
    SUMMARY "maps convolutional networks onto accelerators, from Python"
    WORDS [[This package has the same engine as a module of Python: networks, machines,
figures with their origin, and sweeps as NumPy arrays.]]
    SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/debian/python
    FIELDS DEPENDS "${one_of_both}, python3 (>= 3.11), python3 (<< 3.12), python3-numpy" SECTION python
           SUGGESTS "python3-matplotlib, python3-pandas")
endif()

# The archive: the same programs and data, with the libraries that they need.
set(components cli)
if(TARGET convscope)
  list(APPEND components window)
  get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
  execute_process(COMMAND ${qmake} -query QT_INSTALL_PLUGINS OUTPUT_VARIABLE qt_plugins OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/packages/archive.cmake "include(\"\${CMAKE_CURRENT_LIST_DIR}/../CPackConfig.cmake\")
set(CPACK_INSTALL_CMAKE_PROJECTS)
foreach(component ${components})
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS [[${CMAKE_BINARY_DIR}]] ConvScope \${component} /)
endforeach()
set(CPACK_GENERATOR External)
set(CPACK_EXTERNAL_ENABLE_STAGING ON)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT [[${CMAKE_SOURCE_DIR}/packaging/archive.cmake]])
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CONVSCOPE_SOURCE [[${CMAKE_SOURCE_DIR}]])
set(CONVSCOPE_QT_PLUGINS [[${qt_plugins}]])
set(CONVSCOPE_MACHINE [[${CMAKE_SYSTEM_PROCESSOR}]])
")
