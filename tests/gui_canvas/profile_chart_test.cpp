// The profile along a line: read out by mouse and keys, copied, and as a chart.
#include <QChart>
#include <QClipboard>
#include <QGraphicsTextItem>
#include <QLineSeries>
#include <QToolButton>
#include <QValueAxis>
#include <cmath>

#include "gui/canvas/profile_chart.h"
#include "gui_canvas/canvas_fixture.h"
#include "gui_canvas/pictures.h"
#include "support/images.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

class ProfileChartTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void byTheMouse() {
        CanvasFixture f({700, 500});
        const Image source = noisyImage({80, 60}, 3), result = noisyImage({80, 60}, 4);
        f.show(pyramidOf(source), pyramidOf(result));
        f.press(Qt::Key_L);
        auto* chart = f.canvas.findChild<ProfileChart*>();
        QVERIFY(chart->isVisible());
        f.shot("profile_chart");
        // Both axes say what they are.
        QCOMPARE(chart->readout(), QStringLiteral("distance in pixels"));
        QCOMPARE(chart->valueTitle(), QStringLiteral("sample value"));
        const QLineF line = f.canvas.profileLine().value();
        QSignalSpy hovered(chart, &ProfileChart::hovered);
        QSignalSpy pixel(&f.canvas, &Canvas::cursorPixelChanged);
        const auto moveTo = [&](const QPoint& at) {
            QMouseEvent event(QEvent::MouseMove, at, chart->mapToGlobal(at), Qt::NoButton,
                              Qt::NoButton, {});
            QApplication::sendEvent(chart->viewport(), &event);
        };
        moveTo({chart->width() / 2, chart->height() / 2});
        QCOMPARE(hovered.size(), 1);
        const QPointF at = hovered.last()[0].toPointF();
        QVERIFY(at.x() > line.x1() && at.x() < line.x2());
        const QPoint under(int(std::floor(at.x())), int(std::floor(at.y())));
        QCOMPARE(pixel.last()[0].toPoint(), under);
        QVERIFY(
            chart->readout().contains(QStringLiteral("(%1, %2)").arg(under.x()).arg(under.y())));
        // Colours are switched on by clicks, luminance off.
        const auto toggle = [&](const char* letter) {
            for (QToolButton* button : chart->findChildren<QToolButton*>())
                if (button->text() == QLatin1String(letter))
                    QTest::mouseClick(button, Qt::LeftButton);
        };
        QVERIFY(!chart->readout().contains(QStringLiteral("G ")));
        toggle("G");
        toggle("L");
        moveTo({chart->width() / 2, chart->height() / 2});
        const auto values = source.view<std::uint8_t>();
        // The pixel that is named has that value.
        const QPointF now = hovered.last()[0].toPointF();
        const int shown = values.row(int(std::floor(now.y())))[int(std::floor(now.x())) * 4 + 1];
        QVERIFY2(chart->readout().contains(QStringLiteral("G %1 → ").arg(shown)),
                 qPrintable(chart->readout()));
        QVERIFY(!chart->readout().contains(QStringLiteral("L ")));
        f.shot("profile_chart_green");
        // All of them in the copy, at every point.
        toggle("Copy");
        const QStringList lines =
            QGuiApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), qsizetype(chart->first().values.size() + 1));
        QCOMPARE(lines[0], QStringLiteral("position,x,y,first_luma,first_red,first_green,"
                                          "first_blue,second_luma,second_red,second_green,"
                                          "second_blue"));
        const QStringList third = lines[3].split(QLatin1Char(','));
        const int x = int(std::floor(third[1].toDouble())), y = int(std::floor(line.y1()));
        QCOMPARE(third[5].toInt(), int(values.row(y)[x * 4 + 1]));
        QCOMPARE(third[9].toInt(), int(result.view<std::uint8_t>().row(y)[x * 4 + 1]));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("profile.csv"));
        QVERIFY(chart->save(file).has_value());
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(saved.readAll()), chart->csv());
        QVERIFY(!chart->save(folder.filePath(QStringLiteral("none/profile.csv"))).has_value());
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(chart, &leave);
        QVERIFY(!chart->readout().contains(QStringLiteral("px")));
    }

    void byTheKeys() {
        CanvasFixture f({700, 500});
        f.show(pyramidOf(noisyImage({80, 60}, 3)), pyramidOf(noisyImage({80, 60}, 4)));
        f.press(Qt::Key_L);
        auto* chart = f.canvas.findChild<ProfileChart*>();
        QSignalSpy hovered(chart, &ProfileChart::hovered);
        chart->setFocus(Qt::TabFocusReason);
        QTest::keyClick(chart, Qt::Key_Left);
        QCOMPARE(hovered.size(), 1);
        const QPointF middle = hovered.last()[0].toPointF();
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(hovered.last()[0].toPointF(), middle + QPointF(1, 0));
        QTest::keyClick(chart, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(hovered.last()[0].toPointF(), middle - QPointF(9, 0));
        for (int i = 0; i < 20; ++i) QTest::keyClick(chart, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(hovered.last()[0].toPointF(), f.canvas.profileLine()->p1());
        // Other keys are the picture's.
        QTest::keyClick(chart, Qt::Key_4);
        QCOMPARE(f.canvas.viewMode(), ViewMode::Wipe);
        f.canvas.setFocus();
        QVERIFY(!chart->readout().contains(QStringLiteral("px")));
    }

    // The picture under it is dragged as beside it.
    void letsTheMouseThrough() {
        CanvasFixture f({700, 500});
        f.show(pyramidOf(noisyImage({800, 600}, 3)), pyramidOf(noisyImage({800, 600}, 4)));
        f.canvas.setZoom(4, {350, 250});
        f.press(Qt::Key_L);
        f.press(Qt::Key_Escape);
        f.canvas.setProfileLine(QLineF(300.5, 300.5, 420.5, 300.5));
        auto* chart = f.canvas.findChild<ProfileChart*>();
        QVERIFY(chart->isVisible());
        const QPoint at = chart->plotArea().center().toPoint();
        const QPointF before = f.canvas.imagePosition({350, 250});
        QTest::mousePress(chart->viewport(), Qt::MiddleButton, {}, at);
        for (const QPoint& by : {QPoint(20, 4), QPoint(40, 8)}) {
            QMouseEvent move(QEvent::MouseMove, at + by, chart->viewport()->mapToGlobal(at + by),
                             Qt::NoButton, Qt::MiddleButton, {});
            QApplication::sendEvent(chart->viewport(), &move);
        }
        QTest::mouseRelease(chart->viewport(), Qt::MiddleButton, {}, at + QPoint(40, 8));
        QCOMPARE((before - f.canvas.imagePosition({350, 250})) * f.canvas.zoom() /
                     f.canvas.devicePixelRatioF(),
                 QPointF(40, 8));
    }

    // Series of Qt Charts whose points are replaced; nothing is cut, gaps stay gaps.
    void isAChart() {
        CanvasFixture f({700, 500});
        std::vector<double> values;
        for (int i = 0; i < 80 * 60; ++i) values.push_back(i % 80 == 30 ? std::nan("") : i % 80);
        const PyramidPtr broken = pyramidOf(makeImage(PixelFormat::GrayF32, {80, 60}, values));
        f.show(broken, pyramidOf(makeImage(PixelFormat::GrayF32, {80, 60},
                                           std::vector<double>(80 * 60, 1.0))));
        f.press(Qt::Key_L);
        auto* chart = f.canvas.findChild<ProfileChart*>();
        const auto axis = [&](Qt::Orientation orientation) {
            return qobject_cast<QValueAxis*>(chart->chart()->axes(orientation).constFirst());
        };
        QCOMPARE(axis(Qt::Horizontal)->titleText(), QStringLiteral("distance in pixels"));
        QCOMPARE(axis(Qt::Vertical)->titleText(), QStringLiteral("luminance"));
        QVERIFY(axis(Qt::Horizontal)->isTitleVisible());
        QCOMPARE(axis(Qt::Horizontal)->max(), f.canvas.profileLine()->length());
        QVERIFY(axis(Qt::Vertical)->min() < 0 && axis(Qt::Vertical)->max() > 79);
        const auto first = chart->series(false, 0);
        QCOMPARE(first.size(), std::size_t(2));
        QCOMPARE(first[0]->points().size(), 30);
        QCOMPARE(first[0]->at(29), QPointF(29, 29));
        QCOMPARE(first[1]->at(0), QPointF(31, 31));
        const auto second = chart->series(true, 0);
        QCOMPARE(second.size(), std::size_t(1));
        f.canvas.setResult(pyramidOf(
            makeImage(PixelFormat::GrayF32, {80, 60}, std::vector<double>(80 * 60, 5.0))));
        QCOMPARE(chart->series(true, 0), second);
        QCOMPARE(second[0]->at(7).y(), 5.0);
        // No label or title is shortened.
        QStringList texts;
        for (const QGraphicsItem* item : chart->scene()->items())
            if (const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item))
                if (text->isVisible()) texts << text->toPlainText();
        QVERIFY2(texts.contains(QStringLiteral("luminance")) && texts.size() > 6,
                 qPrintable(texts.join(u'|')));
        QVERIFY2(!texts.join(u'|').contains(QStringLiteral("...")), qPrintable(texts.join(u'|')));
    }

    // Of more values than there are columns the extremes are drawn, and no more.
    void ofALongLine() {
        CanvasFixture f({500, 400});
        std::vector<double> values(4000 * 3, 100);
        values[4000 + 1234] = 250;
        values[4000 + 2345] = 3;
        const PyramidPtr image = pyramidOf(makeImage(PixelFormat::Gray8, {4000, 3}, values));
        f.show(image, image);
        f.press(Qt::Key_L);
        f.canvas.setProfileLine(QLineF(0.5, 1.5, 3999.5, 1.5));
        auto* chart = f.canvas.findChild<ProfileChart*>();
        const auto series = chart->series(true, 0);
        QCOMPARE(series.size(), std::size_t(1));
        QVERIFY(double(series[0]->points().size()) <=
                2.2 * chart->plotArea().width() * f.canvas.devicePixelRatioF());
        QVERIFY(series[0]->points().contains(QPointF(1234, 250)));
        QVERIFY(series[0]->points().contains(QPointF(2345, 3)));
    }

    void followsTheTheme() {
        CanvasFixture f({700, 500});
        f.show(pyramidOf(noisyImage({80, 60}, 3)), pyramidOf(noisyImage({80, 60}, 4)));
        f.press(Qt::Key_L);
        auto* chart = f.canvas.findChild<ProfileChart*>();
        const auto corner = [&] { return qGray(chart->grab().toImage().pixel(4, 60)); };
        Theme::instance().setChoice(ThemeChoice::Light);
        QTRY_VERIFY(corner() > 180);
        f.shot("profile_light");
        Theme::instance().setChoice(ThemeChoice::Dark);
        QTRY_VERIFY(corner() < 90);
        QCOMPARE(chart->series(true, 0)[0]->pen().color(), Theme::instance().colors().text);
    }

    void grayHasNothingToSwitch() {
        CanvasFixture f({700, 500});
        const Image gray = makeImage<std::uint8_t>(
            PixelFormat::Gray8, {80, 60}, [](int x, int y, int) { return std::uint8_t(x + y); });
        f.show(pyramidOf(gray), pyramidOf(gray));
        f.press(Qt::Key_L);
        auto* chart = f.canvas.findChild<ProfileChart*>();
        int switches = 0;
        for (QToolButton* button : chart->findChildren<QToolButton*>())
            switches += button->isCheckable() && button->isVisible();
        QCOMPARE(switches, 0);
        QCOMPARE(chart->valueTitle(), QStringLiteral("luminance"));
        QVERIFY(chart->csv().startsWith(QStringLiteral("position,x,y,first_luma,second_luma\n")));
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ProfileChartTest)
#include "profile_chart_test.moc"
