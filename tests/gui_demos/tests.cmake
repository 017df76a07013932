warpscope_test(gui_demos demos LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_demos step_failure LABELS unit gui LIBRARIES warpscope_gui)
