# What a bundle or a package is made of, as SPDX 2.3 in JSON: every library with version, licence and source package. Sourced by
# installer/bundle and installer/deb; needs dpkg's records of the machine that builds. installer/check-sbom looks at the result.

# What is inside of our programs without being a library of its own.
sbom_headers=(nlohmann-json3-dev libcli11-dev libexpected-dev)

# Text as JSON writes it, with its quotes.
json_text() { printf '"%s"' "$(tr -d '\000-\010\013-\037' <<<"$1" | sed -z 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g; s/\n$//; s/\n/\\n/g')"; }

# What an SPDX identifier may hold.
spdx_id() { printf 'SPDXRef-%s' "$(sed 's/[^A-Za-z0-9.-]/-/g' <<<"$1")"; }

# learn_packages FILE...: dpkg answers for a hundred files as quickly as for one.
declare -gA sbom_package_of
learn_packages() {
    local file asked=() line
    for file in "$@"; do
        file=$(readlink -f "$file")
        # Some packages are registered under /lib, which is a link to /usr/lib.
        asked+=("$file" "${file#/usr}")
    done
    while IFS= read -r line; do sbom_package_of[${line##*: }]=${line%%[:,]*}; done < <(dpkg-query -S "${asked[@]}" 2>/dev/null || true)
}

# The Debian package of a file. Fails where no package holds it.
package_of() {
    local file
    file=$(readlink -f "$1")
    [ -n "$file" ] || return 1
    [ -n "${sbom_package_of[$file]:-${sbom_package_of[${file#/usr}]:-}}" ] || learn_packages "$file"
    printf '%s' "${sbom_package_of[$file]:-${sbom_package_of[${file#/usr}]:-}}" | grep .
}

# The licence of most of a package's files in SPDX's words: spdx_licence_of PACKAGE SOURCE-PACKAGE. What THIRD_PARTY.md says of those whose
# copyright file has names of its own; else from Debian's machine-readable file; nothing where that would be a guess.
spdx_licence_of() {
    local word words=() known
    case $2 in
        glibc) printf 'LGPL-2.1-or-later'; return ;;
        gcc-*) printf 'GPL-3.0-or-later WITH GCC-exception-3.1'; return ;;
        openexr | imath | libwebp | jpeg-xl) printf 'BSD-3-Clause'; return ;;
        fmtlib) printf 'MIT'; return ;;
        libpng1.6) printf 'libpng-2.0'; return ;;
        libjpeg-turbo) printf 'IJG AND BSD-3-Clause AND Zlib'; return ;;
        tiff) printf 'libtiff'; return ;;
        libraw) printf 'LGPL-2.1-only OR CDDL-1.0'; return ;;
        cfitsio) printf 'CFITSIO'; return ;;
    esac
    # The stanza of all files; its first line names the licence.
    for word in $(awk '/^Files:/ { all = $2 == "*" } /^License:/ && all { sub(/^License: */, ""); print; exit }' \
                      "/usr/share/doc/$1/copyright" | sed 's/,/ /g; s/\<and\>/AND/g; s/\<or\>/OR/g'); do
        case $word in
            AND | OR) known=$word ;;
            Expat | MIT) known=MIT ;;
            BSD-2-clause | BSD-2-Clause) known=BSD-2-Clause ;;
            BSD-3-clause | BSD-3-Clause) known=BSD-3-Clause ;;
            Apache-2.0 | ISC | MPL-2.0 | MPL-1.1 | CC0-1.0 | OFL-1.1 | BSL-1.0) known=$word ;;
            Zlib | zlib) known=Zlib ;;
            GPL-[123] | LGPL-[23] | LGPL-2.1) known=$(sed 's/-\([0-9]\)$/-\1.0/; s/$/-only/' <<<"$word") ;;
            GPL-[123]+ | LGPL-[23]+ | LGPL-2.1+) known=$(sed 's/+$//; s/-\([0-9]\)$/-\1.0/; s/$/-or-later/' <<<"$word") ;;
            *) return 0 ;;
        esac
        words+=("$known")
    done
    # Two names side by side say nothing of how they belong together.
    local text="${words[*]}"
    [[ $text =~ ^[^\ ]+(\ (AND|OR)\ [^\ ]+)*$ ]] && printf '%s' "$text"
    return 0
}

# sbom_begin NAME VERSION: what is described.
sbom_begin() {
    sbom_name=$1 sbom_version=$2
    sbom_packages=() sbom_files=() sbom_relations=() sbom_licences=() sbom_known=" "
    sbom_packages+=("{\"SPDXID\": \"SPDXRef-warpscope\", \"name\": \"warpscope\", \"versionInfo\": $(json_text "$sbom_version"), \"supplier\": \"NOASSERTION\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"MIT\", \"copyrightText\": \"2026 the Warpscope authors\", \"comment\": $(json_text "commit $(git rev-parse HEAD 2>/dev/null || echo unknown)"), \"primaryPackagePurpose\": \"APPLICATION\"}")
    sbom_relations+=("SPDXRef-DOCUMENT DESCRIBES SPDXRef-warpscope")
}

# sbom_package PACKAGE RELATION [LICENCE-FILE]: a Debian package of this machine, once. RELATION: CONTAINS, DYNAMIC_LINK or STATIC_LINK, from
# the program's side; LICENCE-FILE: where the reader finds its text.
sbom_package() {
    local package=$1 id version source source_version licence text
    [[ $sbom_known != *" $package "* ]] || return 0
    sbom_known+="$package "
    id=$(spdx_id "Package-$package")
    read -r version source source_version <<<"$(dpkg-query -W -f '${Version} ${source:Package} ${source:Version}\n' "$package" | head -n 1)"
    licence=$(spdx_licence_of "$package" "$source")
    if [ -z "$licence" ]; then
        licence=LicenseRef-$(sed 's/[^A-Za-z0-9.-]/-/g' <<<"$package")
        text="Several licences, or one that SPDX has no name for: ${3:-/usr/share/doc/$package/copyright} has the text."
        sbom_licences+=("{\"licenseId\": \"$licence\", \"name\": $(json_text "licence of $package"), \"extractedText\": $(json_text "$text")}")
    fi
    # A plus and a tilde are what a package URL writes in hexadecimal.
    local url=${version//+/%2B}
    url="pkg:deb/$(. /etc/os-release && echo "$ID")/$package@${url//:/%3A}?arch=$(dpkg --print-architecture)"
    sbom_packages+=("{\"SPDXID\": \"$id\", \"name\": \"$package\", \"versionInfo\": $(json_text "$version"), \"supplier\": \"NOASSERTION\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"$licence\", \"copyrightText\": \"NOASSERTION\", \"sourceInfo\": $(json_text "source package $source $source_version"), \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": $(json_text "$url")}]}")
    sbom_relations+=("SPDXRef-warpscope $2 $id")
}

# sbom_file FOLDER PATH PACKAGE: a file as it is passed on; PACKAGE is where it comes from, empty for our own.
sbom_file() {
    local id owner=SPDXRef-warpscope
    id=$(spdx_id "File-$2")
    [ -z "$3" ] || owner=$(spdx_id "Package-$3")
    sbom_files+=("{\"SPDXID\": \"$id\", \"fileName\": $(json_text "./$2"), \"fileTypes\": [\"BINARY\"], \"checksums\": [{\"algorithm\": \"SHA1\", \"checksumValue\": \"$(sha1sum "$1/$2" | cut -c1-40)\"}, {\"algorithm\": \"SHA256\", \"checksumValue\": \"$(sha256sum "$1/$2" | cut -c1-64)\"}], \"licenseConcluded\": \"NOASSERTION\", \"copyrightText\": \"NOASSERTION\"}")
    sbom_relations+=("$owner CONTAINS $id")
}

# NVIDIA's runtime is in every program that was built with CUDA. sbom_cuda BUILD-FOLDER
sbom_cuda() {
    local nvcc version
    grep -q cudart "$1/build.ninja" || return 0
    nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$1/CMakeCache.txt")
    version=$(sed -n 's/^#define CUDART_VERSION *\([0-9]*\).*/\1/p' "$(dirname "$nvcc")/../include/cuda_runtime_api.h")
    version=$((version / 1000)).$((version % 1000 / 10))
    sbom_licences+=("{\"licenseId\": \"LicenseRef-NVIDIA-CUDA-EULA\", \"name\": \"NVIDIA CUDA Toolkit EULA\", \"extractedText\": \"The end-user licence of the CUDA Toolkit, which comes with the toolkit.\"}")
    sbom_packages+=("{\"SPDXID\": \"SPDXRef-Package-cudart-static\", \"name\": \"cudart-static\", \"versionInfo\": \"$version\", \"supplier\": \"Organization: NVIDIA\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"LicenseRef-NVIDIA-CUDA-EULA\", \"copyrightText\": \"NOASSERTION\", \"sourceInfo\": \"CUDA Toolkit $version\"}")
    sbom_relations+=("SPDXRef-warpscope STATIC_LINK SPDXRef-Package-cudart-static")
}

# A list of JSON, an entry a line.
sbom_list() {
    local name=$1; shift
    printf '  "%s": [' "$name"
    local comma=""
    for entry in "$@"; do printf '%s\n    %s' "$comma" "$entry"; comma=,; done
    printf '\n  ]'
}

# sbom_end FILE: written once everything has been named.
sbom_end() {
    local relations=() from relation to hash
    for entry in "${sbom_relations[@]}"; do
        read -r from relation to <<<"$entry"
        relations+=("{\"spdxElementId\": \"$from\", \"relationshipType\": \"$relation\", \"relatedSpdxElement\": \"$to\"}")
    done
    # A name of its own for other contents, and the same for the same.
    hash=$(printf '%s\n' "${sbom_packages[@]}" "${sbom_files[@]}" | sha256sum | cut -c1-32)
    {
        printf '{\n  "spdxVersion": "SPDX-2.3",\n  "dataLicense": "CC0-1.0",\n  "SPDXID": "SPDXRef-DOCUMENT",\n'
        printf '  "name": %s,\n  "documentNamespace": %s,\n' "$(json_text "$sbom_name")" "$(json_text "https://spdx.org/spdxdocs/$sbom_name-$hash")"
        printf '  "creationInfo": {"created": "%s", "creators": ["Tool: warpscope-installer-%s"]},\n' "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" "$sbom_version"
        sbom_list packages "${sbom_packages[@]}"; printf ',\n'
        [ ${#sbom_files[@]} = 0 ] || { sbom_list files "${sbom_files[@]}"; printf ',\n'; }
        [ ${#sbom_licences[@]} = 0 ] || { sbom_list hasExtractedLicensingInfos "${sbom_licences[@]}"; printf ',\n'; }
        sbom_list relationships "${relations[@]}"; printf '\n}\n'
    } >"$1"
}

# loaded_from NAME WORDS-OF-LDD: the path; that of the loader itself stands there without an arrow.
loaded_from() { awk -v name="$1" '!found && $1 == name && $2 == "=>" { print $3; found = 1 } !found && $1 ~ "/" name "$" { print $1; found = 1 }' <<<"$2"; }

# sbom_of_package FILE BUILD-FOLDER PROGRAM...: of programs that take their libraries from the machine.
sbom_of_package() {
    local file=$1 folder=$2 version library package loaded; shift 2
    loaded=$(ldd "$@")
    version=$(sed -n 's/^project(Warpscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    sbom_begin "warpscope-$version-debian" "$version"
    for library in $(readelf -dW "$@" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | sort -u); do
        package=$(package_of "$(loaded_from "$library" "$loaded")") || { echo "no package holds $library" >&2; return 1; }
        sbom_package "$package" DYNAMIC_LINK
    done
    for package in "${sbom_headers[@]}"; do sbom_package "$package" STATIC_LINK; done
    sbom_cuda "$folder"
    sbom_end "$file"
}
