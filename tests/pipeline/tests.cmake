warpscope_tests(pipeline LABELS unit ALSO executor:threads fallback:threads)
