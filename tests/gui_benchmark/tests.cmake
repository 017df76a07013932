warpscope_test(gui_benchmark window LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_benchmark parts LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_benchmark difference LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_benchmark main_window LABELS unit gui LIBRARIES warpscope_gui)
