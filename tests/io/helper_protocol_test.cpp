// The messages between a program and its decoding process: what goes in comes out, and nothing else
// is taken for a message.
#include <random>

#include "engine/io/helper/protocol.h"
#include "support/test_case.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace warpscope::io;
using namespace io_test;

namespace {

HelperContent twoImages() {
    ImageDescription shown;
    shown.format = PixelFormat::Rgba16;
    shown.size = {640, 480};
    shown.info.whiteLevel = 4095;
    shown.info.hasAlpha = true;
    shown.info.sourceFormat = "TIFF, 12 bits, CMYK";
    shown.info.notices = {"1 of 3 pages", "the colour profile was left out"};
    shown.info.metadata = {{"Camera", "Model 7"}, {"Exposure", "1/250 s"}};
    shown.info.iccProfile = std::make_shared<const std::vector<std::uint8_t>>(300, 7);
    shown.info.rawLabel = "CMYK";
    ImageDescription raw;
    raw.format = PixelFormat::Rgba8;
    raw.size = shown.size;
    raw.info.whiteLevel = 100;
    return ImageDescriptions{shown, raw};
}

HelperContent somePages() {
    std::vector<PageInfo> pages(3);
    pages[0].name = "beauty/Z";
    pages[0].size = {1920, 1080};
    pages[0].format = PixelFormat::GrayF32;
    pages[2].problem = "JBIG is not read";
    return pages;
}

HelperRequest someRequest() {
    HelperRequest request;
    request.id = 77;
    request.kind = HelperRequest::Kind::Reduced;
    request.side = 256;
    request.name = "/somewhere/a picture.jpg";
    request.options.page = 3;
    request.options.limits = {1 << 30, 1 << 20, "turn the knob", 4096};
    return request;
}

template <class Read>
void onlyWhole(const MessageBytes& bytes, Read read) {
    QVERIFY(read(bytes).has_value());
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
        QVERIFY2(!read(std::span(bytes).first(cut)).has_value(), std::to_string(cut).c_str());
    MessageBytes longer = bytes;
    longer.push_back(0);
    QVERIFY(!read(longer).has_value());
}

// Whatever bytes are changed: nothing, or something whose sizes are in range.
void survives(const MessageBytes& bytes, std::mt19937& random) {
    for (int round = 0; round < 4000; ++round) {
        MessageBytes changed = bytes;
        for (int i = 0; i < 1 + round % 4; ++i)
            changed[random() % changed.size()] = std::uint8_t(random() % 3 ? random() : 255);
        const auto content = contentFrom(changed);
        (void)requestFrom(changed);
        (void)answerFrom(changed);
        (void)readyFrom(changed);
        if (!content || content->index() != 2) continue;
        for (const auto& image : std::get<ImageDescriptions>(*content)) {
            QVERIFY(storageBytes(image.format, image.size).has_value());
            QVERIFY(std::isfinite(image.info.whiteLevel));
        }
    }
}

}  // namespace

class HelperProtocolTest : public QObject {
    Q_OBJECT

  private slots:
    void comesBack() {
        const auto images = contentFrom(toBytes(twoImages()));
        QVERIFY(images && images->index() == 2);
        // The bytes say everything that there is.
        QCOMPARE(toBytes(*images), toBytes(twoImages()));
        const auto& shown = std::get<ImageDescriptions>(*images)[0];
        QCOMPARE(shown.info.whiteLevel, 4095.0);
        QCOMPARE(shown.info.metadata[1].second, std::string("1/250 s"));
        QCOMPARE(shown.info.iccProfile->size(), std::size_t(300));
        const auto pages = contentFrom(toBytes(somePages()));
        QVERIFY(pages && pages->index() == 1);
        QCOMPARE(toBytes(*pages), toBytes(somePages()));
        QCOMPARE(std::get<1>(*pages)[0].size, (Size{1920, 1080}));
        QVERIFY(!std::get<1>(*pages)[2].format.has_value());
        const auto request = requestFrom(toBytes(someRequest()));
        QVERIFY(request.has_value());
        QCOMPARE(toBytes(*request), toBytes(someRequest()));
        QCOMPARE(request->options.limits.bytesInUse, std::uint64_t(4096));
        const HelperContent error = Error{ErrorCode::LimitExceeded, "a.png: too large"};
        const auto said = contentFrom(toBytes(error));
        QVERIFY(said && std::get<Error>(*said) == std::get<Error>(error));
        const auto ready = readyFrom(toBytes(HelperReady{false, "an old kernel"}));
        QVERIFY(ready && !ready->filtered && ready->whyNot == "an old kernel");
    }

    void onlyWholeMessages() {
        onlyWhole(toBytes(twoImages()), contentFrom);
        onlyWhole(toBytes(somePages()), contentFrom);
        onlyWhole(toBytes(HelperContent(Error{ErrorCode::Damaged, "a"})), contentFrom);
        onlyWhole(toBytes(someRequest()), requestFrom);
        onlyWhole(toBytes(HelperAnswer{1, 2, 1}), answerFrom);
        onlyWhole(toBytes(HelperReady{true, "x"}), readyFrom);
        QVERIFY(!answerFrom(toBytes(HelperReady{true, "x"})).has_value());
    }

    void outOfRange() {
        const auto refused = [](auto change) {
            auto content = twoImages();
            change(std::get<ImageDescriptions>(content));
            return !contentFrom(toBytes(content)).has_value();
        };
        QVERIFY(!refused([](auto&) {}));
        QVERIFY(refused([](auto& images) { images[0].size.width = 0; }));
        QVERIFY(refused([](auto& images) { images[0].size.height = -1; }));
        QVERIFY(refused([](auto& images) { images[0].size.width = kMaxSide + 1; }));
        QVERIFY(refused([](auto& images) { images[1].size.width = 641; }));
        QVERIFY(refused([](auto& images) { images[0].format = PixelFormat(8); }));
        QVERIFY(refused([](auto& images) { images.clear(); }));
        QVERIFY(refused([](auto& images) { images.push_back(images[0]); }));
        QVERIFY(refused([](auto& images) { images[0].info.whiteLevel = std::nan(""); }));
        QVERIFY(refused([](auto& images) { images[0].info.whiteLevel = 0; }));
        QVERIFY(refused([](auto& images) { images[0].info.notices.resize(1000); }));
        QVERIFY(refused([](auto& images) {
            images[0].info.iccProfile =
                std::make_shared<const std::vector<std::uint8_t>>((16 << 20) + 1);
        }));
        QVERIFY(!contentFrom(toBytes(HelperContent(std::vector<PageInfo>()))).has_value());
        QVERIFY(!contentFrom(toBytes(HelperContent(std::vector<PageInfo>(65'536)))).has_value());
        QVERIFY(contentFrom(toBytes(HelperContent(std::vector<PageInfo>(65'535)))).has_value());
    }

    void changedBytes() {
        std::mt19937 random(test::freshSeed());
        survives(toBytes(twoImages()), random);
        survives(toBytes(somePages()), random);
        survives(toBytes(someRequest()), random);
    }
};

WARPSCOPE_TEST(HelperProtocolTest)
#include "helper_protocol_test.moc"
