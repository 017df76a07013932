# Finds nvcc, or fetches NVIDIA's compiler as Python wheels into an ignored folder. Sourced by bootstrap.
# find_cuda: exports CUDACXX and returns 0, or sets cuda_note (why not, and what would change it) and returns 1.

# Versions, and the hashes of their files.
cuda_wheels=installer/cuda-wheels.txt
cuda_folder=.cuda-wheels
cuda_note=""

find_cuda() {
    if [ -n "${CUDACXX:-}" ]; then
        command -v "$CUDACXX" >/dev/null && return 0
        cuda_note="CUDACXX is $CUDACXX, which is no program; unset it or correct it"
        return 1
    fi
    local candidate
    for candidate in "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc \
                     "$root/$cuda_folder/nvidia/cu13/bin/nvcc"; do
        [ -x "$candidate" ] || continue
        export CUDACXX=$candidate
        return 0
    done
    fetch_cuda_wheels
}

fetch_cuda_wheels() {
    local retry="install the CUDA Toolkit 12 or 13 (nvcc on PATH, in CUDACXX or under /usr/local/cuda) and run this again"
    if [ -e "$cuda_folder/.failed" ] && [ -z "$(find "$cuda_folder/.failed" -mmin +60)" ]; then
        cuda_note="$(cat "$cuda_folder/.failed"); $retry"
        return 1
    fi
    say "no CUDA compiler on this machine: fetching NVIDIA's compiler as Python wheels (about 270 MB unpacked)"
    mkdir -p "$cuda_folder"
    local python=${WARPSCOPE_PYTHON:-python3} why=""
    if ! "$python" -m pip --version >/dev/null 2>&1; then
        # A tool for this one purpose, so it is not in the list of packages.
        local as_root=()
        [ "$(id -u)" = 0 ] || as_root=(sudo)
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-pip \
            >/dev/null 2>&1 || why="no CUDA compiler, and pip could not be installed to fetch one"
    fi
    if [ -z "$why" ] && ! "$python" -m pip install -q --no-deps --no-compile --upgrade --disable-pip-version-check \
            --root-user-action=ignore --target "$cuda_folder" --only-binary :all: --require-hashes -r "$cuda_wheels" >"$cuda_folder/pip.log" 2>&1; then
        why="no CUDA compiler, and its wheels could not be fetched ($({ grep '^ERROR' "$cuda_folder/pip.log" || cat "$cuda_folder/pip.log"; } | tail -n 1 | cut -c1-160))"
    fi
    local home="$root/$cuda_folder/nvidia/cu13"
    if [ -z "$why" ] && [ ! -x "$home/bin/nvcc" ]; then why="the fetched wheels hold no nvcc"; fi
    if [ -n "$why" ]; then
        printf '%s' "$why" >"$cuda_folder/.failed"
        cuda_note="$why; $retry"
        return 1
    fi
    # CMake looks for libraries in lib64, where a toolkit that was installed has them.
    [ -e "$home/lib64" ] || ln -s lib "$home/lib64"
    # It takes the runtime's shared library, which we do not link, for the sign of a toolkit; the wheel has it under its full name only.
    [ -e "$home/lib/libcudart.so" ] || ln -s "$(basename "$home"/lib/libcudart.so.*)" "$home/lib/libcudart.so"
    rm -f "$cuda_folder/.failed"
    export CUDACXX=$home/bin/nvcc
}
