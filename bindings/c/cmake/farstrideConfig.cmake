# find_package(farstride) defines farstride::farstride (shared) and farstride::static.
get_filename_component(_farstride_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

find_library(_farstride_shared NAMES farstride_c PATHS "${_farstride_prefix}/lib" NO_DEFAULT_PATH NO_CACHE)
find_library(_farstride_static NAMES libfarstride_c.a farstride_c.lib PATHS "${_farstride_prefix}/lib" NO_DEFAULT_PATH NO_CACHE)
if(_farstride_shared AND NOT TARGET farstride::farstride)
  # UNKNOWN, because what is linked on Windows is the import library.
  add_library(farstride::farstride UNKNOWN IMPORTED)
  set_target_properties(farstride::farstride PROPERTIES
    IMPORTED_LOCATION "${_farstride_shared}"
    INTERFACE_INCLUDE_DIRECTORIES "${_farstride_prefix}/include")
endif()
if(_farstride_static AND NOT TARGET farstride::static)
  find_package(Threads REQUIRED)
  add_library(farstride::static STATIC IMPORTED)
  set_target_properties(farstride::static PROPERTIES
    IMPORTED_LOCATION "${_farstride_static}"
    INTERFACE_INCLUDE_DIRECTORIES "${_farstride_prefix}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
if(NOT TARGET farstride::farstride AND NOT TARGET farstride::static)
  set(farstride_FOUND FALSE)
  set(farstride_NOT_FOUND_MESSAGE "no library in ${_farstride_prefix}/lib")
endif()
