# How every library, program and test of the project is compiled.

# Optimized, with assertions: what developers and CI run. project() has already put an empty entry into the cache.
if(NOT CMAKE_CXX_FLAGS_RELWITHASSERT)
  set(CMAKE_CXX_FLAGS_RELWITHASSERT "-O2 -g1" CACHE STRING "Optimized build that keeps assertions" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithAssert CACHE STRING "" FORCE)
endif()

add_library(convscope_conventions INTERFACE)
target_include_directories(convscope_conventions INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(convscope_conventions INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused)
if(CONVSCOPE_WERROR)
  target_compile_options(convscope_conventions INTERFACE -Werror)
endif()
if(CONVSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${CONVSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CONVSCOPE_SANITIZE})
endif()

# convscope_library(NAME [DEPENDS targets...] [SYSTEM targets...])
# One static library of all sources below the calling folder; targets after SYSTEM are outside libraries.
function(convscope_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;SYSTEM" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC convscope_conventions ${ARG_DEPENDS} PRIVATE ${ARG_SYSTEM})
endfunction()

# convscope_test(NAME [DEPENDS targets...] [LABELS labels...]): all sources of the calling folder as one GoogleTest program.
function(convscope_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "DEPENDS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE convscope_conventions ${ARG_DEPENDS} GTest::gtest_main GTest::gmock)
  target_compile_definitions(${name} PRIVATE
    CONVSCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CONVSCOPE_MODELS="${CONVSCOPE_MODELS}"
    CONVSCOPE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} DISCOVERY_TIMEOUT 60)
endfunction()
