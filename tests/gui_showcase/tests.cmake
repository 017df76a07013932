warpscope_tests(gui_showcase WIDGETS LABELS unit gui ALSO match:threads LIBRARIES warpscope_gui)
