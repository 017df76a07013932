warpscope_test(gui_steps param_scale LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_steps run_info LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_steps controls LABELS unit gui LIBRARIES warpscope_gui)
warpscope_test(gui_steps step_list LABELS unit gui LIBRARIES warpscope_gui)
