// Small files that ask for much time or memory, made from bytes: no library would write them.
#pragma once

#include <QByteArray>
#include <QList>
#include <cstdint>

namespace hostile {

// Numbers in either byte order.
class Writer {
  public:
    explicit Writer(bool bigEndian) : m_bigEndian(bigEndian) {}
    Writer& put(std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i) {
            const int place = m_bigEndian ? size - 1 - i : i;
            bytes.append(place < 8 ? char(value >> 8 * place) : '\0');
        }
        return *this;
    }
    QByteArray bytes;

  private:
    bool m_bigEndian;
};

inline QByteArray zlibData(const QByteArray& data) {
    return qCompress(data, 9).mid(4);  // Qt puts the size in front
}

inline QByteArray pngChunk(const char* type, const QByteArray& data) {
    const QByteArray content = type + data;
    std::uint32_t crc = ~0u;
    for (const char byte : content) {
        crc ^= std::uint8_t(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
    Writer chunk(true);
    chunk.put(std::uint64_t(data.size()), 4);
    chunk.bytes += content;
    return chunk.put(~crc, 4).bytes;
}

// Gray, all bytes 80, of one sample each or of more; `chunks` before the pixels, `after` behind
// them.
inline QByteArray png(int side, const QByteArray& chunks, const QByteArray& after = {},
                      int bits = 8, int colorType = 0) {
    Writer header(true);
    header.put(std::uint64_t(side), 4).put(std::uint64_t(side), 4).put(std::uint64_t(bits), 1);
    header.put(std::uint64_t(colorType), 1);
    const QByteArray row = QByteArray(1, '\0') + QByteArray((side * bits + 7) / 8, 'P');
    return QByteArray("\x89PNG\r\n\x1a\n", 8) +
           pngChunk("IHDR", header.bytes + QByteArray(3, '\0')) + chunks +
           pngChunk("IDAT", zlibData(row.repeated(side))) + after + pngChunk("IEND", {});
}

// `chunks` times the same text: zTXt and iTXt become `bytes` each when they are unpacked.
inline QByteArray pngTexts(const char* type, int chunks, int bytes) {
    const QByteArray kind(type), text(bytes, 'a');
    QByteArray content = QByteArray("Comment\0", 8);
    if (kind == "zTXt") content += '\0' + zlibData(text);
    if (kind == "iTXt") content += QByteArray("\1\0\0\0", 4) + zlibData(text);
    if (kind == "tEXt") content += text;
    return png(1, pngChunk(type, content).repeated(chunks));
}

// A colour profile that becomes `bytes` when it is unpacked.
inline QByteArray pngProfile(int bytes) {
    // What libpng looks at before it keeps one: the length, device, colours, their space, the mark
    // of all profiles, the white of D50.
    Writer front(true);
    front.put(std::uint64_t(bytes), 4).put(0, 8).bytes += "mntrGRAYXYZ ";
    front.put(0, 12).bytes += "acsp";
    front.put(0, 28).put(0xF6D6, 4).put(0x10000, 4).put(0xD32D, 4);
    const QByteArray profile = front.bytes + QByteArray(bytes - front.bytes.size(), '\0');
    return png(1, pngChunk("iCCP", QByteArray("p\0\0", 3) + zlibData(profile)));
}

struct Tag {
    std::uint16_t tag = 0, type = 1;
    std::uint64_t count = 1;
    // Of the value itself, or kShared: where the data after the directory begins.
    std::uint64_t value = 0;
};
inline constexpr std::uint64_t kShared = ~std::uint64_t(0);

// A TIFF or the block of an EXIF with one directory.
inline QByteArray directory(const QList<Tag>& tags, const QByteArray& data, bool bigEndian = false,
                            bool big = false) {
    Writer out(bigEndian);
    out.bytes = bigEndian ? "MM" : "II";
    const int offset = big ? 8 : 4;
    out.put(big ? 43 : 42, 2);
    if (big) out.put(8, 2).put(0, 2);
    out.put(big ? 16 : 8, offset).put(std::uint64_t(tags.size()), big ? 8 : 2);
    const std::uint64_t end =
        std::uint64_t(out.bytes.size() + tags.size() * (big ? 20 : 12)) + std::uint64_t(offset);
    for (const Tag& one : tags) {
        out.put(one.tag, 2).put(one.type, 2).put(one.count, offset);
        const std::uint64_t value = one.value == kShared ? end : one.value;
        // A single number stands at the left end of its field.
        const int size = one.count > 1 ? offset : one.type == 3 ? 2 : 4;
        out.put(value, size).put(0, offset - size);
    }
    return out.put(0, offset).bytes + data;
}

// One pixel, the first byte of `data`, in an uncompressed TIFF that has `more` tags.
inline QByteArray tiff(const QList<Tag>& more, const QByteArray& data, bool bigEndian = false,
                       bool big = false) {
    QList<Tag> tags{{256, 3, 1, 1}, {257, 3, 1, 1}, {258, 3, 1, 8},
                    {259, 3, 1, 1}, {262, 3, 1, 1}, {273, 4, 1, kShared},
                    {277, 3, 1, 1}, {278, 3, 1, 1}, {279, 4, 1, 1}};
    return directory(tags + more, data, bigEndian, big);
}

// `pages` directories one after the other over the same pixel; the last one names the first again
// where it `loops`.
inline QByteArray tiffPages(int pages, bool loops = false) {
    Writer out(false);
    out.bytes = "II";
    out.put(42, 2).put(10, 4).put('P', 1).put(0, 1);
    for (int page = 0; page < pages; ++page) {
        constexpr int kEntries = 9, kBytes = 2 + kEntries * 12 + 4;
        const std::uint64_t entries[kEntries][3] = {{256, 3, 1}, {257, 3, 1}, {258, 3, 8},
                                                    {259, 3, 1}, {262, 3, 1}, {273, 4, 8},
                                                    {277, 3, 1}, {278, 3, 1}, {279, 4, 1}};
        out.put(kEntries, 2);
        for (const auto& [tag, type, value] : entries)
            out.put(tag, 2).put(type, 2).put(1, 4).put(value, 4);
        const bool last = page + 1 == pages;
        const std::uint64_t next = 10 + std::uint64_t(page + 1) * kBytes;
        out.put(!last ? next : loops ? 10 : 0, 4);
    }
    return out.bytes;
}

// All gray samples 0 in one strip of deflate.
inline QByteArray tiffStrip(std::uint32_t width, std::uint32_t height) {
    const QByteArray strip = zlibData(QByteArray(qsizetype(width) * qsizetype(height), '\0'));
    return directory({{256, 4, 1, width},
                      {257, 4, 1, height},
                      {258, 3, 1, 8},
                      {259, 3, 1, 8},
                      {262, 3, 1, 1},
                      {273, 4, 1, kShared},
                      {277, 3, 1, 1},
                      {278, 4, 1, height},
                      {279, 4, 1, std::uint64_t(strip.size())}},
                     strip);
}

// `count` tags from number `first` on over the same bytes.
inline QByteArray tiffOfTags(int count, std::uint16_t first, int bytes, bool bigEndian, bool big) {
    QList<Tag> tags;
    for (int i = 0; i < count; ++i)
        tags.append({std::uint16_t(first + i), 7, std::uint64_t(bytes), kShared});
    return tiff(tags, QByteArray(bytes, '\1'), bigEndian, big);
}

inline QByteArray jbigTiff(std::uint32_t width, std::uint32_t height) {
    Writer image(true);
    image.put(0x00000100, 4).put(width, 4).put(height, 4).put(height, 4).put(0x00000300, 4);
    const QByteArray data = image.bytes + QByteArray(20, '\0');
    return directory({{256, 4, 1, 1000},
                      {257, 4, 1, 1000},
                      {258, 3, 1, 1},
                      {259, 3, 1, 34661},
                      {262, 3, 1, 0},
                      {273, 4, 1, kShared},
                      {277, 3, 1, 1},
                      {278, 4, 1, 1000},
                      {279, 4, 1, std::uint64_t(data.size())}},
                     data);
}

// Camera makes over the same control characters, which no text shows.
inline QByteArray exif(int entries, int bytes) {
    return directory(QList<Tag>(entries, {0x010F, 2, std::uint64_t(bytes), kShared}),
                     QByteArray(bytes, '\1'));
}

inline QByteArray exifOrientation(int orientation) {
    return directory({{0x0112, 3, 1, std::uint64_t(orientation)}}, {});
}

// A TIFF that points to such a directory.
inline QByteArray tiffExif(int entries, int bytes) {
    const auto front = std::uint64_t(tiff({{0x8769, 4, 1, 0}}, "P").size());
    const std::uint64_t text = front + 2 + std::uint64_t(entries) * 12 + 4;
    Writer makes(false);
    makes.put(std::uint64_t(entries), 2);
    for (int i = 0; i < entries; ++i)
        makes.put(0x010F, 2).put(2, 2).put(std::uint64_t(bytes), 4).put(text, 4);
    return tiff({{0x8769, 4, 1, front}}, "P") + makes.put(0, 4).bytes + QByteArray(bytes, '\1');
}

// One pixel, lossless, with a block of EXIF.
inline QByteArray webp(const QByteArray& exif) {
    const auto chunk = [](const char* name, const QByteArray& data) {
        Writer out(false);
        out.bytes = name;
        out.put(std::uint64_t(data.size()), 4).bytes += data;
        if (data.size() % 2) out.bytes += '\0';
        return out.bytes;
    };
    const QByteArray content =
        "WEBP" + chunk("VP8X", QByteArray("\x08\0\0\0\0\0\0\0\0\0", 10)) +
        chunk("VP8L", QByteArray("\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07", 13)) +
        chunk("EXIF", exif);
    return "RIFF" + Writer(false).put(std::uint64_t(content.size()), 4).bytes + content;
}

// Run lengths of 8 bits with a gray palette; a header of 124 bytes if there is a profile.
inline QByteArray bmp(int width, int height, const QByteArray& codes,
                      const QByteArray& profile = {}) {
    const int header = profile.isEmpty() ? 40 : 124;
    const int dataAt = 14 + header + 1024;
    Writer out(false);
    out.bytes = "BM";
    out.put(0, 4).put(0, 4).put(std::uint64_t(dataAt), 4);
    out.put(std::uint64_t(header), 4).put(std::uint64_t(width), 4).put(std::uint64_t(height), 4);
    out.put(1, 2).put(8, 2).put(1, 4).put(std::uint64_t(codes.size()), 4).put(0, 8).put(256, 4);
    out.put(0, 4);
    if (header == 124) {
        out.put(0, 16).put(0x4D424544, 4);
        out.bytes.append(14 + 112 - out.bytes.size(), '\0');
        out.put(std::uint64_t(dataAt + codes.size() - 14), 4);
        out.put(std::uint64_t(profile.size()), 4).put(0, 4);
    }
    for (int i = 0; i < 256; ++i) out.put(std::uint64_t(i) * 0x010101, 4);
    return out.bytes + codes + profile;
}

// Samples are missing.
inline QByteArray npy(const QByteArray& type, const QByteArray& shape) {
    const QByteArray text =
        "{'descr': " + type + ", 'fortran_order': False, 'shape': (" + shape + "), }";
    return QByteArray("\x93NUMPY\x01\x00", 8) +
           Writer(false).put(std::uint64_t(text.size()), 2).bytes + text;
}

struct File {
    const char* name;
    QByteArray bytes;
    // What the refusal says; null if the file is read.
    const char* refusal = nullptr;
};

inline QList<File> files() {
    constexpr const char* kShare = "its tags claim";
    const QByteArray makes = exif(65'000, 1 << 20);
    return {{"JBIG TIFF, 10^6 x 10^9", jbigTiff(1'000'000, 1'000'000'000), "JBIG compression"},
            {"JBIG TIFF, 100,000 x 400,000", jbigTiff(100'000, 400'000), "JBIG compression"},
            {"EXIF in PNG", png(1, pngChunk("eXIf", makes))},
            {"EXIF in WebP", webp(makes)},
            {"EXIF in TIFF", tiffExif(65'000, 1 << 20)},
            {"TIFF of 4,000 private tags", tiffOfTags(4000, 40000, 2 << 20, false, false), kShare},
            {"the same, big-endian", tiffOfTags(4000, 40000, 2 << 20, true, false), kShare},
            {"the same, BigTIFF", tiffOfTags(4000, 40000, 2 << 20, false, true), kShare},
            {"the same, BigTIFF, big-endian", tiffOfTags(4000, 40000, 2 << 20, true, true), kShare},
            {"TIFF of 3,400 tags", tiffOfTags(3400, 1000, 900'000, false, false), kShare},
            {"PNG of zTXt", pngTexts("zTXt", 20, 60 << 20)},
            {"PNG of iTXt", pngTexts("iTXt", 20, 60 << 20)},
            {"PNG of tEXt", pngTexts("tEXt", 20, 1 << 20)},
            {"PNG of a profile", pngProfile(200 << 20)},
            {"TIFF of 60,000 pages", tiffPages(60'000)},
            {"NumPy, 10^6 x 10^6", npy("'<f4'", "1000000, 1000000"), "more than the limit"},
            {"NumPy of a nested header", npy(QByteArray(9000, '('), "1, 1"), "descr"},
            {"RLE BMP, 65,000 x 20,000", bmp(65'000, 20'000, QByteArray("\0\1", 2)),
             "more than the limit of 32768"}};
}

}  // namespace hostile
