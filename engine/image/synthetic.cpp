#include "engine/image/synthetic.h"

#include <algorithm>
#include <cmath>

#include "engine/image/noise_field.h"
#include "engine/image/scene_text.h"

namespace warpscope {
namespace {

using namespace scene;

struct Color {
    double r = 0, g = 0, b = 0;  // 0 to 255
};
Color mix(const Color& a, const Color& b, double t) {
    return {scene::mix(a.r, b.r, t), scene::mix(a.g, b.g, t), scene::mix(a.b, b.b, t)};
}
Color times(const Color& a, double k) {
    return {a.r * k, a.g * k, a.b * k};
}
Color plus(const Color& a, double k) {
    return {a.r + k, a.g + k, a.b + k};
}

constexpr double kHorizon = 0.50;
constexpr double kShore = 0.70;

// Coordinates: v runs from 0 (top) to 1 (bottom), u in the same unit with 0 at the middle column.
class Scene {
  public:
    Scene(Size size, std::uint32_t seed)
        : m_seed(seed), m_aspect(double(size.width) / double(size.height)) {}

    Color at(double u, double v) const {
        Color color;
        if (v < kHorizon) {
            color = land(u, v);
        } else if (v < kShore - 0.03 * (fractalNoise(u * 3.0, 1.0, 3, m_seed + 7) - 0.5)) {
            color = water(u, v);
        } else {
            color = meadow(u, v);
        }
        color = objects(u, v, color);
        color = chart(u, v, color);
        const double du = u / (m_aspect * 0.5), dv = v * 2.0 - 1.0;
        return times(color, 1.0 - 0.16 * clamp01((du * du + dv * dv) * 0.5));
    }

  private:
    Color sky(double u, double v) const {
        const double t = clamp01(v / kHorizon);
        Color c = mix({38, 74, 140}, {244, 190, 132}, t * t * (0.4 + 0.6 * t));
        const double du = u - m_aspect * 0.22, dv = v - 0.33;
        const double d2 = du * du + dv * dv;
        const double glow = 1.0 / (1.0 + d2 * 60.0);
        c = mix(c, {255, 226, 170}, glow * 0.8);
        const double cloud =
            smoothStep(0.50, 0.78, fractalNoise(u * 2.6 + 3.0, v * 9.0, 5, m_seed));
        c = mix(c, mix(Color{250, 236, 226}, Color{172, 150, 160}, t), cloud * (0.85 - 0.5 * t));
        // The disc of the sun clips, as in a photograph.
        return d2 < 0.0011 ? Color{255, 252, 236}
                           : mix(c, {255, 250, 225}, 0.0011 / (d2 + 1e-9) * 0.25);
    }

    Color land(double u, double v) const {
        static constexpr double base[] = {0.36, 0.42, 0.465};
        static constexpr double height[] = {0.24, 0.15, 0.08};
        static constexpr Color tone[] = {{96, 108, 140}, {58, 74, 84}, {26, 40, 30}};
        for (int layer = 2; layer >= 0; --layer) {
            const double frequency = 1.5 + 1.7 * layer;
            const double ridge =
                base[layer] - height[layer] * (fractalNoise(u * frequency + 9.0 * layer, 0.5, 6,
                                                            m_seed + 31u * unsigned(layer)) -
                                               0.42);
            if (v < ridge) continue;
            // Light from the right: the difference of the relief across a short way is its slope.
            const std::uint32_t relief = m_seed + 77u * unsigned(layer);
            const double rough = fractalNoise(u * 21.0, v * 34.0, 5, relief);
            const double slope = rough - fractalNoise(u * 21.0 + 0.35, v * 34.0 + 0.12, 5, relief);
            const double depth = clamp01((v - ridge) / 0.12);
            Color c = times(tone[layer], clamp01(0.72 + 0.35 * rough + 1.5 * slope) * 1.2);
            if (layer == 0) {
                const double snow =
                    smoothStep(0.40, 0.56, rough + 0.5 * (0.42 - depth) - 0.4 * slope);
                const double lit = clamp01(0.78 + 1.9 * slope);
                c = mix(c, mix(Color{120, 134, 168}, Color{246, 244, 242}, lit), snow);
            }
            return mix(c, {206, 176, 160}, (2 - layer) * 0.13 + depth * 0.12);
        }
        return sky(u, v);
    }

    Color water(double u, double v) const {
        const double depth = (v - kHorizon) / (kShore - kHorizon);
        const double ripple =
            fractalNoise(u * 26.0 / (0.25 + depth), v * 150.0 / (0.35 + depth), 3, m_seed + 5) -
            0.5;
        const double mirror = kHorizon - (v - kHorizon) * 1.15 + ripple * 0.05 * depth;
        Color c = times(land(u + ripple * 0.02, std::max(mirror, 0.0)), 0.80 - 0.22 * depth);
        c = mix(c, {20, 52, 66}, 0.22 + 0.25 * depth);
        const double du = u - m_aspect * 0.22;
        const double sparkle = smoothStep(0.16, 0.3, ripple) / (1.0 + du * du * 160.0);
        return plus(c, 150.0 * sparkle);
    }

    Color meadow(double u, double v) const {
        const double near = (v - kShore) / (1.0 - kShore);
        const double blades =
            fractalNoise(u * 150.0 / (0.4 + near), v * 60.0 / (0.4 + near), 4, m_seed + 11);
        const double patches = fractalNoise(u * 4.0, v * 9.0, 3, m_seed + 13);
        Color c = mix({38, 62, 20}, {134, 146, 52}, patches);
        c = times(c, 0.35 + 1.25 * blades);
        // One flower in some cells of a lattice, off its middle, larger towards the front.
        const int cellX = floorToInt(u * 64.0), cellY = floorToInt(v * 64.0);
        const std::uint32_t flower = hashPoint(cellX, cellY, m_seed + 17);
        if (flower > 0xDC000000u) {
            const double dx =
                u * 64.0 - double(cellX) - 0.3 - 0.4 * double(flower >> 4 & 255) / 255.0;
            const double dy =
                v * 64.0 - double(cellY) - 0.3 - 0.4 * double(flower >> 12 & 255) / 255.0;
            const double size = 0.10 + 0.14 * near;
            const double d2 = (dx * dx + dy * dy * 1.8) / (size * size);
            const Color petal = flower & 1   ? Color{236, 84, 60}
                                : flower & 2 ? Color{246, 214, 70}
                                             : Color{238, 232, 246};
            if (d2 < 1.0) c = d2 < 0.12 ? Color{150, 96, 20} : times(petal, 1.0 - 0.35 * d2);
        }
        // Deep shadow to the left: detail between about 2 and 16 that equalization brings out.
        const double shade = smoothStep(-0.27 * m_aspect, 0.0, u + 0.12 * (patches - 0.5));
        return mix(times(c, 0.085), c, shade);
    }

    // Five glossy balls in saturated colours with soft shadows.
    Color objects(double u, double v, Color below) const {
        static constexpr Color paint[] = {
            {222, 24, 30}, {22, 168, 60}, {28, 62, 214}, {246, 206, 20}, {196, 30, 170}};
        for (int i = 0; i < 5; ++i) {
            const double cu = m_aspect * (-0.06 + 0.115 * i), cv = 0.835 + (i % 2) * 0.028,
                         radius = 0.062;
            const double x = (u - cu) / radius, y = (v - cv) / radius;
            const double d2 = x * x + y * y;
            if (d2 >= 1.0) {
                const double sx = (u - cu + 0.02) / (radius * 1.25),
                             sy = (v - cv - radius * 0.86) / (radius * 0.34);
                const double s = sx * sx + sy * sy;
                if (s < 1.0) below = times(below, 1.0 - 0.7 * smooth(1.0 - s));
                continue;
            }
            const double z = std::sqrt(1.0 - d2);
            const double light = std::max(0.0, 0.5 * x - 0.62 * y + 0.6 * z);
            const double facing = std::max(0.0, 0.46 * x - 0.56 * y + 0.69 * z);
            double highlight = facing;
            for (int k = 0; k < 5; ++k) highlight *= highlight;  // to the 32nd power
            Color c = times(paint[i], 0.16 + 0.86 * light);
            c = mix(c, {188, 206, 236}, 0.22 * (1.0 - z) * (1.0 - z));
            return plus(c, 235.0 * highlight);
        }
        return below;
    }

    // A board with text in falling sizes, a star of 36 rays and bars of rising frequency.
    Color chart(double u, double v, Color behind) const {
        const double width = 0.40, height = 0.235;
        const double x = u + m_aspect * 0.455, y = v - 0.735;
        if (x < 0 || y < 0 || x >= width || y >= height) {
            const bool post = (x > 0.05 && x < 0.065) || (x > 0.335 && x < 0.35);
            if (post && y >= height && y < height + 0.1) return {30, 22, 16};
            return behind;
        }
        if (x < 0.006 || y < 0.006 || x > width - 0.006 || y > height - 0.006) return {84, 60, 38};
        const double paper = 232.0 - 10.0 * fractalNoise(x * 90.0, y * 90.0, 3, m_seed + 23);
        const Color ink{24, 24, 28};
        const Color white{paper, paper - 3.0, paper - 12.0};
        if (textDot("WARPSCOPE", (x - 0.02) / 0.0045, (y - 0.02) / 0.0045)) return ink;
        if (textDot("0123456789", (x - 0.02) / 0.0024, (y - 0.066) / 0.0024)) return ink;
        if (textDot("0123456789 WARPSCOPE", (x - 0.02) / 0.0013, (y - 0.094) / 0.0013)) return ink;
        const double sx = x - 0.325, sy = y - 0.155;
        const double d2 = sx * sx + sy * sy;
        if (d2 < 0.0042) return d2 > 0.00001 && rays(sx, sy) ? ink : white;
        if (y > 0.125 && y < 0.215 && x > 0.02 && x < 0.24) {
            // Rising frequency: the phase grows with the square of the place.
            const double place = (x - 0.02) / 0.22;
            const double phase = place * place * 34.0 + place * 4.0;
            const double fraction = phase - double(floorToInt(phase));
            const double wave =
                fraction < 0.5 ? smooth(fraction * 2.0) : smooth(2.0 - fraction * 2.0);
            if (y < 0.168) return mix(ink, white, wave);
            if (y > 0.176) return times(white, place);
        }
        return white;
    }

    // Which of the rays a direction falls in, by comparing with fixed directions (no trigonometric
    // functions: they differ between libraries).
    static bool rays(double x, double y) {
        const double ax = std::fabs(x), ay = std::fabs(y);
        const double t = ax > ay ? ay / ax : ax / ay;  // 0 to 1 within an octant
        const double angle =
            t * (1.0 + 0.273 * (1.0 - t)) / 1.5708 * 9.0;  // about 4.5 sectors an octant
        const double along = ax > ay ? angle : 9.0 - angle;
        return (floorToInt(along) & 1) == ((x < 0) == (y < 0) ? 0 : 1);
    }

    std::uint32_t m_seed;
    double m_aspect;
};

// Sum of four bytes of a hash: close to a normal distribution, mean 0, standard deviation 1.
double grain(std::uint32_t h) {
    const int sum = int(h & 255) + int(h >> 8 & 255) + int(h >> 16 & 255) + int(h >> 24);
    return (double(sum) - 510.0) * (1.0 / 147.8);
}

std::uint8_t toByte(double v) {
    return v <= 0 ? std::uint8_t(0) : v >= 254.5 ? std::uint8_t(255) : std::uint8_t(v + 0.5);
}

}  // namespace

Result<Image> makeScene(Size size, bool color, std::uint32_t seed, const CpuContext& context) {
    auto out = MutableImage::create(color ? PixelFormat::Rgba8 : PixelFormat::Gray8, size);
    if (!out) return fail(out.error());
    const Scene picture(size, seed);
    const auto view = out->view<std::uint8_t>();
    const double scale = 1.0 / double(size.height);
    const auto body = [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            std::uint8_t* row = view.row(y);
            for (int x = 0; x < size.width; ++x) {
                const double u = (double(2 * x + 1 - size.width)) * 0.5 * scale;
                const Color c = picture.at(u, (double(y) + 0.5) * scale);
                // Noise of a sensor: grows with the root of the light; each channel has its own.
                const double level = (c.r + c.g + c.b) * (1.0 / 765.0);
                const double strength = 1.1 + 2.3 * std::sqrt(clamp01(level));
                const std::uint32_t h = hashPoint(x, y, seed + 1000);
                const std::uint8_t r = toByte(c.r + strength * grain(h));
                const std::uint8_t g = toByte(c.g + strength * grain(hashPoint(x, y, h)));
                const std::uint8_t b = toByte(c.b + strength * grain(hashPoint(y, x, h + 1)));
                if (color) {
                    row[4 * x] = r;
                    row[4 * x + 1] = g;
                    row[4 * x + 2] = b;
                    row[4 * x + 3] = 255;
                } else {
                    row[x] = std::uint8_t((19595u * r + 38470u * g + 7471u * b + 32768u) >> 16);
                }
            }
        }
    };
    const int band = rowsPerBand(context, size.height, std::uint64_t(size.width) * 64);
    if (auto done = forEachRowBand(context, size.height, band, body); !done)
        return fail(done.error());
    ImageInfo info;
    info.sourceFormat =
        color ? "made by the program, 8 bits, RGB" : "made by the program, 8 bits, gray";
    return std::move(*out).freeze(std::move(info));
}

}  // namespace warpscope
