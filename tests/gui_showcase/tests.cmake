warpscope_test(gui_showcase parts LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_showcase match LABELS unit gui threads LIBRARIES warpscope_gui)
warpscope_test(gui_showcase window LABELS unit gui LIBRARIES warpscope_gui)
