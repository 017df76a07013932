warpscope_tests(operations LABELS unit ALSO all_operations:threads)
