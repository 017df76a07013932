// Canny on the GPU where edges are long: weak ones that wind through many tiles, strong at one end
// or nowhere.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

// Lines this far apart do not touch each other's edges.
constexpr int kApart = 6;

class Lines {
  public:
    explicit Lines(Size size) : m_size(size), m_samples(std::size_t(size.pixels()), 0.0) {}

    bool inside(int x, int y) const {
        return x >= kApart && y >= kApart && x < m_size.width - kApart &&
               y < m_size.height - kApart;
    }
    void draw(int x, int y, double level = 40) {
        if (inside(x, y)) m_samples[std::size_t(y) * unsigned(m_size.width) + unsigned(x)] = level;
    }
    // From there on to (x, y), a pixel of which is drawn each step along the longer side.
    void drawTo(int fromX, int fromY, int x, int y) {
        const int steps = std::max({std::abs(x - fromX), std::abs(y - fromY), 1});
        for (int i = 0; i <= steps; ++i)
            draw(fromX + (x - fromX) * i / steps, fromY + (y - fromY) * i / steps);
    }
    Image image() const { return makeImage(PixelFormat::Gray8, m_size, m_samples); }

  private:
    Size m_size;
    std::vector<double> m_samples;
};

Lines spiral(Size size) {
    Lines lines(size);
    int left = kApart, top = kApart, right = size.width - kApart - 1,
        bottom = size.height - kApart - 1;
    int fromX = left, fromY = top;
    while (left < right && top < bottom) {
        lines.drawTo(fromX, fromY, right, fromY);
        lines.drawTo(right, top, right, bottom);
        lines.drawTo(right, bottom, left, bottom);
        fromX = left, fromY = top + kApart;
        lines.drawTo(left, bottom, left, fromY);
        left += kApart, top += kApart, right -= kApart, bottom -= kApart;
    }
    return lines;
}

// Up and down, or to and fro; `slant`: how far a line's end is beside its beginning.
Lines snake(Size size, bool columns, int slant) {
    Lines lines(size);
    const int length = columns ? size.height : size.width,
              across = columns ? size.width : size.height;
    const int first = kApart, last = length - kApart - 1;
    const auto draw = [&](int along, int at, int toAlong, int toAt) {
        columns ? lines.drawTo(at, along, toAt, toAlong) : lines.drawTo(along, at, toAlong, toAt);
    };
    for (int at = kApart, turn = 0; at < across - kApart; at += kApart, ++turn) {
        draw(first, at, last, at + slant);
        const int end = turn % 2 ? first : last, beside = turn % 2 ? 0 : slant;
        draw(end, at + beside, end, at + beside + kApart);
    }
    return lines;
}

Lines comb(Size size) {
    Lines lines(size);
    for (int x = kApart; x < size.width; x += kApart)
        lines.drawTo(x, kApart, x, size.height - kApart - 1);
    lines.drawTo(kApart, size.height / 2, size.width - kApart - 1, size.height / 2);
    return lines;
}

}  // namespace

class CannyTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    void longEdges_data() { addDeviceRows(); }
    void longEdges() {
        KernelRun device(deviceOfRow(m_traits));
        const Operation& canny = *findOperation("canny");
        for (const Size size : {Size{701, 517}, Size{1604, 1203}})
            for (Lines lines : {spiral(size), snake(size, true, 0), snake(size, false, 0),
                                snake(size, true, kApart * 40), comb(size)})
                for (const bool strong : {false, true}) {
                    if (strong) lines.draw(kApart, kApart, 250);
                    const Image image = lines.image();
                    const PlanPtr plan =
                        planFor(canny, {{"low", "30"}, {"high", "300"}}, PixelFormat::Gray8, size);
                    const Image expected = runPlan(*plan, image, Threading::AllCores);
                    REQUIRE_SAME(test::firstDifference(expected, device.run(*plan, image)));
                }
    }

    // Anything next to anything, weak for the most part.
    void noise_data() { addDeviceRows(); }
    void noise() {
        KernelRun device(deviceOfRow(m_traits));
        std::mt19937 random(freshSeed());
        for (int trial = 0; trial < 40; ++trial) {
            // Every fifth has more tiles than one block each makes.
            const Size size = trial % 5
                                  ? Size{1 + int(random() % 700), 1 + int(random() % 400)}
                                  : Size{1100 + int(random() % 300), 1000 + int(random() % 300)};
            const PixelFormat format = kIntegerFormats[random() % std::size(kIntegerFormats)];
            const int low = int(random() % 500), high = low + int(random() % 800);
            const PlanPtr plan = planFor(
                *findOperation("canny"),
                {{"low", std::to_string(low)}, {"high", std::to_string(high)}}, format, size);
            const Image image = makeNoise(format, size, random());
            REQUIRE_SAME(test::firstDifference(runPlan(*plan, image, Threading::AllCores),
                                               device.run(*plan, image)));
        }
    }
};

WARPSCOPE_TEST(CannyTest)
#include "canny_test.moc"
