# What desktops need to show the window in their menus and to open files with it.
set(desktop ${CMAKE_SOURCE_DIR}/resources/desktop)
set(icon ${CMAKE_SOURCE_DIR}/resources/icons/convscope.svg)
set(icons_folder ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
set(CONVSCOPE_HOME_PAGE "https://convscope.example" CACHE STRING "Where software centres find pictures; /pictures below it")

configure_file(${desktop}/convscope.metainfo.xml.in ${CMAKE_CURRENT_BINARY_DIR}/example.convscope.convscope.metainfo.xml @ONLY)

install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/icons DESTINATION ${data_folder}/resources COMPONENT window)
install(FILES ${desktop}/convscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
install(FILES ${desktop}/convscope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT window)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/example.convscope.convscope.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
install(FILES ${icon} DESTINATION ${icons_folder}/scalable/apps COMPONENT window)

# Desktops that draw no SVG, and those that do it slowly.
find_program(RSVG_CONVERT rsvg-convert)
if(NOT RSVG_CONVERT)
  message(STATUS "No rsvg-convert: icons are installed as SVG alone")
  return()
endif()
set(pictures)
foreach(size 16 22 24 32 48 64 128 256 512)
  set(picture ${CMAKE_CURRENT_BINARY_DIR}/icons/${size}x${size}/apps/convscope.png)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/icons/${size}x${size}/apps)
  add_custom_command(OUTPUT ${picture} DEPENDS ${icon} VERBATIM
                     COMMAND ${RSVG_CONVERT} --width ${size} --height ${size} --output ${picture} ${icon})
  list(APPEND pictures ${picture})
endforeach()
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/icons/ DESTINATION ${icons_folder} COMPONENT window)
add_custom_target(convscope_icons ALL DEPENDS ${pictures})
