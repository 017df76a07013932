# The Debian package: what installer/deb hands to CPack. Only where WARPSCOPE_DEBIAN is on (the preset deb).
set(WARPSCOPE_MAINTAINER "Warpscope authors <authors@warpscope.invalid>" CACHE STRING "Who answers for the package: NAME <ADDRESS>")

# A package of a commit between two versions is newer than the last one and older than the next.
set(package_version ${PROJECT_VERSION})
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --exact-match --tags --match v${PROJECT_VERSION} HEAD
                OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE untagged)
execute_process(COMMAND ${CMAKE_COMMAND} -E env TZ=UTC git -C ${PROJECT_SOURCE_DIR} log -1 --abbrev=8 --date=format-local:%Y%m%d%H%M%S --format=%cd.%h,%ct
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit MATCHES "^([^,]+),([0-9]+)$")
  set(package_time ${CMAKE_MATCH_2})
  if(untagged)
    set(package_version ${PROJECT_VERSION}~git${CMAKE_MATCH_1})
  endif()
else()
  string(TIMESTAMP package_time "%s" UTC)
endif()

set(changelog ${PROJECT_BINARY_DIR}/installer/changelog)
add_custom_target(warpscope_changelog ALL BYPRODUCTS ${changelog}.gz
  COMMAND ${PROJECT_SOURCE_DIR}/installer/debian/make-changelog ${package_version} ${package_time} ${WARPSCOPE_MAINTAINER} > ${changelog}
  COMMAND gzip -9 -n -f ${changelog} COMMENT "" VERBATIM)
install(FILES ${changelog}.gz ${PROJECT_SOURCE_DIR}/installer/debian/copyright ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
# installer/deb makes it.
install(FILES ${PROJECT_BINARY_DIR}/installer/sbom.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpscope)
set(CPACK_PACKAGE_VERSION ${package_version})
set(CPACK_PACKAGE_CONTACT ${WARPSCOPE_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Qt's own words in Chinese; a font for machines that have none.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-translations-l10n, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "image inspection with filters, histograms and timings")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Warpscope opens an image, runs a chain of filters on it while sliders are
dragged, shows source, result and live histograms with the exact samples
of the file, and says for every operation how fast the CPU and an NVIDIA
GPU did it.

The package holds the window (warpscope) and the same engine for the
command line (warpscope-cli).")
include(CPack)
