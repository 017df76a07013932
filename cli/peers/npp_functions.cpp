#include "cli/peers/npp_functions.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace warpscope::npp {
namespace {

const WarpscopePeerParameter* parameter(const WarpscopePeerTask& task, std::string_view id) {
    for (int i = 0; i < task.parameter_count; ++i)
        if (task.parameters[i].id == id) return &task.parameters[i];
    return nullptr;
}

double number(const WarpscopePeerTask& task, std::string_view id) {
    const auto* found = parameter(task, id);
    return found ? found->number : 0;
}

bool isChoice(const WarpscopePeerTask& task, std::string_view id, std::string_view value) {
    const auto* found = parameter(task, id);
    return found && found->text && found->text == value;
}

bool gray(const WarpscopePeerTask& task) {
    return task.input.channels == 1 && task.input.sample_bytes == 1;
}

bool color(const WarpscopePeerTask& task) {
    return task.input.channels == 4 && task.input.sample_bytes == 1;
}

bool eightBit(const WarpscopePeerTask& task) {
    return gray(task) || color(task);
}

NppiSize sizeOf(const WarpscopePeerImage& image) {
    return {image.width, image.height};
}

// An image as NPP takes it: first sample and bytes from row to row.
struct Samples {
    Npp8u* data;
    int step;
    explicit Samples(const WarpscopePeerImage& image)
        : data(static_cast<Npp8u*>(image.data)), step(int(image.pitch)) {}
    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(data);
    }
};

NppiSize squareOf(int radius) {
    return {2 * radius + 1, 2 * radius + 1};
}

NppStatus toGray(const Work& w) {
    const Samples in(w.in), out(w.out);
    if (isChoice(w.task, "method", "weighted601") || isChoice(w.task, "channel", "luma"))
        return nppiRGBToGray_8u_AC4C1R_Ctx(in.data, in.step, out.data, out.step, sizeOf(w.in),
                                           w.context);
    const Npp32f third = 1.f / 3;
    const Npp32f average[3] = {third, third, third};
    const Npp32f bt709[3] = {0.2126f, 0.7152f, 0.0722f};
    return nppiColorToGray_8u_AC4C1R_Ctx(in.data, in.step, out.data, out.step, sizeOf(w.in),
                                         isChoice(w.task, "method", "average") ? average : bt709,
                                         w.context);
}

NppStatus invert(const Work& w) {
    const Samples in(w.in), out(w.out);
    const auto function = gray(w.task) ? nppiNot_8u_C1R_Ctx : nppiNot_8u_AC4R_Ctx;
    return function(in.data, in.step, out.data, out.step, sizeOf(w.in), w.context);
}

bool mapsLevels(const WarpscopePeerTask& task) {
    return eightBit(task) && task.levels;
}

NppStatus mapLevels(const Work& w) {
    const std::vector<Npp8u> table(w.task.levels, w.task.levels + 256);
    const Npp8u* onDevice = w.workspace.constants(table);
    const Samples in(w.in), out(w.out);
    if (gray(w.task))
        return nppiLUTPalette_8u_C1R_Ctx(in.data, in.step, out.data, out.step, sizeOf(w.in),
                                         onDevice, 8, w.context);
    const Npp8u* tables[3] = {onDevice, onDevice, onDevice};
    return nppiLUTPalette_8u_AC4R_Ctx(in.data, in.step, out.data, out.step, sizeOf(w.in), tables, 8,
                                      w.context);
}

NppStatus threshold(const Work& w) {
    const auto value = Npp8u(number(w.task, "value"));
    const Samples in(w.in), out(w.out);
    return nppiThreshold_LTValGTVal_8u_C1R_Ctx(in.data, in.step, out.data, out.step, sizeOf(w.in),
                                               Npp8u(value + 1), 0, value, 255, w.context);
}

NppStatus adaptiveThreshold(const Work& w) {
    const Samples in(w.in), out(w.out);
    return nppiFilterThresholdAdaptiveBoxBorder_8u_C1R_Ctx(
        in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in),
        squareOf(int(number(w.task, "radius"))), Npp32f(number(w.task, "offset")), 255, 0,
        NPP_BORDER_REPLICATE, w.context);
}

int storedChannel(const WarpscopePeerTask& task) {
    const char* const ids[] = {"red", "green", "blue", "alpha"};
    for (int c = 0; c < 4; ++c)
        if (isChoice(task, "channel", ids[c])) return c;
    return -1;
}

NppStatus extractChannel(const Work& w) {
    const int channel = storedChannel(w.task);
    if (channel < 0) return toGray(w);
    const Samples in(w.in), out(w.out);
    return nppiCopy_8u_C4C1R_Ctx(in.data + channel, in.step, out.data, out.step, sizeOf(w.in),
                                 w.context);
}

NppStatus gaussian(const Work& w) {
    const double sigma = number(w.task, "sigma");
    const int asked = int(number(w.task, "size"));
    const int taps = asked > 0 ? asked : 2 * int(std::ceil(3 * sigma)) + 1;
    std::vector<Npp32f> kernel;
    double sum = 0;
    for (int i = 0; i < taps; ++i) {
        const double x = i - taps / 2;
        sum += std::exp(-x * x / (2 * sigma * sigma));
    }
    for (int i = 0; i < taps; ++i) {
        const double x = i - taps / 2;
        kernel.push_back(Npp32f(std::exp(-x * x / (2 * sigma * sigma)) / sum));
    }
    const auto function = gray(w.task) ? nppiFilterGaussAdvancedBorder_8u_C1R_Ctx
                                       : nppiFilterGaussAdvancedBorder_8u_AC4R_Ctx;
    const Samples in(w.in), out(w.out);
    return function(in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in), taps,
                    w.workspace.constants(kernel), NPP_BORDER_REPLICATE, w.context);
}

NppStatus boxMean(const Work& w) {
    const int radius = int(number(w.task, "radius"));
    const auto function =
        gray(w.task) ? nppiFilterBoxBorder_8u_C1R_Ctx : nppiFilterBoxBorder_8u_AC4R_Ctx;
    const Samples in(w.in), out(w.out);
    return function(in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in),
                    squareOf(radius), {radius, radius}, NPP_BORDER_REPLICATE, w.context);
}

NppStatus median(const Work& w) {
    const int radius = int(number(w.task, "radius"));
    Npp32u bytes = 0;
    const NppStatus asked =
        gray(w.task) ? nppiFilterMedianBorderGetBufferSize_8u_C1R_Ctx(
                           sizeOf(w.in), squareOf(radius), &bytes, NPP_BORDER_REPLICATE, w.context)
                     : nppiFilterMedianBorderGetBufferSize_8u_AC4R_Ctx(
                           sizeOf(w.in), squareOf(radius), &bytes, NPP_BORDER_REPLICATE, w.context);
    if (asked != NPP_SUCCESS) return asked;
    const auto function =
        gray(w.task) ? nppiFilterMedianBorder_8u_C1R_Ctx : nppiFilterMedianBorder_8u_AC4R_Ctx;
    const Samples in(w.in), out(w.out);
    return function(in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in),
                    squareOf(radius), {radius, radius}, w.workspace.room(bytes),
                    NPP_BORDER_REPLICATE, w.context);
}

NppStatus bilateral(const Work& w) {
    const double range = number(w.task, "sigma_range"), space = number(w.task, "sigma_space");
    const Samples in(w.in), out(w.out);
    return nppiFilterBilateralGaussBorder_8u_C1R_Ctx(
        in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in),
        int(number(w.task, "radius")), 1, Npp32f(range * range), Npp32f(space * space),
        NPP_BORDER_REPLICATE, w.context);
}

NppStatus unsharpMask(const Work& w) {
    const auto sigma = Npp32f(number(w.task, "sigma"));
    const Npp32f radius = std::ceil(3 * sigma);
    int bytes = 0;
    const NppStatus asked = nppiFilterUnsharpGetBufferSize_8u_C1R(radius, sigma, &bytes);
    if (asked != NPP_SUCCESS) return asked;
    const Samples in(w.in), out(w.out);
    return nppiFilterUnsharpBorder_8u_C1R_Ctx(
        in.data, in.step, {0, 0}, out.data, out.step, sizeOf(w.in), radius, sigma,
        Npp32f(number(w.task, "amount")), Npp32f(number(w.task, "threshold")), NPP_BORDER_REPLICATE,
        w.workspace.room(std::size_t(bytes)), w.context);
}

NppStatus gradientLength(const Work& w) {
    const Samples in(w.in), out(w.out);
    return nppiGradientVectorSobelBorder_8u16s_C1R_Ctx(
        in.data, in.step, sizeOf(w.in), {0, 0}, nullptr, 0, nullptr, 0, out.as<Npp16s>(), out.step,
        nullptr, 0, sizeOf(w.in), NPP_MASK_SIZE_3_X_3, nppiNormL2, NPP_BORDER_REPLICATE, w.context);
}

// Right less left; or above less below, where ours is the other way round.
NppStatus gradientAlong(const Work& w) {
    const Samples in(w.in), out(w.out);
    const auto function = isChoice(w.task, "output", "horizontal")
                              ? nppiFilterSobelVertBorder_8u16s_C1R_Ctx
                              : nppiFilterSobelHorizBorder_8u16s_C1R_Ctx;
    return function(in.data, in.step, sizeOf(w.in), {0, 0}, out.as<Npp16s>(), out.step,
                    sizeOf(w.in), NPP_MASK_SIZE_3_X_3, NPP_BORDER_REPLICATE, w.context);
}

bool isGradientOf(const WarpscopePeerTask& task, std::string_view output) {
    return gray(task) && isChoice(task, "kernel", "sobel") && isChoice(task, "output", output);
}

NppStatus laplacian(const Work& w) {
    const Samples in(w.in), out(w.out);
    return nppiFilterLaplaceBorder_8u_C1R_Ctx(in.data, in.step, sizeOf(w.in), {0, 0}, out.data,
                                              out.step, sizeOf(w.in), NPP_MASK_SIZE_3_X_3,
                                              NPP_BORDER_REPLICATE, w.context);
}

NppStatus canny(const Work& w) {
    int bytes = 0;
    const NppStatus asked = nppiFilterCannyBorderGetBufferSize(sizeOf(w.in), &bytes);
    if (asked != NPP_SUCCESS) return asked;
    const Samples in(w.in), out(w.out);
    return nppiFilterCannyBorder_8u_C1R_Ctx(
        in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in), NPP_FILTER_SOBEL,
        NPP_MASK_SIZE_3_X_3, Npp16s(number(w.task, "low")), Npp16s(number(w.task, "high")),
        nppiNormL1, NPP_BORDER_REPLICATE, w.workspace.room(std::size_t(bytes)), w.context);
}

// "0 -1 0;-1 5 -1;0 -1 0"
struct Matrix {
    std::vector<Npp32s> entries;
    int rows = 0;

    explicit Matrix(const WarpscopePeerTask& task) {
        const auto* found = parameter(task, "kernel");
        std::istringstream lines(found && found->text ? found->text : "");
        for (std::string line; std::getline(lines, line, ';'); ++rows) {
            std::istringstream words(line);
            for (Npp32s entry = 0; words >> entry;) entries.push_back(entry);
        }
    }
    int columns() const { return rows > 0 ? int(entries.size()) / rows : 0; }
};

NppStatus convolve(const Work& w) {
    Matrix matrix(w.task);
    int divisor = int(number(w.task, "divisor"));
    if (divisor == 0)
        for (const Npp32s entry : matrix.entries) divisor += entry;
    if (divisor == 0) divisor = 1;
    // Its kernels are turned by half a turn.
    std::reverse(matrix.entries.begin(), matrix.entries.end());
    const NppiSize size{matrix.columns(), matrix.rows};
    const Samples in(w.in), out(w.out);
    return nppiFilterBorder_8u_C1R_Ctx(in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step,
                                       sizeOf(w.in), w.workspace.constants(matrix.entries), size,
                                       {size.width / 2, size.height / 2}, divisor,
                                       NPP_BORDER_REPLICATE, w.context);
}

std::vector<Npp8u> shapeOf(const WarpscopePeerTask& task) {
    const int radius = int(number(task, "radius"));
    std::vector<Npp8u> shape;
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x)
            shape.push_back(isChoice(task, "shape", "square")  ? 1
                            : isChoice(task, "shape", "cross") ? x == 0 || y == 0
                                                               : x * x + y * y <= radius * radius);
    return shape;
}

bool morphologyCan(const WarpscopePeerTask& task) {
    if (isChoice(task, "operation", "erode") || isChoice(task, "operation", "dilate"))
        return eightBit(task);
    return gray(task) &&
           (isChoice(task, "operation", "open") || isChoice(task, "operation", "close") ||
            isChoice(task, "operation", "gradient"));
}

NppStatus morphology(const Work& w) {
    const int radius = int(number(w.task, "radius"));
    const NppiSize mask = squareOf(radius);
    const NppiPoint middle{radius, radius};
    const Npp8u* shape = w.workspace.constants(shapeOf(w.task));
    const Samples in(w.in), out(w.out);
    const bool erodes = isChoice(w.task, "operation", "erode");
    if (erodes || isChoice(w.task, "operation", "dilate")) {
        const auto function =
            gray(w.task) ? (erodes ? nppiErodeBorder_8u_C1R_Ctx : nppiDilateBorder_8u_C1R_Ctx)
                         : (erodes ? nppiErodeBorder_8u_AC4R_Ctx : nppiDilateBorder_8u_AC4R_Ctx);
        return function(in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in),
                        shape, mask, middle, NPP_BORDER_REPLICATE, w.context);
    }
    int bytes = 0;
    const NppStatus asked = nppiMorphGetBufferSize_8u_C1R(sizeOf(w.in), &bytes);
    if (asked != NPP_SUCCESS) return asked;
    const auto function = isChoice(w.task, "operation", "open") ? nppiMorphOpenBorder_8u_C1R_Ctx
                          : isChoice(w.task, "operation", "close")
                              ? nppiMorphCloseBorder_8u_C1R_Ctx
                              : nppiMorphGradientBorder_8u_C1R_Ctx;
    return function(in.data, in.step, sizeOf(w.in), {0, 0}, out.data, out.step, sizeOf(w.in), shape,
                    mask, middle, w.workspace.room(std::size_t(bytes)), NPP_BORDER_REPLICATE,
                    w.context);
}

// Numbers areas of equal samples, the background's too, and not one after the other.
NppStatus components(const Work& w) {
    int bytes = 0;
    const NppStatus asked = nppiLabelMarkersUFGetBufferSize_32u_C1R(sizeOf(w.in), &bytes);
    if (asked != NPP_SUCCESS) return asked;
    const Samples in(w.in), out(w.out);
    return nppiLabelMarkersUF_8u32u_C1R_Ctx(
        in.data, in.step, out.as<Npp32u>(), out.step, sizeOf(w.in),
        isChoice(w.task, "connectivity", "4") ? nppiNormL1 : nppiNormInf,
        w.workspace.room(std::size_t(bytes)), w.context);
}

NppStatus integralImage(const Work& w) {
    const Samples in(w.in), out(w.out);
    return nppiIntegral_8u32s_C1R_Ctx(in.data, in.step, out.as<Npp32s>(), out.step, sizeOf(w.in), 0,
                                      w.context);
}

bool mirrors(const WarpscopePeerTask& task) {
    return eightBit(task) && (isChoice(task, "operation", "flip_horizontal") ||
                              isChoice(task, "operation", "flip_vertical") ||
                              isChoice(task, "operation", "rotate_180"));
}

NppStatus mirror(const Work& w) {
    const NppiAxis axis = isChoice(w.task, "operation", "flip_horizontal") ? NPP_VERTICAL_AXIS
                          : isChoice(w.task, "operation", "flip_vertical") ? NPP_HORIZONTAL_AXIS
                                                                           : NPP_BOTH_AXIS;
    const auto function = gray(w.task) ? nppiMirror_8u_C1R_Ctx : nppiMirror_8u_C4R_Ctx;
    const Samples in(w.in), out(w.out);
    return function(in.data, in.step, out.data, out.step, sizeOf(w.in), axis, w.context);
}

NppStatus crop(const Work& w) {
    const auto function = gray(w.task) ? nppiCopy_8u_C1R_Ctx : nppiCopy_8u_C4R_Ctx;
    const Samples in(w.in), out(w.out);
    const int first =
        int(number(w.task, "y")) * in.step + int(number(w.task, "x")) * w.task.input.channels;
    return function(in.data + first, in.step, out.data, out.step, sizeOf(w.out), w.context);
}

bool blendCan(const WarpscopePeerTask& task) {
    if (task.second.width == 0 || number(task, "opacity") != 100) return false;
    if (isChoice(task, "mode", "difference")) return eightBit(task);
    return gray(task) && (isChoice(task, "mode", "add") || isChoice(task, "mode", "subtract"));
}

// The second operand of Sub is what it subtracts from. Alpha is mixed too.
NppStatus blend(const Work& w) {
    const Samples a(w.in), b(*w.second), out(w.out);
    if (isChoice(w.task, "mode", "difference")) {
        const auto function = gray(w.task) ? nppiAbsDiff_8u_C1R_Ctx : nppiAbsDiff_8u_C4R_Ctx;
        return function(a.data, a.step, b.data, b.step, out.data, out.step, sizeOf(w.in),
                        w.context);
    }
    const auto function =
        isChoice(w.task, "mode", "add") ? nppiAdd_8u_C1RSfs_Ctx : nppiSub_8u_C1RSfs_Ctx;
    return function(b.data, b.step, a.data, a.step, out.data, out.step, sizeOf(w.in), 0, w.context);
}

// Without the widening that keeps fine patterns from flickering where an image is made smaller.
NppStatus resize(const Work& w) {
    const int method = isChoice(w.task, "method", "nearest")    ? NPPI_INTER_NN
                       : isChoice(w.task, "method", "bilinear") ? NPPI_INTER_LINEAR
                       : isChoice(w.task, "method", "area")     ? NPPI_INTER_SUPER
                       : isChoice(w.task, "method", "lanczos3") ? NPPI_INTER_LANCZOS3_ADVANCED
                                                                : NPPI_INTER_CUBIC2P_CATMULLROM;
    const auto function = gray(w.task) ? nppiResize_8u_C1R_Ctx : nppiResize_8u_C4R_Ctx;
    const Samples in(w.in), out(w.out);
    return function(in.data, in.step, sizeOf(w.in), {0, 0, w.in.width, w.in.height}, out.data,
                    out.step, sizeOf(w.out), {0, 0, w.out.width, w.out.height}, method, w.context);
}

// About the middle, where ours turns clockwise and NPP the other way; what lies outside is left as
// it was.
NppStatus rotate(const Work& w) {
    const double degrees = -number(w.task, "angle");
    const double angle = degrees * 3.14159265358979323846 / 180;
    const double x = (w.in.width - 1) / 2.0, y = (w.in.height - 1) / 2.0;
    const double shiftX = x - std::cos(angle) * x - std::sin(angle) * y;
    const double shiftY = y + std::sin(angle) * x - std::cos(angle) * y;
    const auto function = gray(w.task) ? nppiRotate_8u_C1R_Ctx : nppiRotate_8u_C4R_Ctx;
    const Samples in(w.in), out(w.out);
    return function(in.data, sizeOf(w.in), in.step, {0, 0, w.in.width, w.in.height}, out.data,
                    out.step, {0, 0, w.out.width, w.out.height}, degrees, shiftX, shiftY,
                    isChoice(w.task, "method", "nearest") ? NPPI_INTER_NN : NPPI_INTER_LINEAR,
                    w.context);
}

NppStatus histogram(const Work& w) {
    std::size_t bytes = 0;
    const NppStatus asked =
        nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(sizeOf(w.in), 257, &bytes, w.context);
    if (asked != NPP_SUCCESS) return asked;
    const Samples in(w.in), out(w.out);
    return nppiHistogramEven_8u_C1R_Ctx(in.data, in.step, sizeOf(w.in), out.as<Npp32s>(), 257, 0,
                                        256, w.workspace.room(bytes), w.context);
}

const Function kFunctions[] = {
    {"grayscale",
     [](const WarpscopePeerTask& task) {
         return color(task) && !isChoice(task, "method", "maximum");
     },
     toGray},
    {"invert", eightBit, invert},
    {"levels", mapsLevels, mapLevels},
    {"curves", mapsLevels, mapLevels},
    {"threshold",
     [](const WarpscopePeerTask& task) {
         const double value = number(task, "value");
         return gray(task) && isChoice(task, "method", "fixed") && value >= 0 && value <= 254 &&
                value == std::floor(value);
     },
     threshold},
    {"adaptive_threshold", gray, adaptiveThreshold},
    {"extract_channel",
     [](const WarpscopePeerTask& task) {
         return color(task) && (storedChannel(task) >= 0 || isChoice(task, "channel", "luma"));
     },
     extractChannel},
    {"gaussian_blur", eightBit, gaussian},
    {"box_mean", eightBit, boxMean},
    {"median", eightBit, median},
    {"bilateral", gray, bilateral},
    {"unsharp_mask", gray, unsharpMask},
    {"gradient", [](const WarpscopePeerTask& task) { return isGradientOf(task, "magnitude"); },
     gradientLength, Result::Shorts},
    {"gradient", [](const WarpscopePeerTask& task) { return isGradientOf(task, "horizontal"); },
     gradientAlong, Result::Halves},
    {"gradient", [](const WarpscopePeerTask& task) { return isGradientOf(task, "vertical"); },
     gradientAlong, Result::NegativeHalves},
    // Of eight neighbours, and negative sums are 0.
    {"laplacian",
     [](const WarpscopePeerTask& task) {
         return gray(task) && isChoice(task, "neighbours", "8") &&
                isChoice(task, "output", "absolute");
     },
     laplacian},
    {"canny", gray, canny},
    {"convolve",
     [](const WarpscopePeerTask& task) { return gray(task) && number(task, "offset") == 0; },
     convolve},
    {"morphology", morphologyCan, morphology},
    {"connected_components",
     [](const WarpscopePeerTask& task) { return gray(task) && number(task, "min_area") == 1; },
     components},
    // No distance_transform: kernelColor of nppiDistanceTransformPBA (13.0.1) reads megabytes
    // beyond its memory, which compute-sanitizer shows at 256 x 256 already, and at 3840 x 2160 the
    // device is lost to all that follows.
    {"integral_image", gray, integralImage, Result::Integral},
    {"blend", blendCan, blend},
    {"crop", eightBit, crop},
    {"flip_rotate", mirrors, mirror},
    {"resize", eightBit, resize},
    {"rotate",
     [](const WarpscopePeerTask& task) {
         return eightBit(task) && isChoice(task, "canvas", "keep");
     },
     rotate},
    {"histogram", gray, histogram, Result::Counts},
};

}  // namespace

const Function* functionFor(const WarpscopePeerTask& task) {
    for (const Function& one : kFunctions)
        if (one.operation == task.operation && one.can(task)) return &one;
    return nullptr;
}

}  // namespace warpscope::npp
