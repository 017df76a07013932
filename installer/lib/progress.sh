# Runs a build and says what happens now and roughly how long it still takes. Sourced by bootstrap.
# build_with_progress PRESET [cmake --build options]: 0, or the compiler's words and 1. The whole output is in build/PRESET/build.log.

# Tenths of a second that a step takes on one ordinary core, from its command or from the line that ninja prints of it: kernels, groups of
# files and precompiled headers are far from the average.
step_cost() {
    case $1 in
        *.cu.o*) cost=100 ;;
        *cmake_pch.hxx.gch*) cost=60 ;;
        *Unity/unity_*) case $1 in *" tests/"*) cost=85 ;; *" cli/"*) cost=110 ;; *) cost=60 ;; esac ;;
        *_autogen*timestamp* | *"Automatic MOC"*) cost=250 ;;
        *.cpp.o*) cost=20 ;;
        *) cost=1 ;;
    esac
}

# The folder of the object that a line of ninja's names: "engine/io".
step_place() {
    local line=${1##*object }
    case $1 in
        *" object "*) line=${line%%/CMakeFiles*} ;;
        *Linking*) line="linking ${1##*/}" ;;
        *) line="generated files" ;;
    esac
    place=${line%.dir}
}

time_left() {
    local seconds=$1
    if [ "$seconds" -ge 90 ]; then left="about $(((seconds + 30) / 60)) min left"
    elif [ "$seconds" -ge 10 ]; then left="about $(((seconds + 5) / 10 * 10)) s left"
    else left="nearly done"; fi
}

build_with_progress() {
    local preset=$1; shift
    local log="build/$preset/build.log" line cost place left total=0 done=0 steps=0 shown=-99 started=$SECONDS width=0 known=no
    local targets=() cores
    cores=$(nproc)
    [ "${1:-}" != --target ] || targets=("${@:2}")
    # All commands of the targets; how many of them are still to be run, ninja says with its first step.
    while IFS= read -r line; do
        step_cost "$line"; total=$((total + cost)); steps=$((steps + 1))
    done < <(ninja -C "build/$preset" -t commands "${targets[@]}" 2>/dev/null)
    local terminal=no
    [ ! -t 2 ] || terminal=yes
    : >"$log"
    # ninja's own exit status, through the pipe.
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        [[ $line =~ ^\[[0-9]+/([0-9]+)\]\  ]] || continue
        # Two steps before all others look whether files have come or gone.
        [ "${BASH_REMATCH[1]}" -gt 2 ] || continue
        if [ $known = no ]; then
            known=yes
            [ "$steps" -eq 0 ] || total=$((total * BASH_REMATCH[1] / steps))
            [ "$total" -gt 0 ] || total=1
            time_left $((total / 10 / cores))
            [ "$total" -lt 100 ] || say "building $preset: ${BASH_REMATCH[1]} steps, ${left/ left/}"
        fi
        step_cost "$line"
        done=$((done + cost))
        [ "$done" -lt "$total" ] || done=$((total - 1))
        local elapsed=$((SECONDS - started)) every=20
        [ $terminal = no ] || every=1
        [ $((elapsed - shown)) -ge $every ] || continue
        shown=$elapsed
        step_place "$line"
        # The first guess counts until a tenth is done; from then on what was seen here.
        if [ $((done * 10)) -lt "$total" ]; then time_left $(((total - done) / 10 / cores))
        else time_left $((elapsed * (total - done) / done)); fi
        line="  $((100 * done / total)) %, $left: $place"
        if [ $terminal = yes ]; then
            printf '\r%-*s' "$width" "$line" >&2
            width=${#line}
        elif [ "$elapsed" -gt 5 ]; then
            say "$line"
        fi
    done < <(cmake --build --preset "$preset" "$@" 2>&1; printf 'status %s\n' "$?")
    [ $terminal = no ] || printf '\r%*s\r' "$width" "" >&2
    [ "$(tail -n 1 "$log")" = "status 0" ] && return 0
    # From the first thing that failed on, without the steps that went well.
    sed -n '/^FAILED/,$p; /^ninja: error/p; /^CMake Error/,$p' "$log" | grep -v '^\[\|^status ' | head -n 60 >&2
    say "the whole output: $log"
    return 1
}
