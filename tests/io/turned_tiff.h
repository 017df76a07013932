// A TIFF of 3 x 2 gray pixels that says how it is to be turned, without libtiff.
#pragma once

#include <QByteArray>
#include <QPoint>
#include <QSize>

namespace io_test {

// Stored row after row.
inline constexpr int kTurnedSamples[6] = {10, 20, 30, 40, 50, 60};

inline QByteArray turnedTiff(int orientation) {
    QByteArray file("II*\0\x08\0\0\0", 8);
    const auto put = [&](int value, int bytes) {
        for (int i = 0; i < bytes; ++i) file += char(value >> 8 * i);
    };
    const int tags[][2] = {{256, 3}, {257, 2}, {258, 8}, {259, 1}, {262, 1},
                           {273, 0}, {274, 0}, {277, 1}, {278, 2}, {279, 6}};
    const int count = int(std::size(tags));
    put(count, 2);
    for (const auto& [tag, value] : tags) {
        put(tag, 2);
        put(3, 2);  // of 16 bits
        put(1, 4);
        put(tag == 273 ? 8 + 2 + 12 * count + 4 : tag == 274 ? orientation : value, 4);
    }
    put(0, 4);
    for (const int sample : kTurnedSamples) put(sample, 1);
    return file;
}

inline QSize turnedSize(int orientation) {
    return orientation >= 5 ? QSize(2, 3) : QSize(3, 2);
}

// What is to be seen at a place of the upright image, as the TIFF text says it.
inline int turnedSample(int orientation, const QPoint& at) {
    const int x = at.x(), y = at.y(), w = 3, h = 2;
    const int column[] = {0, x, w - 1 - x, w - 1 - x, x, y, y, w - 1 - y, w - 1 - y};
    const int row[] = {0, y, y, h - 1 - y, h - 1 - y, x, h - 1 - x, h - 1 - x, x};
    return kTurnedSamples[row[orientation] * w + column[orientation]];
}

}  // namespace io_test
