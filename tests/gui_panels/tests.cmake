warpscope_tests(gui_panels WIDGETS LABELS gui LIBRARIES warpscope_gui)
