// How far two results are apart, and whether that is close enough for a speedup to be shown.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/row_bands.h"
#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/operations/operation.h"

namespace warpscope {

enum class Verdict { Identical, WithinRule, Differs, NotCompared };
std::string_view verdictId(Verdict verdict);  // "identical", "within", "differs", "not compared"

struct Agreement {
    Verdict verdict = Verdict::NotCompared;
    double maxDifference = 0;     // largest absolute difference of a sample
    std::uint64_t differing = 0;  // samples that are not the same
    std::uint64_t samples = 0;
    // Of the colours, at full scale (255, 65,535, float 1): alpha, which mostly is the same
    // everywhere, would make a difference look smaller. Infinity where no colour differs.
    double psnrDb = 0;
    int firstX = -1;  // a pixel where the difference is largest; -1 if there is none
    int firstY = -1;

    bool allowsSpeedup() const {
        return verdict == Verdict::Identical || verdict == Verdict::WithinRule;
    }
};

// Shapes and formats that differ give Differs with all samples counted.
Agreement compareImages(const Image& reference, const Image& other, const AgreementRule& rule);
// Bins are the samples; firstX is the bin.
Agreement compareAnalyses(const AnalysisResult& reference, const AnalysisResult& other);
Agreement compareHistograms(const HistogramSet& reference, const HistogramSet& other);
// "identical", "within 1, PSNR 93.9 dB", "differs in 12 samples, at most by 3, at (4, 7), PSNR
// 71.3 dB": the place is that of the largest difference, the first of several in reading order.
std::string describe(const Agreement& agreement);

}  // namespace warpscope
