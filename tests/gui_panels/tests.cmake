warpscope_tests(gui_panels WIDGETS LABELS unit gui LIBRARIES warpscope_gui)
