#include "gui/display/color_map.h"

#include <algorithm>
#include <cmath>

#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

using Table = std::array<ScreenColor, 256>;
using Rgb = std::array<double, 3>;

std::uint8_t byteOf(double v) {
    return std::uint8_t(std::clamp(v, 0.0, 1.0) * 255 + 0.5);
}

template <class At>
Table tableOf(const At& at) {
    Table table{};
    for (std::size_t i = 0; i < 256; ++i) {
        const Rgb rgb = at(double(i) / 255);
        table[i] = {byteOf(rgb[0]), byteOf(rgb[1]), byteOf(rgb[2])};
    }
    return table;
}

// The polynomials of degree six that Matt Zucker fitted to matplotlib's maps (public domain).
using Polynomial = std::array<Rgb, 7>;

constexpr Polynomial kViridis{{{0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
                               {0.1050930431085774, 1.404613529898575, 1.384590162594685},
                               {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
                               {-4.634230498983486, -5.799100973351585, -19.33244095627987},
                               {6.228269936347081, 14.17993336680509, 56.69055260068105},
                               {4.776384997670288, -13.74514537774601, -65.35303263337234},
                               {-5.435455855934631, 4.645852612178535, 26.3124352495832}}};

constexpr Polynomial kMagma{{{-0.002136485053939582, -0.000749655052795221, -0.005386127855323933},
                             {0.2516605407371642, 0.6775232436837668, 2.494026599312351},
                             {8.353717279216625, -3.577719514958484, 0.3144679030132573},
                             {-27.66873308576866, 14.26473078096533, -13.64921318813922},
                             {52.17613981234068, -27.94360607168351, 12.94416944238394},
                             {-50.76852536473588, 29.04658282127291, 4.23415299384598},
                             {18.65570506591883, -11.48977351997711, -5.601961508734096}}};

Table fitted(const Polynomial& polynomial) {
    return tableOf([&](double t) {
        Rgb rgb{};
        for (std::size_t i = polynomial.size(); i-- > 0;)
            for (std::size_t c = 0; c < 3; ++c) rgb[c] = rgb[c] * t + polynomial[i][c];
        return rgb;
    });
}

}  // namespace

const std::array<ScreenColor, 256>& colorsOf(ColorMap map) {
    static const Table grey = tableOf([](double t) { return Rgb{t, t, t}; });
    static const Table viridis = fitted(kViridis);
    static const Table magma = fitted(kMagma);
    // Black, red, yellow, white, in equal parts.
    static const Table fire = tableOf([](double t) { return Rgb{3 * t, 3 * t - 1, 3 * t - 2}; });
    // Blue below the middle, red above it, dark where it is.
    static const Table diverging = tableOf([](double t) {
        const double d = 2 * t - 1, far = std::abs(d);
        const double weak = 0.12 + 0.55 * far * far;
        const double strong = 0.12 + 0.88 * far;
        return d < 0 ? Rgb{weak * 0.6, weak, strong} : Rgb{strong, weak, weak * 0.6};
    });
    // Black for 0, else neighbours far apart: hues a golden section of the circle on, in three
    // strengths.
    static const Table labels = [] {
        Table table{};
        for (std::size_t i = 1; i < 256; ++i) {
            const double hue = 6 * std::fmod(double(i) * 0.6180339887498949, 1.0);
            const double strength = 1 - 0.22 * double(i % 3), pale = 0.15 * double(i % 2);
            const auto at = [&](double shift) {
                const double part = std::abs(std::fmod(hue + shift, 6.0) - 3) - 1;
                return byteOf(strength * (pale + (1 - pale) * std::clamp(part, 0.0, 1.0)));
            };
            table[i] = {at(0), at(4), at(2)};
        }
        return table;
    }();
    switch (map) {
        case ColorMap::Labels:
            return labels;
        case ColorMap::Viridis:
            return viridis;
        case ColorMap::Magma:
            return magma;
        case ColorMap::Fire:
            return fire;
        case ColorMap::Diverging:
            return diverging;
        default:
            return grey;
    }
}

QString nameOf(ColorMap map) {
    switch (map) {
        case ColorMap::None:
            return tr("Natural colours");
        case ColorMap::Grey:
            return tr("Grey");
        case ColorMap::Viridis:
            return tr("Viridis");
        case ColorMap::Magma:
            return tr("Magma");
        case ColorMap::Fire:
            return tr("Fire");
        case ColorMap::Diverging:
            return tr("Blue to red");
        case ColorMap::Labels:
            return tr("Labels: a colour for each number");
    }
    return {};
}

}  // namespace warpscope::gui
