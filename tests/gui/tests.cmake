warpscope_tests(gui WIDGETS LABELS gui ALSO bridge:threads LIBRARIES warpscope_gui)
