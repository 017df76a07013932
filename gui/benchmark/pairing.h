// Any two sides of the results that are there, row beside row: machine against machine, one place
// against another, a variant against another, a size against another.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/report_tables.h"
#include "gui/benchmark/benchmark_series.h"

namespace warpscope::gui {

// What is not chosen is that of the row on the other side.
struct ComparedSide {
    const BenchmarkEntry* entry = nullptr;
    std::optional<Place> place{};          // as it was asked for
    std::optional<std::string> variant{};  // id
    std::optional<Size> size{};

    bool chosenAlike(const ComparedSide& other) const {
        return place == other.place && variant == other.variant && size == other.size;
    }
};

struct RowPair {
    StepTiming left;
    StepTiming right;
    double ratio = 0;          // median of right over left: above 1, left is faster
    double endToEndRatio = 0;  // the same end to end; 0: not known
    QString note;              // "16 threads against 2", "results differ"
};

struct Pairing {
    std::vector<RowPair> rows;  // in the order of the left side
    std::size_t onlyLeft = 0;   // measured rows of a side without a counterpart
    std::size_t onlyRight = 0;
    double geometricMean = 0;  // of the ratios; 0 without rows
    RatioMeans means{};        // of kernels, end to end and CPUs apart
};

// Rows with the same operation, parameters, format, temperature and experiment, and with the
// places, variants and sizes that the sides chose. Both sides may be of the same entry.
Pairing pairRows(const ComparedSide& left, const ComparedSide& right);

// What a side can choose from: of measured rows, in the order of the report.
std::vector<Place> placesOf(const TimingReport& report);
std::vector<std::string> variantsOf(const TimingReport& report);
std::vector<Size> sizesOf(const TimingReport& report);  // by growing pixels
// "1 thread", "16 threads", "GPU", "OpenCV, 1 thread".
QString placeName(const TimingReport& report, const Place& place);

// Above 1 the left side is faster, geometric mean, what has no counterpart; where nothing pairs,
// what each side has.
QString pairingSummary(const Pairing& pairing, const ComparedSide& left, const ComparedSide& right);
// A line an operation: the ratio against the size of the left side.
ChartContent pairingChart(const Pairing& pairing, const ComparedSide& left,
                          const ComparedSide& right);

}  // namespace warpscope::gui
