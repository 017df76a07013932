warpscope_tests(gui_demos WIDGETS LABELS unit gui LIBRARIES warpscope_gui)
