# The window on a GPU; skipped, with the reason, where there is none.
if(WARPSCOPE_HAVE_CUDA)
  warpscope_tests(gui_gpu WIDGETS LABELS gpu LIBRARIES warpscope_gui warpscope_cuda)
endif()
