warpscope_tests(gui_folder WIDGETS LABELS gui ALSO thumbnails:threads LIBRARIES warpscope_gui)
