warpscope_tests(gui_benchmark WIDGETS LABELS unit gui LIBRARIES warpscope_gui)
