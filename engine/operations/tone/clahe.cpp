#include "engine/operations/tone/clahe.h"

namespace warpscope {
namespace {

OperationDescription describe() {
    const NumberSpec tiles{.hardMin = 1, .hardMax = kMostClaheTiles, .sliderMax = 16};
    return {
        .id = "clahe",
        .label = "Local equalization (CLAHE)",
        .category = "Tone",
        .summary = "Equalizes tile by tile, with limited contrast",
        .help =
            "Equalizes the histogram of each tile and goes over smoothly from tile to tile, so "
            "that detail comes out in dark and bright parts alike: X-rays, microscopy, haze. The "
            "clip limit keeps noise of even areas from growing; higher gives more contrast, 0 "
            "limits nothing. Alpha passes unchanged.",
        .formula =
            "L = 256 (65,536 for 16 bits). Where a side does not divide by its tiles, both grow by "
            "tiles - side mod tiles, mirrored without the edge pixel; area is that of a tile.\n"
            "Per tile: counts above max(1, floor(clip area / L)) are cut; what is cut is spread "
            "evenly, the rest of it one by one to levels max(1, L / rest) apart from 0 on. "
            "t(k) = (L-1) C(k) / area, C cumulative, rounded half to even.\n"
            "Position x / tile width - 0.5, y alike; between the tables of the four tiles around "
            "it "
            "bilinear with weights of 16 bits, rounded half up; tiles beyond the edge are those at "
            "it.\n"
            "Luma on colour: R' = min(L-1, (2 R t + Y) / (2 Y)), G and B alike; where Y = 0 the "
            "pixel is unchanged. Y is BT.601 luma.",
        .source =
            "K. Zuiderveld, Contrast limited adaptive histogram equalization, Graphics Gems "
            "IV, 1994; details as in OpenCV",
        .parameters =
            {numberParameter("tiles_x", "Tiles across", 8, tiles, "Columns of tiles"),
             numberParameter("tiles_y", "Tiles down", 8, tiles, "Rows of tiles"),
             numberParameter("clip", "Clip limit", 2.0,
                             {.hardMax = 40, .sliderMax = 10, .step = 0.1},
                             "How much steeper than the mean a table may be; 0: not limited"),
             choiceParameter(
                 "channels", "Channels",
                 {{"luma", "Luma",
                   "Tables of luma; red, green and blue are scaled together, so that hues stay "
                   "until a channel reaches white"},
                  {"each", "Each channel",
                   "Tables for each of red, green and blue: also removes colour casts, shifts "
                   "hues"}},
                 "What is equalized in a colour image; a gray image has only one channel")},
        .variants = {automaticVariant(
            "Counts every tile, then looks each pixel up in four tables. On the CPU four look-ups "
            "of 8 bits are byte permutes of AVX-512; without these the tables are put together row "
            "by row, so that two look-ups do")},
        .dependsOnWholeImage = true,
        .hasTablesOfImage = true};
}

// Counting: luma (see grayscale) and an addition for each table. Mapping: luma, four look-ups and
// three products with sums for each table, and for colour by luma a product, a sum, a division and
// a limit for each colour.
double workOf(const ClahePlan& plan) {
    const double tables = plan.byLuma() ? plan.pixels() : plan.colorSamples();
    const double luma = plan.byLuma() ? 6 * plan.pixels() : 0;
    const double counting = plan.counts() ? luma + tables : 0;
    return counting + luma + tables * (4 + 6) + (plan.byLuma() ? 4 * plan.colorSamples() : 0);
}

Result<void> completePlan(const PlanRequest& request, ClahePlan& plan) {
    plan.fillsRange = true;
    plan.columns = int(request.parameters.integer("tiles_x"));
    plan.rows = int(request.parameters.integer("tiles_y"));
    plan.clip = request.parameters.real("clip");
    plan.channels =
        request.parameters.choice("channels") == "each" ? ClaheChannels::Each : ClaheChannels::Luma;
    plan.guessedMsPerMegapixel = isColor(plan.input) ? 6 : 2.5;
    plan.work = workOf(plan);
    return {};
}

class Clahe final : public OperationOf<ClahePlan> {
  public:
    Clahe() : OperationOf(describe(), completePlan, runClaheCpu) {}

    Result<PlanPtr> freeze(const PlanRequest& request, const Image& whole,
                           const CpuContext&) const override {
        if (whole.isNull() || whole.format() != request.format)
            return fail(ErrorCode::InvalidArgument,
                        "clahe takes its tables from an image of the format that it is run on");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        (*plan)->whole = whole;
        (*plan)->work = workOf(**plan);
        return std::move(*plan);
    }

    bool hasTables(const Plan& plan) const override {
        const auto& own = static_cast<const ClahePlan&>(plan);
        const int bytes = bytesPerSample(own.input);
        const double entries = double(std::uint64_t(1) << (8 * bytes)) * own.counted().count() *
                               (isColor(own.input) && !own.byLuma() ? 3 : 1);
        return entries * bytes <= own.pixels() * bytesPerPixel(own.input) / 8;
    }

    Result<PlanPtr> takeTables(const PlanRequest& request, const Image& whole,
                               const CpuContext& context) const override {
        if (whole.isNull() || whole.format() != request.format)
            return fail(ErrorCode::InvalidArgument,
                        "clahe takes its tables from an image of the format that it is run on");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        const auto take = [&](auto made, auto& taken) -> Result<PlanPtr> {
            if (!made) return fail(made.error());
            using Tables = std::remove_cvref_t<decltype(*made)>;
            taken = std::make_shared<const Tables>(std::move(*made));
            (*plan)->work = workOf(**plan);
            return std::move(*plan);
        };
        if (bytesPerSample(whole.format()) == 1)
            return take(claheTablesCpu<std::uint8_t>(**plan, whole, context), (*plan)->taken);
        return take(claheTablesCpu<std::uint16_t>(**plan, whole, context), (*plan)->taken16);
    }

    Result<PlanPtr> withTables(const PlanRequest& request, const Plan& taken) const override {
        const auto& own = static_cast<const ClahePlan&>(taken);
        if (!own.hasTables()) return fail(ErrorCode::Unsupported, "a plan of clahe without tables");
        auto plan = makePlan(request, completePlan);
        if (!plan) return fail(plan.error());
        (*plan)->taken = own.taken;
        (*plan)->taken16 = own.taken16;
        (*plan)->work = workOf(**plan);
        return std::move(*plan);
    }
};

}  // namespace

const Operation& clahe_operation() {
    static const Clahe operation;
    return operation;
}

}  // namespace warpscope
