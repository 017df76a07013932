# Against OpenCV, in an executable of its own: a peer is never shipped, so the bundle leaves it out.
if(TARGET warpscope_opencv)
  warpscope_tests(differential LABELS differential LIBRARIES warpscope_opencv)
else()
  message(STATUS "OpenCV is not installed: no differential tests, no comparison in benchmarks")
endif()
