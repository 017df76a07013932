# The same commit gives the same bytes: no time but the commit's, no owner, no order or rights that a disk or a person's umask brings.
# Sourced by installer/bundle and installer/deb before they build.

# Compilers, rcc, tar and CPack take it where they would take the time of day. Without git, the newest change that the source tells of.
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}"
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022

# pack_folder PARENT NAME FILE.tar.gz [LEVEL]: from 1, quick, to 12, small.
pack_folder() {
    local level=${4:-12} compress
    # The format of gzip, two MiB smaller than gzip itself makes it. Both: without name and time.
    if command -v libdeflate-gzip >/dev/null; then compress=(libdeflate-gzip "-$level" -n -c); else compress=(gzip "-$((level > 9 ? 9 : level))" -n -c); fi
    tar -C "$1" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w --mtime="@$SOURCE_DATE_EPOCH" -cf - "$2" |
        "${compress[@]}" >"$3"
}
