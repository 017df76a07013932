# The window on a fake GPU whose calls fail: needs no GPU and no CUDA.
warpscope_tests(gui_faults WIDGETS LABELS gui LIBRARIES warpscope_fake_cuda warpscope_gui TIMEOUT 900)
