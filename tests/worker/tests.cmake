warpscope_tests(worker LABELS unit ALSO render_worker:threads interruption:threads run_record:threads)
