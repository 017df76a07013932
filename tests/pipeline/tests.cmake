warpscope_tests(pipeline SLOW_TRUTH LABELS unit ALSO executor:threads fallback:threads)
