#include "engine/report/analysis_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <variant>

namespace warpscope {
namespace {

using SheetInk = std::array<std::uint8_t, 4>;
constexpr SheetInk kPaper{250, 250, 250, 255}, kBarInk{176, 176, 176, 255}, kDark{64, 64, 64, 255},
    kInner{140, 180, 220, 255}, kRed{220, 40, 40, 255}, kGreen{30, 150, 50, 255},
    kBlue{40, 80, 220, 255}, kMark{255, 60, 220, 255};

constexpr int kSheetBins = 256, kSheetMargin = 8;
constexpr Size kSheetSize{kSheetBins + 2 * kSheetMargin, 128};
constexpr int kBoxHeight = 24;

// Nothing happens outside of the picture.
class Sheet {
  public:
    explicit Sheet(MutableImage image) : m_image(std::move(image)) {}

    void fill(int left, int top, int right, int bottom, const SheetInk& ink) {
        const auto view = m_image.view<std::uint8_t>();
        for (int y = std::max(top, 0); y < std::min(bottom, view.height); ++y)
            for (int x = std::max(left, 0); x < std::min(right, view.width); ++x)
                std::memcpy(view.row(y) + 4 * x, ink.data(), ink.size());
    }
    // One pixel wide, within.
    void outline(int left, int top, int right, int bottom, const SheetInk& ink) {
        fill(left, top, right, top + 1, ink);
        fill(left, bottom - 1, right, bottom, ink);
        fill(left, top, left + 1, bottom, ink);
        fill(right - 1, top, right, bottom, ink);
    }
    void cross(int x, int y, int reach, const SheetInk& ink) {
        fill(x - reach, y, x + reach + 1, y + 1, ink);
        fill(x, y - reach, x + 1, y + reach + 1, ink);
    }
    Image take() && { return std::move(m_image).freeze({}); }

  private:
    MutableImage m_image;
};

Result<Sheet> emptyPlot() {
    auto image = MutableImage::create(PixelFormat::Rgba8, kSheetSize);
    if (!image) return fail(image.error());
    Sheet sheet(std::move(*image));
    sheet.fill(0, 0, kSheetSize.width, kSheetSize.height, kPaper);
    return sheet;
}

// Heights of the bins on a scale that the highest of all but a hundredth fills: black and white
// often stand far above the others.
class Heights {
  public:
    Heights(const HistogramSet& set, int height) : m_height(height) {
        std::vector<std::uint64_t> counts;
        for (const Histogram& histogram : set.channels) {
            const auto bins = rebinned(histogram, kSheetBins).bins;
            counts.insert(counts.end(), bins.begin(), bins.end());
        }
        const auto place = counts.begin() + std::ptrdiff_t(counts.size() * 99 / 100);
        std::nth_element(counts.begin(), place, counts.end());
        m_full = std::max<std::uint64_t>(*place, 1);
    }
    int of(std::uint64_t count) const {
        return int(std::min<std::uint64_t>((count * unsigned(m_height) + m_full / 2) / m_full,
                                           unsigned(m_height)));
    }

  private:
    int m_height;
    std::uint64_t m_full = 1;
};

void drawBars(Sheet& sheet, const Histogram& histogram, const Heights& heights, int floor) {
    const auto bins = rebinned(histogram, kSheetBins).bins;
    for (int x = 0; x < kSheetBins; ++x)
        sheet.fill(kSheetMargin + x, floor - heights.of(bins[std::size_t(x)]), kSheetMargin + x + 1,
                   floor, kBarInk);
}

void drawLine(Sheet& sheet, const Histogram& histogram, const Heights& heights, int floor,
              const SheetInk& ink) {
    const auto bins = rebinned(histogram, kSheetBins).bins;
    int before = floor - heights.of(bins[0]);
    for (int x = 0; x < kSheetBins; ++x) {
        const int at = floor - heights.of(bins[std::size_t(x)]);
        sheet.fill(kSheetMargin + x, std::min(before, at), kSheetMargin + x + 1,
                   std::max(before, at) + 1, ink);
        before = at;
    }
}

double cellOf(const AnalysisTable& table, std::string_view id, std::size_t row) {
    for (const TableColumn& column : table.columns) {
        if (column.id != id || row >= column.cells.size()) continue;
        if (const auto* whole = std::get_if<std::int64_t>(&column.cells[row]))
            return double(*whole);
        if (const auto* real = std::get_if<double>(&column.cells[row])) return *real;
    }
    return 0;
}

}  // namespace

Result<Image> drawHistogram(const HistogramSet& set) {
    auto sheet = emptyPlot();
    if (!sheet) return fail(sheet.error());
    const int floor = kSheetSize.height - kSheetMargin;
    const Heights heights(set, floor - kSheetMargin);
    if (const Histogram* luma = set.find(HistogramChannel::Luma))
        drawBars(*sheet, *luma, heights, floor);
    const std::pair<HistogramChannel, SheetInk> lines[] = {{HistogramChannel::Red, kRed},
                                                           {HistogramChannel::Green, kGreen},
                                                           {HistogramChannel::Blue, kBlue}};
    for (const auto& [channel, ink] : lines)
        if (const Histogram* histogram = set.find(channel))
            drawLine(*sheet, *histogram, heights, floor, ink);
    sheet->fill(kSheetMargin, floor, kSheetSize.width - kSheetMargin, floor + 1, kDark);
    return std::move(*sheet).take();
}

Result<Image> drawStatistics(const HistogramSet& set, const AnalysisTable& statistics) {
    auto sheet = emptyPlot();
    if (!sheet) return fail(sheet.error());
    const int floor = kSheetSize.height - kSheetMargin - kBoxHeight;
    const int top = floor + 4, bottom = kSheetSize.height - kSheetMargin,
              middle = (top + bottom) / 2;
    HistogramSet luma = set;
    std::erase_if(luma.channels, [](const Histogram& histogram) {
        return histogram.channel != HistogramChannel::Luma;
    });
    if (!luma.channels.empty())
        drawBars(*sheet, luma.channels.front(), Heights(luma, floor - kSheetMargin), floor);
    sheet->fill(kSheetMargin, floor, kSheetSize.width - kSheetMargin, floor + 1, kDark);
    const double range = std::max(set.high - set.low, 1e-30);
    const auto place = [&](std::string_view id) {
        const double share = (cellOf(statistics, id, 0) - set.low) / range;
        return kSheetMargin + int(std::lround(std::clamp(share, 0.0, 1.0) * (kSheetBins - 1)));
    };
    const int least = place("minimum"), most = place("maximum");
    const int low = place("percentile_25"), high = place("percentile_75");
    sheet->fill(least, middle, most + 1, middle + 1, kDark);
    for (const int x : {least, most}) sheet->fill(x, middle - 3, x + 1, middle + 4, kDark);
    sheet->fill(low, top, high + 1, bottom, kInner);
    sheet->outline(low, top, high + 1, bottom, kDark);
    sheet->fill(place("median"), top, place("median") + 2, bottom, kDark);
    sheet->cross(place("mean"), middle, 4, kRed);
    return std::move(*sheet).take();
}

Result<Image> drawComponents(const Image& image, const AnalysisTable& components) {
    auto made = MutableImage::create(PixelFormat::Rgba8, image.size());
    if (!made) return fail(made.error());
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(made->rowBytes(y), image.rowBytes(y), std::size_t(image.width()) * 4);
    Sheet sheet(std::move(*made));
    for (std::size_t row = 0; row < components.rows(); ++row) {
        const auto cell = [&](std::string_view id) { return cellOf(components, id, row); };
        const int left = int(cell("x")), top = int(cell("y"));
        sheet.outline(left - 1, top - 1, left + int(cell("width")) + 1,
                      top + int(cell("height")) + 1, kMark);
        sheet.cross(int(std::lround(cell("centroid_x"))), int(std::lround(cell("centroid_y"))), 2,
                    kMark);
    }
    return std::move(sheet).take();
}

}  // namespace warpscope
