warpscope_tests(operations SLOW_TRUTH LABELS unit ALSO all_operations:threads)
