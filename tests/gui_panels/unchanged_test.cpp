// What is told again and is the same costs nothing: a slider tells most of the window with each
// tick.
#include <QChart>
#include <QValueAxis>
#include <QtTest>

#include "gui/histogram/histogram_view.h"
#include "gui/inspector/statistics_table.h"
#include "gui/timings/timing_card_view.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"
#include "gui_panels/panel_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::cpuRow;

namespace {

class PaintCounter : public QObject {
  public:
    explicit PaintCounter(QWidget& widget) { widget.installEventFilter(this); }
    int paints = 0;

  protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++paints;
        return false;
    }
};

}  // namespace

class UnchangedTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void aLabelIsPaintedForAnotherTextToneOrColor() {
        WrapLabel label;
        label.resize(300, 60);
        label.setText(QStringLiteral("one\ntwo"), Tone::Weak);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        QCoreApplication::processEvents();
        PaintCounter counter(label);
        const auto painted = [&] {
            QCoreApplication::processEvents();
            return std::exchange(counter.paints, 0);
        };
        label.setText(QStringLiteral("one\ntwo"), Tone::Weak);
        QCOMPARE(painted(), 0);
        label.setText(QStringLiteral("one\nthree"), Tone::Weak);
        QCOMPARE(painted(), 1);
        label.setText(QStringLiteral("one\nthree"), Tone::Error);
        QCOMPARE(painted(), 1);
        for (const QColor& color : {QColor(Qt::red), QColor(Qt::blue)}) {
            label.setPieces({{QStringLiteral("dot"), Tone::Fixed, color}});
            QCOMPARE(painted(), 1);
        }
        Theme::instance().setChoice(ThemeChoice::Light);
        QVERIFY(painted() >= 1);
        Theme::instance().setChoice(ThemeChoice::Dark);
    }

    void aCardIsMadeForOtherFigures() {
        TimingCardView view;
        const auto card = [](double ms) {
            return buildTimingCard({cpuRow(0, true, 40), cpuRow(0, false, ms)}, false, {});
        };
        view.setCard(card(4));
        const QStringList shown = view.texts();
        const QPointer<QWidget> page = view.widget();
        QVERIFY(page);
        view.setCard(card(4));
        QCOMPARE(view.widget(), page.data());
        view.setCard(card(5));
        QVERIFY(view.widget() != page.data());
        QVERIFY(view.texts() != shown);
        // From a notice back to the same card.
        view.setNotice(QStringLiteral("none"));
        view.setCard(card(4));
        QCOMPARE(view.texts(), shown);
    }

    // A table measures all of its cells each time that it is told of some.
    void aTableIsToldOfOtherFiguresOnce() {
        StatisticsTable table;
        SideStatistics source, result;
        for (SideStatistics* side : {&source, &result}) {
            side->format = PixelFormat::Rgba8;
            side->channels.assign(3, {.minimum = 1, .maximum = 250, .mean = 40.5, .count = 99});
        }
        table.resize(300, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.setStatistics(source, result);
        const QFont font = table.item(0, 0)->font();
        QVERIFY(font != Theme::instance().figureFont());
        int told = 0;
        connect(table.model(), &QAbstractItemModel::dataChanged, this, [&] { ++told; });
        result.channels[1].mean = 41.25;
        result.channels[2].maximum = 249;
        table.setStatistics(source, result);
        QCOMPARE(told, 1);
        QCOMPARE(table.item(4, 2)->text(), QStringLiteral("41.25"));
        for (int row = 0; row < table.rowCount(); ++row)
            for (int column = 0; column < table.columnCount(); ++column)
                QCOMPARE(table.item(row, column)->font(), font);
    }

    // The chart lays a curve out for each axis that changes as well as for its points.
    void curvesAreLaidOutOnce() {
        HistogramSet set = test::colorSet();
        HistogramModel model;
        HistogramView view{model};
        view.resize(600, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        model.setData(&set, 255, &set, 255);
        view.refresh();
        const auto points = [&] {
            int sum = 0;
            for (const HistogramSide side : {HistogramSide::Source, HistogramSide::Result})
                for (const HistogramChannel channel : kAllHistogramChannels)
                    sum += int(view.series(side, channel)->count() +
                               view.cumulativeSeries(side, channel)->count());
            return sum;
        };
        QCOMPARE(points(), 8 * 514);
        int changes = 0, pointsThen = 0;
        const auto axes = view.chart()->axes();
        for (QAbstractAxis* axis : axes)
            connect(static_cast<QValueAxis*>(axis), &QValueAxis::rangeChanged, this, [&] {
                ++changes;
                pointsThen += points();
            });
        for (Histogram& channel : set.channels) channel.bins[9] = 4000;
        model.setData(&set, 255, &set, 255);
        view.refresh();
        QVERIFY(changes > 0);
        QCOMPARE(pointsThen, 0);
        QCOMPARE(points(), 8 * 514);
        // Those that are hidden have none.
        HistogramOptions options;
        options.source = false;
        view.setOptions(options);
        QCOMPARE(points(), 4 * 514);
        options.source = true;
        view.setOptions(options);
        QCOMPARE(points(), 8 * 514);
    }
};

WARPSCOPE_TEST(UnchangedTest)
#include "unchanged_test.moc"
