warpscope_tests(gui WIDGETS LABELS unit gui ALSO bridge:threads LIBRARIES warpscope_gui)
