warpscope_test(base row_bands LABELS unit threads)
warpscope_test(base checked LABELS unit)
