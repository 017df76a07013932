warpscope_tests(image LABELS unit)
