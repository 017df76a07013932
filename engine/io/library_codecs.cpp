// Formats that are read with a library of their own. A build may lack one: files of the format are
// then recognized all the same, and refused by the library's name.
#include <fmt/format.h>

#include <cstring>

#include "engine/io/codec.h"

namespace warpscope::io {
namespace {

bool hasAt(Bytes bytes, std::size_t at, std::string_view magic) {
    return bytes.size() >= at + magic.size() &&
           std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
}

constexpr const char* kExr[] = {"OpenEXR", "OpenEXR"};

template <const auto& Names>
[[maybe_unused]] Result<Image> missing(Bytes, const ReadOptions&) {
    return fail(ErrorCode::Unsupported, fmt::format("{}: this build has no {}", Names[0], Names[1]));
}

using namespace std::string_view_literals;

}  // namespace

#define WARPSCOPE_MISSING(names) missing<names>, nullptr, nullptr

Codec exrCodec() {
    const auto recognizes = [](Bytes bytes) { return hasAt(bytes, 0, "\x76\x2F\x31\x01"sv); };
#if WARPSCOPE_OPENEXR
    return {{{kExr[0], {"exr"}, true, false}}, recognizes, decodeExr, nullptr, listExrPages};
#else
    return {{{kExr[0], {"exr"}, false, false}}, recognizes, WARPSCOPE_MISSING(kExr)};
#endif
}

}  // namespace warpscope::io
