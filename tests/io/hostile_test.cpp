// Files that ask for much time or memory: read or refused in a moment, within bounds, and a request
// to stop is heard. Beside each limit a valid file that it must let through.
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <chrono>
#include <thread>

#include "support/test_case.h"
#include "tests/io/hostile_files.h"
#include "tests/io/jpeg_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

ByteBuffer buffer(const QByteArray& bytes) {
    return ByteBuffer(bytes.begin(), bytes.end());
}

// A picture that takes long to read in every part: rows to unpack, a palette to look up.
QByteArray longPng() {
    QByteArray entries;
    for (int i = 0; i < 768; ++i) entries.append(char(i));
    QByteArray file = hostile::png(8000, hostile::pngChunk("PLTE", entries));
    const QByteArray header = file.mid(16, 8) + QByteArray("\x08\x03\0\0\0", 5);
    return file.left(8) + hostile::pngChunk("IHDR", header) + file.mid(33);
}

// The most memory that this process held at once, from here on. 0 where it cannot be asked, and
// under sanitizers, which take memory of their own.
class PeakMemory {
  public:
    PeakMemory() {
        QFile reset(QStringLiteral("/proc/self/clear_refs"));
        if (reset.open(QIODevice::WriteOnly)) reset.write("5");
        m_before = status("VmRSS:");
    }
    std::uint64_t grown() const {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        return 0;
#else
        return std::max(status("VmHWM:"), m_before) - m_before;
#endif
    }

  private:
    static std::uint64_t status(const char* name) {
        QFile file(QStringLiteral("/proc/self/status"));
        if (!file.open(QIODevice::ReadOnly)) return 0;
        for (const QByteArray& line : file.readAll().split('\n'))
            if (line.startsWith(name))
                return line.mid(6).simplified().split(' ')[0].toULongLong() << 10;
        return 0;
    }
    std::uint64_t m_before = 0;
};

}  // namespace

class HostileTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::filesystem::path saved(const char* name, const QByteArray& bytes) {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return path.toStdString();
    }

  private slots:
    void quickAndSmall_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("refusal");
        for (const auto& file : hostile::files())
            QTest::newRow(file.name) << file.bytes << QByteArray(file.refusal);
        const ByteBuffer jpeg =
            makeJpeg({.width = 8, .height = 8, .exif = buffer(hostile::exif(5000, 5000))},
                     smoothRows(8, 8, 3));
        QTest::newRow("EXIF in JPEG")
            << QByteArray(reinterpret_cast<const char*>(jpeg.data()), qsizetype(jpeg.size()))
            << QByteArray();
    }
    void quickAndSmall() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, refusal);
        const ByteBuffer file = buffer(bytes);
        const PeakMemory memory;
        QElapsedTimer timer;
        timer.start();
        const auto image = decode(file);
        const auto took = timer.elapsed();
        const auto grown = memory.grown();
        qInfo("%lld ms, %llu KiB", static_cast<long long>(took),
              static_cast<unsigned long long>(grown >> 10));
        if (refusal.isEmpty()) {
            REQUIRE_OK(image);
        } else {
            QVERIFY(!image);
            QVERIFY2(image.error().message.find(refusal.toStdString()) != std::string::npos,
                     image.error().message.c_str());
            QVERIFY(image.error().message.starts_with("test file: "));
        }
        QVERIFY2(took < 2000, QByteArray::number(took));
        QVERIFY2(grown < 64 * kMiB, QByteArray::number(grown));
    }

    void aStopIsHeard_data() {
        QTest::addColumn<QByteArray>("bytes");
        for (const auto& file : hostile::files()) QTest::newRow(file.name) << file.bytes;
        QTest::newRow("large PNG") << longPng();
        QTest::newRow("large BMP")
            << hostile::bmp(30'000, 10'000, QByteArray(2 * 10'000, '\0') + QByteArray("\0\1", 2));
    }
    void aStopIsHeard() {
        QFETCH(QByteArray, bytes);
        const auto path = saved("stopped", bytes);
        for (const int delayMs : {0, 20, 100}) {
            std::stop_source source;
            ReadOptions options;
            options.stop = source.get_token();
            auto asked = std::chrono::steady_clock::now();
            if (delayMs == 0) source.request_stop();
            std::jthread other([&] {
                if (delayMs == 0) return;
                std::this_thread::sleep_for(std::chrono::milliseconds(delayMs));
                asked = std::chrono::steady_clock::now();
                source.request_stop();
            });
            const auto image = readImage(path, options);
            const auto ended = std::chrono::steady_clock::now();
            other.join();
            QVERIFY(ended - asked < std::chrono::seconds(kSlowdown));
            if (!image && image.error().code == ErrorCode::Cancelled)
                QVERIFY(image.error().message == "cancelled");
            // Good files are read to the end, unless somebody asked before.
            if (delayMs == 0 && QByteArray(QTest::currentDataTag()).startsWith("large"))
                REQUIRE_FAILS(image, ErrorCode::Cancelled, "cancelled");
        }
    }
    void aStopInTheMiddleIsHeard() {
        const ByteBuffer file = buffer(longPng());
        // On a busy machine the other thread may come too late; not five times.
        Result<Image> image;
        for (int attempt = 0; attempt < 5 && image; ++attempt) {
            std::stop_source source;
            ReadOptions options;
            options.stop = source.get_token();
            std::jthread other([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                source.request_stop();
            });
            image = decode(file, options);
        }
        REQUIRE_FAILS(image, ErrorCode::Cancelled, "cancelled");
    }

    void layersOfAPhotoEditorCount() {
        const ByteBuffer file = buffer(hostile::tiffOfTags(1, 37724, 40 << 20, false, false));
        REQUIRE_OK(decode(file));
        ReadOptions options;
        options.limits.maxDecodedBytes = 79 * kMiB;
        REQUIRE_FAILS(decode(file, options), ErrorCode::LimitExceeded, "limit of 79 MiB");
        options.limits.maxDecodedBytes = 81 * kMiB;
        REQUIRE_OK(decode(file, options));
    }
    void privateTagsAreNotRead() {
        for (const bool big : {false, true}) {
            const ByteBuffer file = buffer(hostile::tiffOfTags(1, 50839, 40 << 20, !big, big));
            const PeakMemory memory;
            const auto image = decode(file);
            const auto grown = memory.grown();
            REQUIRE_OK(image);
            QCOMPARE(sampleAt(*image, 0, 0), 1.0);
            QVERIFY2(grown < 16 * kMiB, QByteArray::number(grown));
        }
    }

    void profilesUpToTheLimit() {
        for (const bool bigEndian : {false, true}) {
            for (const bool big : {false, true}) {
                const auto kept =
                    decode(buffer(hostile::tiffOfTags(1, 34675, 15 << 20, bigEndian, big)));
                REQUIRE_OK(kept);
                QVERIFY(kept->info().iccProfile);
                QCOMPARE(kept->info().iccProfile->size(), std::size_t(15 << 20));
                const auto refused =
                    decode(buffer(hostile::tiffOfTags(1, 34675, 17 << 20, bigEndian, big)));
                REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "the limit of 16 MiB");
                REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "the colour profile");
            }
        }
        const QByteArray codes("\1\7\0\1", 4);
        const auto kept = decode(buffer(hostile::bmp(1, 1, codes, QByteArray(15 << 20, 'p'))));
        REQUIRE_OK(kept);
        QVERIFY(kept->info().iccProfile);
        QCOMPARE(kept->info().iccProfile->size(), std::size_t(15 << 20));
        const auto dropped = decode(buffer(hostile::bmp(1, 1, codes, QByteArray(17 << 20, 'p'))));
        REQUIRE_OK(dropped);
        QVERIFY(!dropped->info().iccProfile);
        QVERIFY(anyContains(dropped->info().notices, "the limit of 16 MiB"));
    }
    // The bytes of the file are read, and those of the profile never copied.
    void aProfileOf200MiB() {
        constexpr std::uint64_t kBytes = 200 * kMiB;
        const QByteArray front = hostile::tiff({{34675, 7, kBytes, hostile::kShared}}, "P");
        const auto path = saved("profile.tif", front);
        std::filesystem::resize_file(path, std::uint64_t(front.size()) + kBytes);
        const PeakMemory memory;
        const auto image = readImage(path);
        REQUIRE_FAILS(image, ErrorCode::LimitExceeded,
                      "its tags take 200 MiB, more than the limit of 16 MiB");
        QVERIFY2(memory.grown() < kBytes + 64 * kMiB, QByteArray::number(memory.grown()));
    }
    void aProfileThatIsMadeLargeIsLeftOut() {
        const auto kept = decode(buffer(hostile::pngProfile(1 << 20)));
        REQUIRE_OK(kept);
        QVERIFY(kept->info().iccProfile);
        QCOMPARE(kept->info().iccProfile->size(), std::size_t(1 << 20));
        // 200 MiB in 200 KiB.
        const QByteArray bomb = hostile::pngProfile(200 << 20);
        QVERIFY(bomb.size() < 1 << 18);
        const auto dropped = decode(buffer(bomb));
        REQUIRE_OK(dropped);
        QVERIFY(!dropped->info().iccProfile);
        QVERIFY(anyContains(dropped->info().notices, "the colour profile was left out"));
    }

    void pagesAreCountedOnce() {
        const ByteBuffer file = buffer(hostile::tiffPages(60'000));
        QElapsedTimer timer;
        timer.start();
        const auto pages = listPagesOf(file, "test file");
        REQUIRE_OK(pages);
        QCOMPARE(pages->size(), std::size_t(60'000));
        QCOMPARE(pages->back().size, (Size{1, 1}));
        ReadOptions options;
        options.page = 59'999;
        const auto last = decode(file, options);
        REQUIRE_OK(last);
        QCOMPARE(sampleAt(*last, 0, 0), double('P'));
        // Counting them anew for each would take minutes.
        QVERIFY(timer.elapsed() < 10'000 * kSlowdown);
        // Beyond what is listed, and in a circle.
        const auto many = listPagesOf(buffer(hostile::tiffPages(70'000)), "test file");
        REQUIRE_OK(many);
        QCOMPARE(many->size(), std::size_t(65'535));
        const auto round = decode(buffer(hostile::tiffPages(60'000, true)));
        REQUIRE_OK(round);
        QVERIFY(anyContains(round->info().notices, "further pages is damaged"));
    }

    // Circles of one directory and of more, and one of EXIF that names the main one.
    void directoriesThatLoop() {
        for (const int length : {1, 2, 3}) {
            const ByteBuffer file = buffer(hostile::tiffPages(length, true));
            const auto image = decode(file);
            REQUIRE_OK(image);
            QCOMPARE(sampleAt(*image, 0, 0), double('P'));
            QVERIFY(anyContains(image->info().notices, "the list of further pages is damaged"));
            const auto pages = listPagesOf(file, "test file");
            REQUIRE_OK(pages);
            QCOMPARE(pages->size(), std::size_t(length));
        }
        const auto image = decode(buffer(hostile::tiff({{0x8769, 4, 1, 8}}, "P")));
        REQUIRE_OK(image);
        QCOMPARE(sampleAt(*image, 0, 0), double('P'));
    }

    // Read or refused by what it is in memory, to the byte: 20,000 squared of a palette, 1.6 GB in
    // some 50 KB. What is read here is smaller: the same in gray, and 4,000 squared in colour.
    void aSmallFileOfALargePicture() {
        const auto inColors = *storageBytes(PixelFormat::Rgba8, {20'000, 20'000});
        QVERIFY(inColors >= 1'600'000'000);
        const QByteArray palette = hostile::pngChunk("PLTE", QByteArray(6, 'p'));
        const ByteBuffer colors = buffer(hostile::png(20'000, palette, {}, 1, 3));
        const ByteBuffer file = buffer(hostile::png(20'000, {}, {}, 1));
        QVERIFY(colors.size() < 400'000 && file.size() < 400'000);
        const auto needed = *storageBytes(PixelFormat::Gray8, {20'000, 20'000});
        ReadOptions options;
        options.limits.howToRaise = "do this";
        options.limits.maxDecodedBytes = needed - 1;
        const PeakMemory memory;
        const auto refused = decode(file, options);
        REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "20000 x 20000 pixels");
        REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "do this");
        options.limits.maxDecodedBytes = inColors - 1;
        const auto refusedColors = decode(colors, options);
        REQUIRE_FAILS(refusedColors, ErrorCode::LimitExceeded, "20000 x 20000 pixels");
        QVERIFY2(memory.grown() < 16 * kMiB, QByteArray::number(memory.grown()));
        options.limits.maxDecodedBytes = needed;
        const auto image = decode(file, options);
        REQUIRE_OK(image);
        QCOMPARE(image->size(), (Size{20'000, 20'000}));
        options.limits.maxDecodedBytes = *storageBytes(PixelFormat::Rgba8, {4000, 4000});
        const auto smaller = decode(buffer(hostile::png(4000, palette, {}, 1, 3)), options);
        REQUIRE_OK(smaller);
        QCOMPARE(smaller->format(), PixelFormat::Rgba8);
    }

    void derivedImagesShareTheProfile() {
        const auto image = decode(buffer(hostile::tiffOfTags(1, 34675, 1 << 20, false, false)));
        REQUIRE_OK(image);
        const ImageInfo derived =
            derivedInfo(image->info(), PixelFormat::Gray8, PixelFormat::Gray16, false);
        QVERIFY(derived.iccProfile);
        QCOMPARE(derived.iccProfile.get(), image->info().iccProfile.get());
    }

    void textsOfAllKindsAreRead() {
        const QByteArray words("the words of a text"), packed = hostile::zlibData(words);
        const QByteArray language("de\0Anmerkung\0", 13);
        const auto text = [](const char* type, const char* key, const QByteArray& rest) {
            return hostile::pngChunk(type, QByteArray(key) + '\0' + rest);
        };
        const auto image = decode(buffer(
            hostile::png(2,
                         text("tEXt", "Author", words) + text("zTXt", "Title", '\0' + packed) +
                             text("iTXt", "Comment", QByteArray("\1\0", 2) + language + packed),
                         text("iTXt", "Source", QByteArray("\0\0", 2) + language + words) +
                             text("zTXt", "Warning", QByteArray("\0broken", 7)))));
        REQUIRE_OK(image);
        for (const char* key : {"Author", "Title", "Comment", "Source"})
            QCOMPARE(metadataOf(*image, key), words.toStdString());
        QVERIFY(anyContains(image->info().notices, "text is damaged"));
    }

    void longTextsAreShownInPart() {
        const auto image = decode(buffer(hostile::pngTexts("zTXt", 1, 1 << 20)));
        REQUIRE_OK(image);
        QCOMPARE(metadataOf(*image, "Comment"), std::string(200, 'a'));
    }

    void exifOfHundredsOfEntries() {
        QList<hostile::Tag> tags;
        for (int i = 0; i < 600; ++i) tags.append({std::uint16_t(0xC000 + i), 3, 1, 1});
        tags.append({0x0110, 2, 8, hostile::kShared});
        tags.append({0x0110, 2, 3, hostile::kShared});
        const QByteArray block = hostile::directory(tags, QByteArray("Model 7\0", 8));
        const auto image = decode(buffer(hostile::png(2, hostile::pngChunk("eXIf", block))));
        REQUIRE_OK(image);
        QCOMPARE(metadataOf(*image, "camera model"), std::string("Model 7"));
        QCOMPARE(image->info().metadata.size(), std::size_t(1));
    }

    void blankRowsOfRunLengths() {
        // As large as is believed of no data at all, and larger with an end of each row.
        const QByteArray end("\0\1", 2);
        REQUIRE_OK(decode(buffer(hostile::bmp(4096, 4096, end))));
        const auto image = decode(buffer(hostile::bmp(6000, 6000, QByteArray(12'000, '\0') + end)));
        REQUIRE_OK(image);
        QCOMPARE(sampleAt(*image, 5999, 5999), 0.0);
        REQUIRE_FAILS(decode(buffer(hostile::bmp(4097, 4097, end))), ErrorCode::LimitExceeded,
                      "4097 x 4097 pixels");
    }

    void aSparseFileIsRefusedByItsFront() {
        const auto path = saved("sparse", {});
        std::filesystem::resize_file(path, std::uint64_t(3) << 30);
        const PeakMemory memory;
        QElapsedTimer timer;
        timer.start();
        REQUIRE_FAILS(readImage(path), ErrorCode::Unsupported, "not an image this program reads");
        QVERIFY(timer.elapsed() < 1000 * kSlowdown);
        QVERIFY2(memory.grown() < 16 * kMiB, QByteArray::number(memory.grown()));
    }

    void bytesOfTheFileCount() {
        const QByteArray pgm = "P5 100 100 255\n" + QByteArray(10'000, 'x');
        const auto path = saved("counted.pgm", pgm);
        ReadOptions options;
        const auto needed =
            *storageBytes(PixelFormat::Gray8, {100, 100}) + std::uint64_t(pgm.size());
        options.limits.howToRaise = "do this";
        options.limits.maxDecodedBytes = needed;
        REQUIRE_OK(readImage(path, options));
        options.limits.maxDecodedBytes = needed - 1;
        REQUIRE_FAILS(readImage(path, options), ErrorCode::LimitExceeded, "100 x 100 pixels");
        // Before it is read, though the header alone would do.
        const auto large = saved("large.pgm", "P5 1 1 255\nx");
        std::filesystem::resize_file(large, std::uint64_t(3) << 30);
        options.limits.maxDecodedBytes = std::uint64_t(1) << 30;
        const auto refused = readImage(large, options);
        REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "limit of 1024 MiB");
        REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "large.pgm");
        REQUIRE_FAILS(refused, ErrorCode::LimitExceeded, "do this");
    }

    void theCopyThatIsTurnedCounts() {
        const auto once = *storageBytes(PixelFormat::Gray8, {300, 300});
        ReadOptions options;
        for (const int orientation : {1, 3, 6}) {
            const ByteBuffer file = buffer(hostile::png(
                300, hostile::pngChunk("eXIf", hostile::exifOrientation(orientation))));
            options.limits.maxDecodedBytes = orientation == 1 ? once : 2 * once;
            REQUIRE_OK(decode(file, options));
            --options.limits.maxDecodedBytes;
            REQUIRE_FAILS(decode(file, options), ErrorCode::LimitExceeded, "300 x 300 pixels");
        }
        const ByteBuffer jpeg =
            makeJpeg({.width = 300, .height = 200, .exif = exifBlock(6)}, smoothRows(300, 200, 3));
        const auto image = decode(jpeg);
        REQUIRE_OK(image);
        options.limits.maxDecodedBytes = 2 * *storageBytes(image->format(), {300, 200});
        REQUIRE_OK(decode(jpeg, options));
        --options.limits.maxDecodedBytes;
        REQUIRE_FAILS(decode(jpeg, options), ErrorCode::LimitExceeded, "300 x 200 pixels");
    }
    // As they were: 8,000 squared, which took twice what was allowed.
    void aLargeCopyStaysWithinWhatIsAllowed() {
        const ByteBuffer file =
            buffer(hostile::png(8000, hostile::pngChunk("eXIf", hostile::exifOrientation(6))));
        const auto once = *storageBytes(PixelFormat::Gray8, {8000, 8000});
        ReadOptions options;
        options.limits.maxDecodedBytes = 2 * once - 1;
        {
            const PeakMemory memory;
            REQUIRE_FAILS(decode(file, options), ErrorCode::LimitExceeded, "8000 x 8000 pixels");
            QVERIFY2(memory.grown() < 16 * kMiB, QByteArray::number(memory.grown()));
        }
        ++options.limits.maxDecodedBytes;
        const PeakMemory memory;
        REQUIRE_OK(decode(file, options));
        QVERIFY2(memory.grown() < 2 * once + 16 * kMiB, QByteArray::number(memory.grown()));
    }
};

WARPSCOPE_TEST(HostileTest)
#include "hostile_test.moc"
