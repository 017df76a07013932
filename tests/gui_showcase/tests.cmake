warpscope_tests(gui_showcase WIDGETS TIMEOUT 900 LABELS gui ALSO match:threads LIBRARIES warpscope_gui)
