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
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused)
# Where files are compiled together, one file's names are no reason for another to avoid them, and a type without a name
# outside of its file is still used in that file alone.
if(CONVSCOPE_TOGETHER)
  target_compile_options(convscope_conventions INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local;-Wno-subobject-linkage>)
else()
  target_compile_options(convscope_conventions INTERFACE -Wshadow)
endif()
if(CONVSCOPE_WERROR)
  target_compile_options(convscope_conventions INTERFACE -Werror)
endif()
# GCC 12 inlines more where it optimizes more and assertions are off, and then sees strings copied beyond their end and
# values of std::optional used before they are set, where its own library did that rightly (its bug 105329 and others).
# Nobody who builds a release can do anything about that; the build with -Werror keeps these warnings.
target_compile_options(convscope_conventions INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict;-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-stringop-overflow>)
# A module of Python holds the same libraries as the programs: position independent, and as fast as if they weren't.
if(CONVSCOPE_PYTHON)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options(-fno-semantic-interposition)
endif()
# Two dozen programs of tests take minutes to link with GNU's linker. What is installed is linked as Debian links.
find_program(CONVSCOPE_MOLD mold)
if(CONVSCOPE_TESTS AND CONVSCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
if(CONVSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${CONVSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CONVSCOPE_SANITIZE})
endif()

# convscope_together(TARGET [COUNT]): the sources of a folder, COUNT (8) at a time, become one for the compiler, which then
# reads headers and makes their templates once instead of COUNT times.
function(convscope_together target)
  if(NOT CONVSCOPE_TOGETHER)
    return()
  endif()
  set(count 8)
  if(ARGC GREATER 1)
    set(count ${ARGV1})
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE folder)
    cmake_path(GET folder PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE group)
    string(MAKE_C_IDENTIFIER "${group}" group)
    math(EXPR part "0${count_${group}} / ${count}")
    math(EXPR count_${group} "0${count_${group}} + 1" OUTPUT_FORMAT DECIMAL)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# convscope_interactive(TARGET): what waits for people, not for its own arithmetic, is compiled in two thirds of the time by
# -O1 where assertions are on, and in quick builds. Packages optimize everything.
function(convscope_interactive target)
  target_compile_options(${target} PRIVATE $<$<OR:$<CONFIG:RelWithAssert>,$<BOOL:${CONVSCOPE_QUICK}>>:-O1>)
endfunction()

# convscope_precompile(TARGET HEADERS…): in quick builds headers of others that most sources take are read once. A library
# without HEADERS takes what convscope_base has. Where options differ (-O1 against -O2) the compiler reads them as they are,
# which is no reason for a warning.
set(CMAKE_PCH_WARN_INVALID OFF)
function(convscope_precompile target)
  if(NOT CONVSCOPE_QUICK OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM convscope_base)
  endif()
endfunction()

# convscope_library(NAME [DEPENDS targets...] [SYSTEM targets...] [PRECOMPILED headers...])
# One static library of all sources below the calling folder; targets after SYSTEM are outside libraries.
function(convscope_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;SYSTEM;PRECOMPILED" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC convscope_conventions ${ARG_DEPENDS} PRIVATE ${ARG_SYSTEM})
  convscope_together(${name})
  convscope_precompile(${name} ${ARG_PRECOMPILED})
endfunction()

# convscope_test(NAME [SEARCHES] [DEPENDS targets...] [LABELS labels...]): all sources of the calling folder as one
# GoogleTest program. Those that search exhaustively or compute by themselves (SEARCHES) are optimized by -O1, two thirds
# of -O2's time for the compiler; the others take their time in what they test. Undefined behaviour is looked for in what
# is tested: in the expectations it would take the compiler one and a half times as long again as all the rest of them.
function(convscope_test name)
  cmake_parse_arguments(ARG "SEARCHES" "TIMEOUT" "DEPENDS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  convscope_together(${name} 16)
  target_link_libraries(${name} PRIVATE convscope_conventions ${ARG_DEPENDS} GTest::gtest_main GTest::gmock)
  target_compile_definitions(${name} PRIVATE
    CONVSCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CONVSCOPE_MODELS="${CONVSCOPE_MODELS}"
    CONVSCOPE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_compile_options(${name} PRIVATE $<IF:$<BOOL:${ARG_SEARCHES}>,-O1,-O0>)
  if(CONVSCOPE_SANITIZE MATCHES "undefined")
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if("core" IN_LIST ARG_LABELS)
    add_dependencies(core_tests ${name})
  endif()
  gtest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} DISCOVERY_TIMEOUT 60)
endfunction()
