# What the assembler reports of kernels, held against the list of those that may keep values in memory. Sourced by check-spills.

# REPORT FILE: a line "ARCHITECTURE FRAME STORED LOADED FILE KERNEL" for each kernel, and for each function that was not inlined into one; the
# figures are bytes. Fails where the report is not what it is known to look like: nothing may pass because nobody understood it.
kernels_of_report() {
    awk -v file="$2" '
        /^ptxas info *: Compiling entry function/ {
            unread += waiting
            split($0, part, "\047"); kernel = part[2]; architecture = part[4]; place = ""; waiting = 1
        }
        /^ptxas info *: Function properties for/ { place = $NF }
        /^ +[0-9]+ bytes stack frame, [0-9]+ bytes spill stores, [0-9]+ bytes spill loads/ {
            if (place == "") place = kernel
            if (place == kernel) waiting = 0
            if (architecture !~ /^sm_[0-9]+[a-z]*$/ || place == "") { unread++; next }
            print architecture, $1, $5, $9, file, place
        }
        END { exit unread + waiting > 0 }' "$1" | c++filt -p | sed 's/warpscope::cuda:://g; s/(anonymous namespace):://g'
}

# KERNELS LOOKED_AT: the lines of kernels_of_report, and a line "ARCHITECTURE FILE" for each report. Says what is wrong: 1 where
# something is, 2 where the list itself cannot be read.
compare_with_known() {
    awk -v list="$known" '
        function name(  rest) { rest = $0; sub(/^[^ ]+ +[0-9]+ +[0-9]+ +[0-9]+ +/, "", rest); return $1 " " rest }
        function complain(what) { print what | "cat >&2"; if (!bad) bad = 1 }
        FILENAME == list {
            if (/^nvcc [0-9]+\.[0-9]+$/) { compiler = $2; next }
            if (/^(#|$)/) next
            if (!/^sm_[0-9a-z]+ +[0-9]+ +[0-9]+ +[0-9]+ +[^ ]+\.cu [^ ]/) { complain(list ": cannot be read: " $0); bad = 2; next }
            n = name(); frame[n] = $2; stored[n] = $3; loaded[n] = $4; pair[n] = $1 " " $5
            next
        }
        FILENAME == ARGV[3] { looked[$0] = 1; next }
        $2 + $3 + $4 > 0 {
            n = name(); seen[n] = 1
            # As the list would have it.
            if (!(n in frame)) complain($0 ": bytes of stack, stored and loaded; no line of " list)
            else if ($2 > frame[n] || $3 > stored[n] || $4 > loaded[n])
                complain($0 ": bytes of stack, stored and loaded; known are " frame[n] ", " stored[n] " and " loaded[n])
        }
        END {
            if (compiler == "") { complain(list ": a line \"nvcc RELEASE\" is missing"); bad = 2 }
            for (n in frame) if (pair[n] in looked && !(n in seen)) complain(n " keeps nothing in memory any longer: take it out of " list)
            close("cat >&2")
            exit bad
        }' "$known" "$1" "$2"
}

# Whether an nvcc of this version is of the release that the list was made with: others spill elsewhere.
is_compiler_of_list() { [[ $1. = "$(sed -n 's/^nvcc //p' "$known")".* ]]; }
