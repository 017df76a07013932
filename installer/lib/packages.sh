# Installs the packages of a list that are missing. Sourced by bootstrap.

# install_packages [FILE]: without one, what every build needs.
install_packages() {
    local list missing=() name
    list=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${1:-installer/packages-debian.txt}")
    if ! command -v dpkg-query >/dev/null; then
        say "this is no Debian or Ubuntu; make sure that these are installed under your system's names:"
        say "  $(printf '%s' "$list" | tr '\n' ' ')"
        return 0
    fi
    # One query for all: it answers for virtual packages and names with an architecture too.
    local have
    # shellcheck disable=SC2086
    have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Provides}\n' 2>/dev/null | sed -n 's/^ii  *//p' | tr ' ,' '\n\n')
    for name in $list; do
        grep -qxF "$name" <<<"$have" || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${#missing[@]} packages: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
        as_root=(sudo)
    fi
    local log
    log=$(mktemp)
    {
        "${as_root[@]}" apt-get update -qq &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
    } >"$log" 2>&1 || { tail -n 30 "$log" >&2; die "installing packages failed (whole log: $log)"; }
    rm -f "$log"
}
