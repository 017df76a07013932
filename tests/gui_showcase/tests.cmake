warpscope_tests(gui_showcase WIDGETS LABELS gui ALSO match:threads LIBRARIES warpscope_gui)
