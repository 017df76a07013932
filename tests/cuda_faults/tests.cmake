# Faults of the CUDA runtime, pretended on a fake one: needs no GPU and no CUDA, and runs under the sanitizers too.
warpscope_tests(cuda_faults LABELS unit ALSO page_locks:threads LIBRARIES warpscope_fake_cuda TIMEOUT 600)
