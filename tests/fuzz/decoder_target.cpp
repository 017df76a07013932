// One decoder, named by WARPSCOPE_FUZZ_CODEC, the way a file reaches it: through the registry, with
// limits. Whatever comes in, the answer is an image of what the header promised or an error that
// says something; twice the same.
#include <cstdio>
#include <cstdlib>

#include "engine/io/codec.h"
#include "engine/io/jpeg_reduced.h"

using namespace warpscope;

namespace {

void promise(bool kept, const char* what) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

constexpr std::uint64_t kDecodedBytes = 32u << 20;

void checkError(const Error& error) {
    promise(error.code != ErrorCode::Internal, "no internal errors");
    promise(error.message.starts_with("fuzz"), "the message begins with the file's name");
    promise(error.message.size() < 1000, "the message is a sentence");
    promise(error.message.find('\n') == std::string::npos, "the message is one line");
}

void checkImage(const Image& image) {
    promise(image.width() >= 1 && image.height() >= 1, "an image has pixels");
    promise(image.byteCount() <= kDecodedBytes, "an image within the limit");
    promise(sameSamples(image, image), "an image can be read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const io::Codec codec = io::WARPSCOPE_FUZZ_CODEC();
    const io::Bytes bytes(data, size);
    // Another decoder's, or nobody's.
    if (!codec.recognizes(bytes)) return -1;
    ReadOptions options;
    options.limits.maxDecodedBytes = kDecodedBytes;

    const auto pages = listPagesOf(bytes, "fuzz", options);
    promise(!pages || !pages->empty(), "a list of pages is not empty");
    if (!pages) checkError(pages.error());
    for (int page = 0; page < 2; ++page) {
        options.page = page;
        const Result<Image> image = decodeImage(bytes, "fuzz", options);
        if (!image) {
            checkError(image.error());
            continue;
        }
        checkImage(*image);
        promise(page == 0 || !pages || pages->size() > 1, "no page beyond the list");
        const Result<Image> again = decodeImage(bytes, "fuzz", options);
        promise(again && sameSamples(*image, *again), "the same pixels each time");
    }
    if (std::string_view(codec.formats.front().name) == "JPEG") {
        options.page = 0;
        const Result<Image> reduced = io::decodeJpegReduced(bytes, 16, options);
        if (reduced) checkImage(*reduced);
    }
    return 0;
}
