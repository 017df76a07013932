warpscope_tests(gui WIDGETS LABELS gui ALSO bridge:threads task_runner:threads LIBRARIES warpscope_gui)
