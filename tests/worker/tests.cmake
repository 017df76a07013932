warpscope_test(worker draft_plan LABELS unit)
warpscope_test(worker render_worker LABELS unit threads)
warpscope_test(worker interruption LABELS unit threads)
warpscope_test(worker run_record LABELS unit threads)
