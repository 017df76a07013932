#include "engine/io/screen_transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "engine/io/decode_support.h"

#if WARPSCOPE_LCMS
#include <lcms2.h>
#endif

namespace warpscope {

#if WARPSCOPE_LCMS

struct ScreenTransform::State {
    cmsContext context = nullptr;
    // Null where the table does the work.
    cmsHTRANSFORM transform = nullptr;
    // Of a gray profile: the pixel for each gray, alpha left out.
    std::array<std::array<std::uint8_t, 4>, 256> grays{};
    std::string name;
    bool identity = false;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (transform) cmsDeleteTransform(transform);
        if (context) cmsDeleteContext(context);
    }
};

namespace {

constexpr int kGridSteps = 17;

struct Profile {
    cmsHPROFILE handle = nullptr;
    explicit Profile(cmsHPROFILE opened) : handle(opened) {}
    ~Profile() {
        if (handle) cmsCloseProfile(handle);
    }
    Profile(const Profile&) = delete;
    Profile& operator=(const Profile&) = delete;
};

std::string nameOf(cmsHPROFILE profile) {
    char text[256] = "";
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text, sizeof text - 1);
    return io::cleanText(text);
}

// Whether a grid through all colours comes out as it went in, within a level.
bool keeps(const ScreenTransform& transform, bool gray) {
    std::vector<std::uint8_t> grid;
    const auto level = [](int i) { return std::uint8_t(i * 255 / (kGridSteps - 1)); };
    for (int i = 0; i < 256; ++i) grid.insert(grid.end(), 3, std::uint8_t(i)), grid.push_back(255);
    for (int r = 0; !gray && r < kGridSteps; ++r)
        for (int g = 0; g < kGridSteps; ++g)
            for (int b = 0; b < kGridSteps; ++b)
                grid.insert(grid.end(), {level(r), level(g), level(b), 255});
    std::vector<std::uint8_t> shown(grid.size());
    transform.apply(grid.data(), shown.data(), grid.size() / 4);
    for (std::size_t i = 0; i < grid.size(); ++i)
        if (std::abs(int(grid[i]) - int(shown[i])) > 1) return false;
    return true;
}

// Where the header of a profile says what it is for. Any number can stand there, also such as the
// library's enumerations have no value for. A profile that was opened has its header whole.
constexpr std::size_t kClassAt = 12, kColoursAt = 16;

std::uint32_t signatureAt(std::span<const std::uint8_t> profile, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | profile[at + i];
    return value;
}

}  // namespace

Result<ScreenTransform> ScreenTransform::create(std::span<const std::uint8_t> image,
                                                std::span<const std::uint8_t> screen, Order order) {
    const auto state = std::make_shared<State>();
    state->context = cmsCreateContext(nullptr, nullptr);
    if (!state->context) return fail(ErrorCode::OutOfMemory, "not enough memory");
    const auto open = [&](std::span<const std::uint8_t> bytes) -> cmsHPROFILE {
        if (bytes.size() > io::kMaxProfileBytes) return nullptr;
        return cmsOpenProfileFromMemTHR(state->context, bytes.data(),
                                        cmsUInt32Number(bytes.size()));
    };
    const Profile from(open(image));
    const Profile to(screen.empty() ? cmsCreate_sRGBProfileTHR(state->context) : open(screen));
    if (!from.handle || !to.handle)
        return fail(ErrorCode::Damaged, from.handle ? "the colour profile of the screen is damaged"
                                                    : "the colour profile is damaged");
    const std::uint32_t colours = signatureAt(image, kColoursAt);
    const bool gray = colours == cmsSigGrayData;
    if ((!gray && colours != cmsSigRgbData) ||
        (!screen.empty() && signatureAt(screen, kColoursAt) != cmsSigRgbData) ||
        signatureAt(image, kClassAt) == cmsSigLinkClass)
        return fail(ErrorCode::Unsupported,
                    "the colour profile is neither one of RGB nor one of gray");
    const auto shown = order == Order::Bgra ? TYPE_BGRA_8 : TYPE_RGBA_8;
    // The few grays are worth the exact way; alpha comes with the pixel.
    const cmsHTRANSFORM transform =
        cmsCreateTransformTHR(state->context, from.handle, gray ? TYPE_GRAY_DBL : shown, to.handle,
                              gray ? TYPE_RGB_DBL : shown, INTENT_RELATIVE_COLORIMETRIC,
                              cmsFLAGS_BLACKPOINTCOMPENSATION |
                                  unsigned(gray ? cmsFLAGS_NOOPTIMIZE : cmsFLAGS_COPY_ALPHA));
    if (!transform) return fail(ErrorCode::Damaged, "the colour profile cannot be used");
    state->transform = transform;
    state->name = nameOf(from.handle);
    if (gray) {
        for (std::size_t i = 0; i < state->grays.size(); ++i) {
            const double level = double(i) / 255;
            double light[3];
            cmsDoTransform(transform, &level, light, 1);
            for (std::size_t c = 0; c < 3; ++c)
                state->grays[i][order == Order::Bgra ? 2 - c : c] =
                    std::uint8_t(std::lround(255 * std::clamp(light[c], 0.0, 1.0)));
        }
        cmsDeleteTransform(std::exchange(state->transform, nullptr));
    }
    ScreenTransform made;
    made.m_state = state;
    state->identity = keeps(made, gray);
    return made;
}

bool ScreenTransform::isIdentity() const {
    return m_state->identity;
}

const std::string& ScreenTransform::name() const {
    return m_state->name;
}

void ScreenTransform::apply(const std::uint8_t* from, std::uint8_t* to, std::size_t count) const {
    if (m_state->transform) {
        cmsDoTransform(m_state->transform, from, to, cmsUInt32Number(count));
        return;
    }
    for (std::size_t i = 0; i < count; ++i, from += 4, to += 4) {
        const std::uint8_t alpha = from[3];
        std::memcpy(to, m_state->grays[from[0]].data(), 3);
        to[3] = alpha;
    }
}

#else

struct ScreenTransform::State {
    std::string name;
};

Result<ScreenTransform> ScreenTransform::create(std::span<const std::uint8_t>,
                                                std::span<const std::uint8_t>, Order) {
    return fail(ErrorCode::Unsupported, "colour profiles: this build has no Little CMS");
}

bool ScreenTransform::isIdentity() const {
    return true;
}

const std::string& ScreenTransform::name() const {
    return m_state->name;
}

void ScreenTransform::apply(const std::uint8_t* from, std::uint8_t* to, std::size_t count) const {
    std::memmove(to, from, 4 * count);
}

#endif

}  // namespace warpscope
