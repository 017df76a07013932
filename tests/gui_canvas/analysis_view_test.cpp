// The analysis part of the inspector, over a real document and worker.
#include "gui/inspector/analysis_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>

#include "gui_canvas/pictures.h"
#include "support/test_case.h"

namespace warpscope::gui {

class AnalysisViewTest : public QObject {
    Q_OBJECT

    struct Desk {
        Desk()
            : bridge(document, [] { return BackendSet::cpuOnly("not used in this test"); }),
              view(bridge) {
            document.insertStep(0, *makeStep("invert"));
            view.resize(400, 600);
            view.show();
        }
        // The cell of a row whose head begins with `head`.
        QString text(const QString& head, int column) const {
            const auto& table = *view.findChild<QTableWidget*>();
            for (int row = 0; row < table.rowCount(); ++row)
                if (table.verticalHeaderItem(row)->text().startsWith(head))
                    return table.item(row, column) ? table.item(row, column)->text() : QString();
            return {};
        }
        void choose(const char* id) {
            auto* choice = view.findChild<QComboBox*>();
            const int index = choice->findData(QString::fromLatin1(id));
            choice->setCurrentIndex(index);
            emit choice->activated(index);
        }
        Document document;
        EngineBridge bridge;
        AnalysisView view;
    };

  private slots:
    void sourceAndResult() {
        Desk desk;
        const auto sample = [](int x, int y, int) { return std::uint8_t(10 * y + x); };
        desk.document.setSource(
            test::pyramidOf(test::makeImage<std::uint8_t>(PixelFormat::Gray8, {10, 5}, sample)), {},
            QStringLiteral("test"));
        QTRY_VERIFY(desk.bridge.resultIsCurrent());
        QVERIFY(!desk.bridge.analysis());
        QVERIFY(!desk.view.findChild<QTableWidget*>()->isVisible());
        desk.choose("statistics");
        QTRY_VERIFY(desk.bridge.analysisIsCurrent());
        QVERIFY(desk.view.findChild<QTableWidget*>()->isVisible());
        QCOMPARE(desk.text("Image", 0), QStringLiteral("source"));
        QCOMPARE(desk.text("Image", 1), QStringLiteral("result"));
        QCOMPARE(desk.text("Pixels", 0), QStringLiteral("50"));
        QCOMPARE(desk.text("Median", 0), QStringLiteral("24"));
        QCOMPARE(desk.text("Median", 1), QStringLiteral("230"));
        QCOMPARE(desk.text("Mean", 0), QStringLiteral("24.5"));
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) desk.view.grab().save(QDir(folder).filePath("analysis_view.png"));

        desk.view.findChild<QPushButton*>()->click();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QVERIFY(lines[0].startsWith(QLatin1String("image,channel,pixels,")));
        QVERIFY(lines[1].startsWith(QLatin1String("source,gray,50,0,0,0,")));
        QVERIFY(lines[2].startsWith(QLatin1String("result,gray,50,0,0,206,")));

        // The region, and another chain.
        desk.document.setRegion(Rect{0, 0, 10, 1});
        QTRY_COMPARE(desk.text("Pixels", 0), QStringLiteral("10"));
        QCOMPARE(desk.text("Maximum", 0), QStringLiteral("9"));
        desk.document.removeStep(0);
        QTRY_COMPARE(desk.text("Maximum", 1), QStringLiteral("9"));
    }

    // Black at one corner; nothing is black when it is inverted.
    void componentsOfBoth() {
        Desk desk;
        const auto sample = [](int x, int y, int) { return std::uint8_t(10 * y + x); };
        desk.document.setSource(
            test::pyramidOf(test::makeImage<std::uint8_t>(PixelFormat::Gray8, {10, 5}, sample)), {},
            QStringLiteral("test"));
        desk.choose("components");
        QTRY_VERIFY(desk.bridge.analysisIsCurrent());
        QCOMPARE(desk.text("Area", 0), QStringLiteral("49"));
        QCOMPARE(desk.text("Area", 1), QStringLiteral("50"));
        QCOMPARE(desk.text("Centroid X", 1), QStringLiteral("4.5"));
        QCOMPARE(desk.text("Mean", 0), QStringLiteral("25"));
        desk.document.setRegion(Rect{0, 0, 10, 1});
        QTRY_COMPARE(desk.text("Area", 0), QStringLiteral("9"));
        QCOMPARE(desk.text("X", 0), QStringLiteral("1"));
    }

    void noneTakesItAway() {
        Desk desk;
        desk.document.setSource(test::pyramidOf(test::plainImage({8, 8}, 10, 20, 30)), {},
                                QStringLiteral("test"));
        desk.choose("statistics");
        QTRY_VERIFY(desk.bridge.analysisIsCurrent());
        QCOMPARE(desk.text("Median", 2), QStringLiteral("20"));
        auto* choice = desk.view.findChild<QComboBox*>();
        QVERIFY(choice->findData(QStringLiteral("histogram")) < 0);
        QVERIFY(choice->findData(QStringLiteral("invert")) < 0);
        choice->setCurrentIndex(0);
        emit choice->activated(0);
        QVERIFY(!desk.bridge.analysis());
        QVERIFY(!desk.view.findChild<QTableWidget*>()->isVisible());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::AnalysisViewTest)
#include "analysis_view_test.moc"
