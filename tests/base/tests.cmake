warpscope_test(base row_bands LABELS unit threads)
warpscope_test(base checked LABELS unit)
warpscope_test(base utf8 LABELS unit)
warpscope_test(base spare_threads LABELS unit threads)
