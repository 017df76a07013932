// What the program and its decoding process say to each other. A message is one packet; what may be
// long, the answer's content, is a file in memory whose descriptor comes with it, and so are the
// samples of each image. The program believes nothing: every text is cleaned, every number bounded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/io/image_reader.h"

namespace warpscope::io {

using MessageBytes = std::vector<std::uint8_t>;

// Of one packet.
inline constexpr std::size_t kMostMessageBytes = 16 << 10;
// Of an answer's content: a colour profile, or 65535 pages with names.
inline constexpr std::size_t kMostContentBytes = 64 << 20;
// The content, an image, and its samples as they were stored.
inline constexpr std::size_t kMostDescriptors = 3;

// The first message of the process.
struct HelperReady {
    // Whether its system calls are filtered, and if not, why.
    bool filtered = false;
    std::string whyNot;
};

struct HelperRequest {
    enum class Kind : std::uint8_t { Read, Reduced, Pages, Cancel };
    std::uint64_t id = 0;
    Kind kind = Kind::Read;
    // Of Reduced: see readReducedImage.
    std::int32_t side = 0;
    std::string name;
    // Without `stop`. All but Cancel come with the descriptor of the file.
    ReadOptions options;
};

// The packet of an answer; descriptors: the content, then one for each image.
struct HelperAnswer {
    std::uint64_t id = 0;
    std::uint64_t contentBytes = 0;
    std::uint8_t images = 0;
};

// An image but for its samples, which lie as storageBytes() has them.
struct ImageDescription {
    PixelFormat format = PixelFormat::Gray8;
    Size size;
    // `raw` is null: it is a description of its own.
    ImageInfo info;
};

// One image, or two: the second is ImageInfo::raw of the first.
using ImageDescriptions = std::vector<ImageDescription>;
using HelperContent = std::variant<Error, std::vector<PageInfo>, ImageDescriptions>;

MessageBytes toBytes(const HelperReady& ready);
MessageBytes toBytes(const HelperRequest& request);
MessageBytes toBytes(const HelperAnswer& answer);
MessageBytes toBytes(const HelperContent& content);

// Nothing for what is no such message: another kind or version, cut, with bytes left over, numbers
// out of range.
std::optional<HelperReady> readyFrom(std::span<const std::uint8_t> bytes);
std::optional<HelperRequest> requestFrom(std::span<const std::uint8_t> bytes);
std::optional<HelperAnswer> answerFrom(std::span<const std::uint8_t> bytes);
// Sizes are possible ones, pages at most 65535, one or two images of the same size.
std::optional<HelperContent> contentFrom(std::span<const std::uint8_t> bytes);

}  // namespace warpscope::io
