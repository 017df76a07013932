#include "engine/io/helper/protocol.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/io/decode_support.h"
#include "engine/io/helper/byte_stream.h"

namespace warpscope::io {
namespace {

// Program and process are of one build; another one beside it is told by this.
constexpr std::uint32_t kVersion = 1;
enum class Mark : std::uint32_t { Ready = 0x57447231, Request, Answer, Content };

constexpr std::size_t kMostText = 8192, kMostNotices = 64, kMostMetadata = 256;

ByteWriter begun(Mark mark) {
    ByteWriter out;
    out.number(mark);
    out.number(kVersion);
    return out;
}

ByteReader opened(std::span<const std::uint8_t> bytes, Mark mark) {
    ByteReader in(bytes);
    if (in.number<std::uint32_t>() != std::uint32_t(mark)) in.refuse();
    if (in.number<std::uint32_t>() != kVersion) in.refuse();
    return in;
}

std::string shownText(ByteReader& in) {
    return cleanText(in.text(kMostText), kMostText);
}

void write(ByteWriter& out, const ImageInfo& info) {
    out.number(info.whiteLevel);
    out.number(std::uint8_t(info.hasAlpha));
    out.text(info.sourceFormat);
    out.number(std::uint64_t(info.notices.size()));
    for (const std::string& notice : info.notices) out.text(notice);
    out.number(std::uint64_t(info.metadata.size()));
    for (const auto& [key, value] : info.metadata) {
        out.text(key);
        out.text(value);
    }
    out.number(std::uint8_t(info.iccProfile != nullptr));
    if (info.iccProfile) out.block(*info.iccProfile);
    out.text(info.rawLabel);
}

ImageInfo readInfo(ByteReader& in) {
    ImageInfo info;
    info.whiteLevel = in.number<double>();
    if (!std::isfinite(info.whiteLevel) || info.whiteLevel <= 0) in.refuse();
    info.hasAlpha = in.flag();
    info.sourceFormat = shownText(in);
    for (auto left = in.count(kMostNotices, 8); left > 0 && in.good(); --left)
        info.notices.push_back(shownText(in));
    for (auto left = in.count(kMostMetadata, 16); left > 0 && in.good(); --left) {
        std::string key = shownText(in);
        info.metadata.emplace_back(std::move(key), shownText(in));
    }
    if (in.flag()) {
        const auto profile = in.block(kMaxProfileBytes);
        info.iccProfile =
            std::make_shared<const std::vector<std::uint8_t>>(profile.begin(), profile.end());
    }
    info.rawLabel = shownText(in);
    return info;
}

void write(ByteWriter& out, PixelFormat format, Size size) {
    out.number(std::uint8_t(format));
    out.number(std::int32_t(size.width));
    out.number(std::int32_t(size.height));
}

PixelFormat readFormat(ByteReader& in) {
    return PixelFormat(in.atMost(std::uint8_t(std::size(kAllPixelFormats) - 1)));
}

Size readSize(ByteReader& in, int least, int most) {
    Size size;
    size.width = in.number<std::int32_t>();
    size.height = in.number<std::int32_t>();
    if (std::min(size.width, size.height) < least || std::max(size.width, size.height) > most)
        in.refuse();
    return size;
}

void writeContent(ByteWriter& out, const Error& error) {
    out.number(std::uint8_t(error.code));
    out.text(error.message);
}

void writeContent(ByteWriter& out, const std::vector<PageInfo>& pages) {
    out.number(std::uint64_t(pages.size()));
    for (const PageInfo& page : pages) {
        out.text(page.name);
        out.number(std::uint8_t(page.format.has_value()));
        write(out, page.format.value_or(PixelFormat::Gray8), page.size);
        out.text(page.problem);
    }
}

void writeContent(ByteWriter& out, const ImageDescriptions& images) {
    out.number(std::uint64_t(images.size()));
    for (const ImageDescription& image : images) {
        write(out, image.format, image.size);
        write(out, image.info);
    }
}

Error readError(ByteReader& in) {
    const auto code = ErrorCode(in.atMost(std::uint8_t(ErrorCode::Internal)));
    return {code, shownText(in)};
}

std::vector<PageInfo> readPages(ByteReader& in) {
    // Bytes of an entry without texts: two lengths, a flag, format and size.
    std::vector<PageInfo> pages(in.count(kMostPages, 8 + 1 + 9 + 8));
    for (PageInfo& page : pages) {
        page.name = shownText(in);
        const bool hasFormat = in.flag();
        const PixelFormat format = readFormat(in);
        if (hasFormat) page.format = format;
        // A page may say nothing of its size, or claim one that reading would refuse.
        page.size = readSize(in, 0, std::numeric_limits<int>::max());
        page.problem = shownText(in);
        if (!in.good()) break;
    }
    if (pages.empty()) in.refuse();
    return pages;
}

ImageDescriptions readDescriptions(ByteReader& in) {
    ImageDescriptions images(in.count(2, 9));
    for (ImageDescription& image : images) {
        image.format = readFormat(in);
        image.size = readSize(in, 1, kMaxSide);
        image.info = readInfo(in);
    }
    if (images.empty() || images.front().size != images.back().size) in.refuse();
    return images;
}

}  // namespace

MessageBytes toBytes(const HelperReady& ready) {
    ByteWriter out = begun(Mark::Ready);
    out.number(std::uint8_t(ready.filtered));
    out.text(ready.whyNot);
    return std::move(out).take();
}

MessageBytes toBytes(const HelperRequest& request) {
    ByteWriter out = begun(Mark::Request);
    out.number(request.id);
    out.number(request.kind);
    out.number(request.side);
    out.text(request.name);
    out.number(std::int32_t(request.options.page));
    const ReadLimits& limits = request.options.limits;
    out.number(limits.maxDecodedBytes);
    out.number(limits.maxFileBytes);
    out.number(limits.bytesInUse);
    out.text(limits.howToRaise);
    return std::move(out).take();
}

MessageBytes toBytes(const HelperAnswer& answer) {
    ByteWriter out = begun(Mark::Answer);
    out.number(answer.id);
    out.number(answer.contentBytes);
    out.number(answer.images);
    return std::move(out).take();
}

MessageBytes toBytes(const HelperContent& content) {
    ByteWriter out = begun(Mark::Content);
    out.number(std::uint8_t(content.index()));
    std::visit([&](const auto& what) { writeContent(out, what); }, content);
    return std::move(out).take();
}

std::optional<HelperReady> readyFrom(std::span<const std::uint8_t> bytes) {
    ByteReader in = opened(bytes, Mark::Ready);
    HelperReady ready;
    ready.filtered = in.flag();
    ready.whyNot = shownText(in);
    return in.ended() ? std::optional(ready) : std::nullopt;
}

std::optional<HelperRequest> requestFrom(std::span<const std::uint8_t> bytes) {
    ByteReader in = opened(bytes, Mark::Request);
    HelperRequest request;
    request.id = in.number<std::uint64_t>();
    request.kind = HelperRequest::Kind(in.atMost(std::uint8_t(HelperRequest::Kind::Cancel)));
    request.side = in.number<std::int32_t>();
    request.name = in.text(kMostText);
    request.options.page = in.number<std::int32_t>();
    ReadLimits& limits = request.options.limits;
    limits.maxDecodedBytes = in.number<std::uint64_t>();
    limits.maxFileBytes = in.number<std::uint64_t>();
    limits.bytesInUse = in.number<std::uint64_t>();
    limits.howToRaise = in.text(kMostText);
    return in.ended() ? std::optional(std::move(request)) : std::nullopt;
}

std::optional<HelperAnswer> answerFrom(std::span<const std::uint8_t> bytes) {
    ByteReader in = opened(bytes, Mark::Answer);
    HelperAnswer answer;
    answer.id = in.number<std::uint64_t>();
    answer.contentBytes = in.atMost(std::uint64_t(kMostContentBytes));
    answer.images = in.atMost(std::uint8_t(kMostDescriptors - 1));
    return in.ended() ? std::optional(answer) : std::nullopt;
}

std::optional<HelperContent> contentFrom(std::span<const std::uint8_t> bytes) {
    ByteReader in = opened(bytes, Mark::Content);
    HelperContent content;
    switch (in.atMost(std::uint8_t(std::variant_size_v<HelperContent> - 1))) {
        case 0:
            content = readError(in);
            break;
        case 1:
            content = readPages(in);
            break;
        default:
            content = readDescriptions(in);
    }
    return in.ended() ? std::optional(std::move(content)) : std::nullopt;
}

}  // namespace warpscope::io
