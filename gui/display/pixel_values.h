// Samples of a pixel as text, exactly as they are stored.
#pragma once

#include <QPoint>
#include <QString>
#include <vector>

#include "engine/image/image.h"

namespace warpscope::gui {

struct SampleText {
    QString channel;  // "R", "G", "B", "A", "Y"; of raw samples the letter of their label
    QString decimal;  // all digits that tell the sample from its neighbours; "NaN", "Inf", "-Inf"
    QString hex;      // as many digits as the sample type has; the bits of a float
};

// True for a pixel of the image.
bool isInside(const Image& image, const QPoint& pixel);

// Alpha comes only if the file had it. Empty for a null image or a pixel outside.
std::vector<SampleText> sampleTexts(const Image& image, const QPoint& pixel);
// The stored samples before conversion (CMYK, ...); empty if the image has none.
std::vector<SampleText> rawSampleTexts(const Image& image, const QPoint& pixel);

// Short enough to stand in an enlarged pixel: floats with so many digits, the others in full.
QString shortSample(const Image& image, const QPoint& pixel, int channel, int digits = 4);
// a - b of images of one format: "0", "-3". Where a sample is no finite number: that of `a` where
// both are alike, else both with a slash ("NaN/1").
QString shortDifference(const Image& a, const Image& b, const QPoint& pixel, int channel,
                        int digits = 4);

// How many channels a person is shown: 1, 3, or 4 with alpha.
int shownChannels(const Image& image);
QString channelLetter(const Image& image, int channel);

}  // namespace warpscope::gui
