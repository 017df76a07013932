// A build that lacks the libraries of some formats: their files are recognized all the same, and
// refused by the library's name. The list of those formats is compiled once more, as such a build
// compiles it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/io/codec.h"
#include "support/test_case.h"
#include "tests/io/io_helpers.h"

namespace warpscope::io_without {
using namespace warpscope::io;
}
#undef WARPSCOPE_OPENEXR
#undef WARPSCOPE_CFITSIO
#undef WARPSCOPE_JXL
#undef WARPSCOPE_HEIF
#undef WARPSCOPE_RAW
#define io io_without
#include "engine/io/library_codecs.cpp"
#undef io

using namespace warpscope;
using namespace io_test;

namespace {

ByteBuffer bytesOf(std::string_view text) {
    ByteBuffer bytes(text.begin(), text.end());
    bytes.resize(64);
    return bytes;
}

// A TIFF with one directory of one entry, the version of a DNG.
ByteBuffer dng() {
    using namespace std::string_view_literals;
    return bytesOf("II*\0\x08\0\0\0\x01\0\x12\xC6\x01\0\x04\0\0\0\x01\x04\0\0\0\0\0\0"sv);
}

struct Lacking {
    const char* row;
    io::Codec (*codec)();
    ByteBuffer file;
    const char* extensions;
    const char* said;
};

std::vector<Lacking> lacking() {
    using namespace std::string_view_literals;
    return {{"OpenEXR", io_without::exrCodec, bytesOf("\x76\x2F\x31\x01\x02"sv), "exr",
             "OpenEXR: this build has no OpenEXR"},
            {"FITS", io_without::fitsCodec, bytesOf("SIMPLE  =                    T"sv),
             "fits fit fts", "FITS: this build has no cfitsio"},
            {"JPEG XL", io_without::jxlCodec, bytesOf("\xFF\x0A"sv), "jxl",
             "JPEG XL: this build has no libjxl"},
            {"JPEG XL, boxed", io_without::jxlCodec, bytesOf("\0\0\0\x0CJXL \x0D\x0A\x87\x0A"sv),
             "jxl", "JPEG XL: this build has no libjxl"},
            {"HEIF", io_without::heifCodec,
             bytesOf("\0\0\0\x18"
                     "ftypheic"sv),
             "heic heif avif", "HEIF and AVIF: this build has no libheif"},
            {"AVIF", io_without::heifCodec,
             bytesOf("\0\0\0\x18"
                     "ftypavif"sv),
             "heic heif avif", "HEIF and AVIF: this build has no libheif"},
            {"RAW", io_without::rawCodec, bytesOf("FUJIFILMCCD-RAW 0201"sv),
             "dng cr2 cr3 nef arw raf orf rw2 pef srw", "camera RAW: this build has no LibRaw"},
            {"DNG", io_without::rawCodec, dng(), "dng cr2 cr3 nef arw raf orf rw2 pef srw",
             "camera RAW: this build has no LibRaw"}};
}

}  // namespace

class MissingLibrariesTest : public QObject {
    Q_OBJECT

  private slots:
    void filesAreRefusedByTheLibrarysName() {
        for (const Lacking& one : lacking()) {
            const io::Codec codec = one.codec();
            QVERIFY2(codec.recognizes(one.file), one.row);
            const auto image = codec.decode(one.file, {});
            QVERIFY2(!image, one.row);
            QCOMPARE(image.error().code, ErrorCode::Unsupported);
            QCOMPARE(image.error().message, std::string(one.said));
            QVERIFY2(!codec.encode && !codec.pages, one.row);
        }
    }

    // They are named among the formats, as those that this build does not read.
    void theyAreStillNamed() {
        for (const Lacking& one : lacking()) {
            QStringList extensions;
            for (const FormatInfo& format : one.codec().formats) {
                QVERIFY2(!format.reads && !format.writes, one.row);
                for (const std::string& extension : format.extensions)
                    extensions << QString::fromStdString(extension);
            }
            QCOMPARE(extensions.join(QLatin1Char(' ')), QLatin1String(one.extensions));
        }
    }

    void othersAreLeftAlone() {
        using namespace std::string_view_literals;
        for (const ByteBuffer& file :
             {bytesOf("\x89PNG\r\n\x1a\n"sv), bytesOf("II*\0\x08\0\0\0\0\0"sv), bytesOf("BM"sv),
              bytesOf(""sv), ByteBuffer()})
            for (const auto make :
                 {io_without::exrCodec, io_without::fitsCodec, io_without::jxlCodec,
                  io_without::heifCodec, io_without::rawCodec})
                QVERIFY(!make().recognizes(file));
    }
};

WARPSCOPE_TEST(MissingLibrariesTest)
#include "missing_libraries_test.moc"
