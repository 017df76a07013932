// Tables of results: those of two machines or two days beside each other; those of the source texts
// row by row, with our figures of the same experiment beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/measure/published.h"
#include "engine/measure/timing_report.h"
#include "engine/report/plot.h"
#include "engine/report/text_table.h"

namespace warpscope {

// Rows of `a` and `b` with the same operation, variant, parameters, size, format, backend asked
// for, peer, published experiment and temperature. Both were measured.
struct RatioRow {
    StepTiming a;
    StepTiming b;
    double ratio = 0;          // median of b over median of a: above 1, a is faster
    double endToEndRatio = 0;  // the same end to end; on the CPU equal to ratio
    std::string note;          // "another image", "16 threads against 2"; empty if alike
};

// Which rows of a report stand on one side of a comparison. What is left open must be equal on both
// sides.
struct RowChoice {
    Place place;          // empty: open
    std::string variant;  // empty: open
    Size size;            // empty: open

    bool open() const { return place.empty() && variant.empty() && size.empty(); }
};
// "cpu", "cuda/direct_2d", "cpu-single/automatic@1024x1024", "@512x512". Errors: InvalidArgument.
Result<RowChoice> parseRowChoice(std::string_view text);
std::string toText(const RowChoice& choice);
// Whether a report has a measured row of it.
bool hasRowOf(const TimingReport& report, const RowChoice& choice);
// The places that a report has figures of, as ids: "cpu-single, cpu, cuda".
std::string placesText(const TimingReport& report);

// Geometric means of ratios: a GPU's kernels alone and its end to end are two things, and rows of
// CPUs are a third.
class RatioMeans {
  public:
    // Ratios that are not above 0 do not count.
    void add(const StepTiming& a, const StepTiming& b, double ratio, double endToEndRatio);
    // "kernels alone 345x (30 results), end to end 1.93x (30 results, 12 of them noisy)"; of CPUs
    // alone "1.02x (12 results)". Empty without any.
    std::string text() const;

  private:
    struct Mean {
        double logarithms = 0;
        int count = 0;
        int noisy = 0;
        void add(double ratio, bool isNoisy);
    };
    Mean m_kernels, m_endToEnd, m_cpu;
};

struct ReportComparison {
    std::vector<RatioRow> rows;  // in the order of a
    std::size_t onlyA = 0;       // measured rows without a counterpart
    std::size_t onlyB = 0;
    double geometricMean = 0;  // of the ratios; 0 without rows
    RatioMeans means{};
};

// What both choices leave open pairs equal rows; what either says is free of that: any place,
// variant or size against any other.
ReportComparison compareReports(const TimingReport& a, const TimingReport& b,
                                const RowChoice& left = {}, const RowChoice& right = {});

// A short name for a report in headings: "NVIDIA H100 80GB HBM3, 2026-11-21", or the processor
// where there is no GPU.
std::string reportLabel(const TimingReport& report);

// The ratios of one comparison: what is compared, what they come to, and a line a row; no lines
// where nothing pairs. Sources are named by their files, where they have any.
struct RatioTable {
    std::vector<std::string> heading;
    TextTable table;
};
RatioTable ratioTable(const PlotSource& a, const PlotSource& b, const RowChoice& left = {},
                      const RowChoice& right = {});
// The same as aligned columns or Markdown.
std::string toRatioTable(const PlotSource& a, const PlotSource& b, const RowChoice& left = {},
                         const RowChoice& right = {});
std::string toRatioMarkdown(const PlotSource& a, const PlotSource& b, const RowChoice& left = {},
                            const RowChoice& right = {});

struct PublishedComparison {
    const PublishedExperiment* experiment = nullptr;  // lives as long as the program
    const PublishedRow* row = nullptr;
    // Ours, warm where there is; unmeasured rows (n = 0) where there is no figure.
    StepTiming single;
    StepTiming cores;
    StepTiming gpu;
};

// Every published row in the order of the texts; ours from rows with that experiment.
std::vector<PublishedComparison> publishedComparison(const TimingReport& report);
// The same; where an experiment was not run, from rows of other input: warm, of the same operation,
// variant, parameters, format and size, on an image that is not the text's.
std::vector<PublishedComparison> sameStepsAsPublished(const TimingReport& report);

// The same as cells, and what a reader must know, a line each.
TextTable publishedTable(const TimingReport& report);
std::vector<std::string> publishedNotes();

std::string toPublishedTable(const TimingReport& report);  // aligned columns
std::string toPublishedMarkdown(const TimingReport& report);

}  // namespace warpscope
