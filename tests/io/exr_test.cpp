// OpenEXR against files written by hand, and in other compressions against what the library was
// given to write.
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <ImfTiledOutputFile.h>
#include <zlib.h>

#include "support/test_case.h"
#include "tests/io/damage_checks.h"
#include "tests/io/exr_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

class OutputMemory final : public Imf::OStream {
  public:
    OutputMemory() : Imf::OStream("memory") {}
    void write(const char from[], int count) override {
        if (m_at + std::size_t(count) > bytes.size()) bytes.resize(m_at + std::size_t(count));
        std::memcpy(bytes.data() + m_at, from, std::size_t(count));
        m_at += std::size_t(count);
    }
    uint64_t tellp() override { return m_at; }
    void seekp(uint64_t at) override { m_at = std::size_t(at); }
    ByteBuffer bytes;

  private:
    std::size_t m_at = 0;
};

Result<Image> page(const ByteBuffer& file, int number) {
    ReadOptions options;
    options.page = number;
    return decode(file, options);
}

std::vector<std::string> namesOf(const ByteBuffer& file) {
    const auto pages = listPagesOf(file, "test file");
    std::vector<std::string> names;
    if (pages)
        for (const auto& one : *pages) names.push_back(one.name);
    return names;
}

}  // namespace

class ExrTest : public QObject {
    Q_OBJECT

  private slots:
    void samplesAreExact_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("channels");
        for (const int channels : {1, 3, 4}) {
            QTest::addRow("half, %d", channels) << int(ExrType::Half) << channels;
            QTest::addRow("float, %d", channels) << int(ExrType::Float) << channels;
        }
        QTest::newRow("uint") << int(ExrType::Uint) << 1;
    }
    void samplesAreExact() {
        QFETCH(int, type);
        QFETCH(int, channels);
        const int width = 37, height = 41;
        ExrPart part{-5, 7, width, height, {}, ""};
        const std::string names = channels == 1 ? "Z" : channels == 3 ? "BGR" : "ABGR";
        for (const char name : names)
            part.channels.push_back(
                exrChannel({name}, ExrType(type), width * height, std::uint32_t(name)));
        const auto image = decode(makeExr({part}));
        REQUIRE_OK(image);
        QCOMPARE(image->format(), channels > 1                 ? PixelFormat::RgbaF32
                                  : type == int(ExrType::Uint) ? PixelFormat::Gray32
                                                               : PixelFormat::GrayF32);
        QCOMPARE(image->info().hasAlpha, channels == 4);
        QVERIFY(anyContains(image->info().notices, "from -5, 7 on"));
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            // B, G, R and A are stored in the order of their names.
            const int stored = channels == 1 ? 0 : c == 3 ? 0 : channels - 1 - c;
            if (c >= channels) return 1.0;
            return exrValue(part.channels[std::size_t(stored)], std::size_t(y * width + x));
        }));
    }

    void layersAndPartsArePages() {
        const int width = 5, height = 4, count = width * height;
        ExrPart first{0, 0, width, height, {}, "beauty"};
        for (const char* name : {"B", "G", "R", "Z", "diffuse.A", "diffuse.B", "diffuse.G",
                                 "diffuse.R", "motion.x", "motion.y"})
            first.channels.push_back(
                exrChannel(name, ExrType::Half, count, std::uint32_t(name[0])));
        ExrPart second{0, 0, width, height, {exrChannel("id", ExrType::Uint, count, 9)}, "ids"};
        const ByteBuffer file = makeExr({first, second});
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QVERIFY((namesOf(file) == std::vector<std::string>{"beauty/RGB", "beauty/Z",
                                                           "beauty/diffuse", "beauty/motion.x",
                                                           "beauty/motion.y", "ids/id"}));
        for (std::size_t i = 0; i < pages->size(); ++i) {
            const auto image = page(file, int(i));
            REQUIRE_OK(image);
            QVERIFY((*pages)[i].size == image->size() && (*pages)[i].format == image->format());
            QCOMPARE(metadataOf(*image, "layer"), (*pages)[i].name);
        }
        const auto diffuse = page(file, 2), id = page(file, 5);
        REQUIRE_SAME(firstDifference(*diffuse, [&](int x, int y, int c) {
            return exrValue(first.channels[std::size_t(c == 3 ? 4 : 7 - c)],
                            std::size_t(y * width + x));
        }));
        REQUIRE_SAME(firstDifference(*id, [&](int x, int y, int) {
            return double(second.channels[0].bits[std::size_t(y * width + x)]);
        }));
        REQUIRE_FAILS(page(file, 6), ErrorCode::InvalidArgument, "no page 7: the file has 6");
    }

    void whatIsNotReadIsNamed() {
        ExrPart part{0, 0, 4, 4, {}, ""};
        for (const char* name : {"BY", "Y"})
            part.channels.push_back(exrChannel(name, ExrType::Half, 16, 1));
        part.channels[0].sampling = 2;
        const ByteBuffer file = makeExr({part});
        REQUIRE_FAILS(page(file, 0), ErrorCode::Unsupported, "one sample of BY for 2 x 2 pixels");
        REQUIRE_OK(page(file, 1));
        // Integers as colours only where float holds them.
        ExrPart ids{0, 0, 3, 1, {}, ""};
        for (const char* name : {"B", "G", "R"})
            ids.channels.push_back({name, ExrType::Uint, {1, 16777216, 4278190080u}});
        const auto exact = decode(makeExr({ids}));
        REQUIRE_OK(exact);
        QCOMPARE(sampleAt(*exact, 2, 0, 1), 4278190080.0);
        ids.channels[1].bits[1] = 16777217;
        REQUIRE_FAILS(decode(makeExr({ids})), ErrorCode::Unsupported, "cannot hold exactly");
    }

    void compressionsAndTiles_data() {
        QTest::addColumn<int>("compression");
        QTest::addColumn<bool>("tiled");
        for (const int compression :
             {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION, Imf::ZIPS_COMPRESSION,
              Imf::ZIP_COMPRESSION, Imf::PIZ_COMPRESSION})
            for (const bool tiled : {false, true})
                QTest::addRow("%d%s", compression, tiled ? ", tiles" : "") << compression << tiled;
    }
    void compressionsAndTiles() {
        QFETCH(int, compression);
        QFETCH(bool, tiled);
        const int width = 83, height = 70;
        std::vector<float> samples;
        for (int i = 0; i < width * height * 3; ++i)
            samples.push_back(float(mixed(std::uint32_t(i)) % 5000) / 64.0f);
        OutputMemory memory;
        {
            Imf::Header header(width, height);
            header.compression() = Imf::Compression(compression);
            Imf::FrameBuffer buffer;
            for (std::size_t c = 0; c < 3; ++c) {
                const char name[] = {"RGB"[c], 0};
                header.channels().insert(name, Imf::Channel(Imf::FLOAT));
                buffer.insert(
                    name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(samples.data() + c), 12,
                                     std::size_t(12 * width)));
            }
            if (tiled) {
                header.setTileDescription(Imf::TileDescription(32, 16, Imf::MIPMAP_LEVELS));
                Imf::TiledOutputFile out(memory, header);
                out.setFrameBuffer(buffer);
                for (int level = 0; level < out.numLevels(); ++level)
                    out.writeTiles(0, out.numXTiles(level) - 1, 0, out.numYTiles(level) - 1, level);
            } else {
                Imf::OutputFile out(memory, header);
                out.setFrameBuffer(buffer);
                out.writePixels(height);
            }
        }
        REQUIRE_SAME(bitsTurnedOver(memory.bytes, 60));
        const auto image = decode(memory.bytes);
        REQUIRE_OK(image);
        REQUIRE_SAME(firstDifference(*image, [&](int x, int y, int c) {
            return c == 3 ? 1.0f : samples[std::size_t((y * width + x) * 3 + c)];
        }));
    }

    void damage() {
        ExrPart part{0, 0, 5, 3, {}, "one"};
        for (const char* name : {"A", "B", "G", "R"})
            part.channels.push_back(exrChannel(name, ExrType::Half, 15, 1));
        for (const ByteBuffer& file : {makeExr({part}), makeExr({part, part})}) {
            REQUIRE_SAME(bitsTurnedOver(file));
            if (file == makeExr({part})) REQUIRE_SAME(cutAtEveryByte(file));
        }
    }

    void headersThatPromiseTooMuch() {
        ExrPart part{0, 0, 4, 4, {exrChannel("Z", ExrType::Float, 16, 1)}, ""};
        const auto with = [&](const char* attribute, std::size_t at, std::uint32_t value) {
            ByteBuffer file = makeExr({part});
            const std::string name = attribute;
            const auto found =
                std::search(file.begin(), file.end(), name.begin(), name.end()) - file.begin();
            const std::size_t place = std::size_t(found) + name.size() + 1 + at;
            for (std::size_t i = 0; i < 4; ++i) file[place + i] = std::uint8_t(value >> 8 * i);
            return file;
        };
        // Behind "box2i\0" and the length: min.x, min.y, max.x, max.y.
        REQUIRE_FAILS(decode(with("dataWindow", 6 + 4 + 8, 9'999'999)), ErrorCode::LimitExceeded,
                      "10000000 x 4 pixels: a side may have at most");
        REQUIRE_FAILS(decode(with("dataWindow", 6 + 4 + 12, 999'999)), ErrorCode::Damaged,
                      "damaged after row 0");
        REQUIRE_FAILS(decode(with("screenWindowCenter", 4, 0x7FFFFFFF)), ErrorCode::Damaged,
                      "the file ends inside its header");
        // Rows that are there, but shorter: what follows in memory is nobody's pixels.
        REQUIRE_FAILS(decode(with("dataWindow", 6 + 4 + 8, 99)), ErrorCode::Damaged,
                      "damaged after row 0 of 4: a row has too few bytes");
        ReadOptions options;
        options.limits.maxDecodedBytes = 100;
        REQUIRE_FAILS(decode(makeExr({part}), options), ErrorCode::LimitExceeded, "4 x 4 pixels");
    }
    void tilesOfTooFewBytes() {
        constexpr int kWidth = 32, kHeight = 16, kBytes = 4 * kWidth * kHeight;
        std::vector<float> samples(std::size_t(kWidth) * kHeight, 0.5f);
        OutputMemory memory;
        {
            Imf::Header header(kWidth, kHeight);
            header.compression() = Imf::NO_COMPRESSION;
            header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
            header.setTileDescription(Imf::TileDescription(kWidth, kHeight));
            Imf::FrameBuffer buffer;
            buffer.insert("Z", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(samples.data()), 4,
                                          std::size_t(4 * kWidth)));
            Imf::TiledOutputFile out(memory, header);
            out.setFrameBuffer(buffer);
            out.writeTile(0, 0);
        }
        REQUIRE_OK(decode(memory.bytes));
        // The only tile is the end of the file, its length before it.
        const std::size_t length = memory.bytes.size() - kBytes - 4;
        for (std::size_t i = 0; i < 4; ++i)
            memory.bytes[length + i] = std::uint8_t((kBytes - 4) >> 8 * i);
        memory.bytes.resize(memory.bytes.size() - 4);
        REQUIRE_FAILS(decode(memory.bytes), ErrorCode::Damaged,
                      "damaged after row 0 of 16: a tile has too few bytes");
    }

    void chunksThatUnpackToTooLittle_data() {
        QTest::addColumn<int>("compression");
        QTest::addColumn<bool>("tiled");
        for (const bool tiled : {false, true}) {
            QTest::addRow("RLE%s", tiled ? ", tile" : "") << int(Imf::RLE_COMPRESSION) << tiled;
            QTest::addRow("ZIPS%s", tiled ? ", tile" : "") << int(Imf::ZIPS_COMPRESSION) << tiled;
            QTest::addRow("ZIP%s", tiled ? ", tile" : "") << int(Imf::ZIP_COMPRESSION) << tiled;
        }
    }
    void chunksThatUnpackToTooLittle() {
        QFETCH(int, compression);
        QFETCH(bool, tiled);
        // Two chunks; the last one stands at the end of the file.
        const bool manyRows = tiled || compression == Imf::ZIP_COMPRESSION;
        const int width = 64, height = manyRows ? 32 : 2;
        const std::vector<float> samples(std::size_t(width * height), 0.5f);
        OutputMemory memory;
        {
            Imf::Header header(width, height);
            header.compression() = Imf::Compression(compression);
            header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
            Imf::FrameBuffer buffer;
            buffer.insert(
                "Z", Imf::Slice(Imf::FLOAT,
                                const_cast<char*>(reinterpret_cast<const char*>(samples.data())), 4,
                                std::size_t(4 * width)));
            if (tiled) {
                header.setTileDescription(Imf::TileDescription(width, 16));
                Imf::TiledOutputFile out(memory, header);
                out.setFrameBuffer(buffer);
                out.writeTiles(0, 0, 0, 1);
            } else {
                Imf::OutputFile out(memory, header);
                out.setFrameBuffer(buffer);
                out.writePixels(height);
            }
        }
        REQUIRE_OK(decode(memory.bytes));
        // In front of a chunk: its first row, or four numbers of a tile; then how many bytes.
        const std::size_t chunkBytes = std::size_t(4 * width) * (manyRows ? 16 : 1);
        const auto withLastChunkOf = [&](std::size_t unpacked) {
            ByteBuffer file = memory.bytes;
            const std::vector<int> place =
                tiled ? std::vector{0, 1, 0, 0} : std::vector{height / 2};
            const std::size_t front = 4 * place.size();
            std::size_t at = 0;
            for (std::uint32_t size = 0; at + front + 4 <= file.size(); ++at) {
                std::memcpy(&size, &file[at + front], 4);
                if (std::memcmp(&file[at], place.data(), front) == 0 &&
                    at + front + 4 + size == file.size())
                    break;
            }
            file.resize(at + front);
            ByteBuffer packed;
            if (compression == Imf::RLE_COMPRESSION) {
                for (std::size_t left = unpacked; left > 0;) {
                    const std::size_t run = std::min<std::size_t>(left, 128);
                    packed.push_back(std::uint8_t(run - 1));
                    packed.push_back(7);
                    left -= run;
                }
            } else {
                const ByteBuffer plain(unpacked, 7);
                uLongf size = compressBound(uLong(unpacked));
                packed.resize(size);
                compress(packed.data(), &size, plain.data(), uLong(unpacked));
                packed.resize(size);
            }
            for (std::size_t i = 0; i < 4; ++i)
                file.push_back(std::uint8_t(packed.size() >> 8 * i));
            file.insert(file.end(), packed.begin(), packed.end());
            return file;
        };
        REQUIRE_OK(decode(withLastChunkOf(chunkBytes)));
        for (const std::size_t unpacked : {chunkBytes - 1, chunkBytes / 2, std::size_t(1)})
            REQUIRE_FAILS(decode(withLastChunkOf(unpacked)), ErrorCode::Damaged,
                          fmt::format("damaged after row {} of {}: a {} has too few bytes",
                                      height / 2, height, tiled ? "tile" : "row"));
    }
};

WARPSCOPE_TEST(ExrTest)
#include "exr_test.moc"
