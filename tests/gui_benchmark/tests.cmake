warpscope_tests(gui_benchmark WIDGETS LABELS gui LIBRARIES warpscope_gui)
