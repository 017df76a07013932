// Reading in a process of its own gives what reading in this one gives: samples, information, pages
// and errors, for every format, for whole files and damaged ones.
#include <unistd.h>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <thread>

#include "engine/image/synthetic.h"
#include "engine/io/isolated_reader.h"
#include "engine/io/reduced_reader.h"
#include "tests/io/jpeg_files.h"

using namespace warpscope;
using namespace io_test;

namespace {

std::string infoText(const ImageInfo& info) {
    std::string text = fmt::format("{} {} {} [{}]", info.whiteLevel, info.hasAlpha,
                                   info.sourceFormat, info.rawLabel);
    for (const std::string& notice : info.notices) text += " | " + notice;
    for (const auto& [key, value] : info.metadata) text += " | " + key + "=" + value;
    if (info.iccProfile) {
        text += fmt::format(" | profile of {}:", info.iccProfile->size());
        for (const std::uint8_t byte : *info.iccProfile) text += fmt::format("{:02x}", byte);
    }
    return text;
}

std::string wholeText(const Result<Image>& image) {
    if (!image) return fmt::format("error {} {}", int(image.error().code), image.error().message);
    std::string all =
        fmt::format("{} {}x{} {:016x} {}", formatName(image->format()), image->width(),
                    image->height(), contentHash(*image), infoText(image->info()));
    if (image->info().raw) all += " raw: " + wholeText(*image->info().raw);
    return all;
}

std::string wholeText(const Result<std::vector<PageInfo>>& pages) {
    if (!pages) return fmt::format("error {} {}", int(pages.error().code), pages.error().message);
    std::string all;
    for (const PageInfo& page : *pages)
        all += fmt::format("{} {}x{} {} {}; ", page.name, page.size.width, page.size.height,
                           page.format ? formatName(*page.format) : "", page.problem);
    return all;
}

std::filesystem::path corpus() {
    return WARPSCOPE_CORPUS;
}

}  // namespace

class IsolatedTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::filesystem::path written(const char* name, const ByteBuffer& bytes) {
        const std::filesystem::path file = (m_folder.path() + "/" + name).toStdString();
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
        return file;
    }

    // Medians of turns; each reads every sample once, which is when memory is mapped.
    template <class Here, class There>
    static void printCost(const char* what, Here here, There there) {
        const auto milliseconds = [](auto& read) {
            QElapsedTimer clock;
            clock.start();
            const auto image = read();
            std::uint64_t sum = 0;
            for (int y = 0; y < image->height(); ++y)
                for (int x = 0; x < image->width() * bytesPerPixel(image->format()); x += 64)
                    sum += std::uint64_t(image->rowBytes(y)[x]);
            volatile std::uint64_t kept = sum;
            Q_UNUSED(kept);
            return double(clock.nsecsElapsed()) * 1e-6;
        };
        std::vector<double> inside, outside;
        for (int turn = 0; turn < 11; ++turn) {
            inside.push_back(milliseconds(here));
            outside.push_back(milliseconds(there));
        }
        std::sort(inside.begin(), inside.end());
        std::sort(outside.begin(), outside.end());
        qInfo("%s: in this process %.2f ms, isolated %.2f ms", what, inside[5], outside[5]);
    }

  private slots:
    void initTestCase() {
        QVERIFY2(decodingProtection().starts_with("in a process of its own"),
                 decodingProtection().c_str());
        qInfo("decoding: %s", decodingProtection().c_str());
    }

    void sameAsInProcess_data() {
        if (!std::filesystem::is_directory(corpus())) QSKIP("the files to compare are not here");
        QTest::addColumn<QString>("format");
        for (const auto& entry : std::filesystem::directory_iterator(corpus()))
            if (entry.path().filename() != "profile")
                QTest::newRow(entry.path().filename().c_str()) << entry.path().filename().c_str();
    }
    void sameAsInProcess() {
        QFETCH(QString, format);
        int images = 0, files = 0;
        ReadOptions options;
        options.limits.maxDecodedBytes = std::uint64_t(256) << 20;
        options.limits.howToRaise = "turn the knob";
        for (const auto& entry :
             std::filesystem::directory_iterator(corpus() / format.toStdString())) {
            const auto& file = entry.path();
            const auto here = readImage(file, options);
            const auto there = readImageIsolated(file, options);
            QCOMPARE(wholeText(there), wholeText(here));
            if (here) QVERIFY(sameSamples(*here, *there));
            images += here.has_value();
            ++files;
            QCOMPARE(wholeText(listPagesIsolated(file, options)),
                     wholeText(listPages(file, options)));
            QCOMPARE(wholeText(readReducedImageIsolated(file, 16, options)),
                     wholeText(readReducedImage(file, 16, options)));
            options.page = 1;
            QCOMPARE(wholeText(readImageIsolated(file, options)),
                     wholeText(readImage(file, options)));
            options.page = 0;
        }
        qInfo("%d files, %d of them images", files, images);
        QVERIFY(files > 0);
    }

    void filesThatAreNone() {
        for (const char* name : {"/nowhere/at/all.png", "/dev/zero", "/", "/etc/passwd"})
            QCOMPARE(wholeText(readImageIsolated(name)), wholeText(readImage(name)));
    }

    // Two blocks of memory, a profile that is left out, metadata.
    void inksStay() {
        const JpegSpec spec{.width = 64,
                            .height = 48,
                            .channels = 4,
                            .input = JCS_CMYK,
                            .stored = JCS_CMYK,
                            .adobeMarker = true,
                            .exif = exifBlock(6),
                            .comment = "four inks",
                            .profile = fakeProfile("CMYK")};
        const auto file = written("inks.jpg", makeJpeg(spec, smoothRows(64, 48, 4)));
        const auto here = readImage(file), there = readImageIsolated(file);
        QVERIFY(here.has_value() && here->info().raw);
        QCOMPARE(wholeText(there), wholeText(here));
        QVERIFY(sameSamples(*here->info().raw, *there->info().raw));
    }

    void profilesStay() {
        const JpegSpec spec{
            .width = 64, .height = 48, .exif = exifBlock(3), .profile = fakeProfile()};
        const auto file = written("profile.jpg", makeJpeg(spec, smoothRows(64, 48, 3)));
        const auto here = readImage(file);
        QVERIFY(here.has_value() && here->info().iccProfile);
        QCOMPARE(wholeText(readImageIsolated(file)), wholeText(here));
    }

    void streams() {
        int ends[2] = {-1, -1};
        QVERIFY(::pipe(ends) == 0);
        const std::string_view pgm = "P5 2 2 255\nabcd";
        QCOMPARE(::write(ends[1], pgm.data(), pgm.size()), ssize_t(pgm.size()));
        ::close(ends[1]);
        const auto image = readImageIsolatedFrom(ends[0], "standard input");
        ::close(ends[0]);
        QVERIFY(image.has_value());
        QCOMPARE(sampleAt(*image, 0, 1), 99.0);
    }

    // Threads that read at once have processes of their own.
    void manyAtOnce() {
        const JpegSpec spec{.width = 256, .height = 256};
        const auto file = written("many.jpg", makeJpeg(spec, smoothRows(256, 256, 3)));
        const std::string expected = wholeText(readImage(file));
        std::vector<std::thread> threads;
        std::atomic<int> same = 0;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                for (int k = 0; k < 10; ++k) same += wholeText(readImageIsolated(file)) == expected;
            });
        for (auto& thread : threads) thread.join();
        QCOMPARE(same.load(), 80);
    }

    void stopsInTheMiddle() {
        const JpegSpec spec{.width = 4000, .height = 4000, .progressive = true};
        const auto file = written("large.jpg", makeJpeg(spec, smoothRows(4000, 4000, 3)));
        for (const int delay : {0, 5, 50, 150}) {
            std::stop_source stop;
            ReadOptions options;
            options.stop = stop.get_token();
            QElapsedTimer since;
            since.start();
            std::jthread stopping([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(delay));
                stop.request_stop();
            });
            const auto image = readImageIsolated(file, options);
            QVERIFY(image || image.error().code == ErrorCode::Cancelled);
            if (!image) QVERIFY(since.elapsed() < delay + 1000 * kSlowdown);
        }
    }

    void costs() {
        const CpuContext context{Threading::AllCores, {}, {}};
        const auto scene = makeScene({3840, 2160}, true, 7, context);
        QVERIFY(scene.has_value());
        for (const char* name : {"scene.png", "scene.jpg", "scene.tif", "scene.ppm"}) {
            const auto encoded = encodeImage(*scene, name);
            QVERIFY(encoded.has_value());
            const auto file = written(name, encoded->bytes);
            printCost(
                name, [&] { return readImage(file); }, [&] { return readImageIsolated(file); });
            if (QString(name).endsWith("jpg"))
                printCost(
                    "scene.jpg, for a thumbnail of 256",
                    [&] { return readReducedImage(file, 256); },
                    [&] { return readReducedImageIsolated(file, 256); });
        }
        const auto small = makeScene({256, 192}, true, 7, context);
        const auto file = written("small.jpg", encodeImage(*small, "small.jpg")->bytes);
        printCost(
            "256 x 192 JPEG", [&] { return readReducedImage(file, 256); },
            [&] { return readReducedImageIsolated(file, 256); });
    }

    void imagesOutliveTheirProcess() {
        Image kept;
        {
            const auto file = (m_folder.path() + "/kept.pgm").toStdString();
            std::ofstream(file, std::ios::binary) << "P5 2 2 255\nabcd";
            const auto image = readImageIsolated(file);
            QVERIFY(image.has_value());
            kept = image->crop({1, 1, 1, 1});
        }
        setDecodeHelper(standardDecodeHelper());
        QCOMPARE(sampleAt(kept, 0, 0), 100.0);
    }
};

WARPSCOPE_TEST(IsolatedTest)
#include "isolated_test.moc"
