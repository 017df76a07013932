warpscope_tests(gui_demos WIDGETS LABELS gui LIBRARIES warpscope_gui)
