// What leaves the histogram: counts as text and CSV, pictures, and the menu that offers them.
#include "gui/histogram/histogram_export.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTimer>

#include "gui/display/display_settings.h"
#include "gui/document/settings.h"
#include "gui/widgets/theme.h"
#include "gui_panels/histogram_fixture.h"
#include "gui_panels/panel_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::colorSet;
using test::graySet;
using test::ramp;

namespace {
QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
}  // namespace

class HistogramExportTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void exportsCsv() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        QTemporaryDir folder;
        const QString path = folder.filePath("counts.csv");
        QSignalSpy told(&f.panel, &HistogramPanel::exported);
        QVERIFY(f.panel.exportTo(path));
        QCOMPARE(told.value(0).value(0).toString(), path);
        const QList<QByteArray> lines = contents(path).split('\n');
        QCOMPARE(lines.size(), qsizetype(258));
        QCOMPARE(lines[0],
                 QByteArray("bin,source_value,source_luma,source_red,source_green,source_blue,"
                            "result_value,result_luma,result_red,result_green,result_blue,image"));
        const HistogramSet& set = f.bridge.histograms()->result;
        QByteArray counts;
        for (const Histogram& histogram : set.channels)
            counts += ',' + QByteArray::number(qulonglong(histogram.bins[93]));
        QCOMPARE(lines[94], "93,93" + counts + ",93" + counts + ",\"scene\"");
        // Of a part of it, too.
        f.document.setRegion(Rect{10, 20, 30, 40});
        QVERIFY(waitedFor([&] { return f.bridge.histogramsAreCurrent(); }));
        QVERIFY(f.panel.exportTo(path));
        QVERIFY(contents(path).split('\n')[94].endsWith(",\"scene, region 30 × 40 at (10, 20)\""));
    }

    void exportsPictures() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        QTemporaryDir folder;
        QVERIFY(f.panel.exportTo(folder.filePath("picture.png")));
        const QImage png(folder.filePath("picture.png"));
        QCOMPARE(png.size(), QSize(1920, 1080));
        QVERIFY(f.panel.exportTo(folder.filePath("drawing.SVG")));
        QSvgRenderer svg(folder.filePath("drawing.SVG"));
        QVERIFY(svg.isValid());
        QCOMPARE(svg.viewBox(), QRect(0, 0, 960, 540));
        const QByteArray text = contents(folder.filePath("drawing.SVG"));
        QVERIFY(text.contains("(BT.601)"));
        // Whose it is, and what the colours mean; light, whatever the window is.
        QVERIFY(text.contains("Histogram of " + f.document.title().toUtf8()));
        for (const char* word : {"luminance", "red", "outline: source"})
            QVERIFY(text.contains(word));
        QVERIFY(Theme::instance().choice() == ThemeChoice::Dark);
        QVERIFY(png.pixelColor(4, 500).lightness() > 200);
        // Both have curves in them, not only a background.
        QImage drawn(960, 540, QImage::Format_RGB32);
        QPainter painter(&drawn);
        svg.render(&painter);
        painter.end();
        for (const QImage& picture : {png.scaled(960, 540), drawn}) {
            int colorful = 0;
            for (int y = 0; y < 540; y += 2)
                for (int x = 0; x < 960; x += 2)
                    colorful += picture.pixelColor(x, y).saturation() > 80;
            QVERIFY2(colorful > 500, qPrintable(QString::number(colorful)));
        }
    }

    // Where others were opened or saved last, and where it was saved they are from then on.
    void theDialogOpensInTheFolderUsedLast() {
        QTemporaryDir folder, other;
        Settings settings{QString()};
        settings.setLastFolder(folder.path());
        HistogramFixture f;
        f.panel.setSettings(settings);
        QVERIFY(f.openScene());
        QString opened;
        QTimer::singleShot(0, &f.panel, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            opened = dialog->directory().absolutePath();
            QTest::keyClick(dialog, Qt::Key_Escape);
        });
        f.trigger("saveCsv");
        QCOMPARE(opened, folder.path());
        QVERIFY(f.panel.exportTo(other.filePath("a.csv")));
        QCOMPARE(settings.lastFolder(), other.path());
    }

    void theMenuOffersWhatChangesSomething() {
        DisplaySettings display;
        HistogramFixture f;
        f.panel.setDisplay(display);
        QVERIFY(f.openScene());
        const auto offered = [&] {
            QMenu* menu = f.button("histogramMenu").menu();
            emit menu->aboutToShow();
            QStringList names;
            for (const QAction* action : menu->actions())
                if (action->isEnabled() && action->objectName().contains("oom"))
                    names << action->objectName();
            return names;
        };
        QVERIFY(!offered().contains("zoomToSelection"));
        QVERIFY(!offered().contains("resetZoom"));
        QVERIFY(!offered().contains("zoomToAll"));
        f.view().setFocus();
        for (const int key : {Qt::Key_Right, Qt::Key_Right})
            QTest::keyClick(&f.view(), Qt::Key(key), Qt::ShiftModifier);
        QVERIFY(f.view().selection());
        QVERIFY(offered().contains("zoomToSelection"));
        f.trigger("zoomToSelection");
        QVERIFY(offered().contains("resetZoom") && offered().contains("zoomToAll"));
        f.trigger("resetZoom");
        QVERIFY(!offered().contains("resetZoom"));
    }

    void theFileIsNamedAfterTheImage() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        for (const char* kind : {"csv", "png", "svg"}) {
            QString offered;
            QTimer::singleShot(0, &f.panel, [&] {
                auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                if (!dialog) return;
                offered = QFileInfo(dialog->selectedFiles().value(0)).fileName();
                QTest::keyClick(dialog, Qt::Key_Escape);
            });
            const QString name = QLatin1String(kind);
            f.trigger(qPrintable(QStringLiteral("save%1%2").arg(name[0].toUpper(), name.mid(1))));
            QCOMPARE(offered, QStringLiteral("scene-histogram.") + name);
        }
    }

    void failedExportIsShown() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        QSignalSpy spy(&f.panel, &HistogramPanel::messageRaised);
        QTemporaryDir folder;
        QVERIFY(!f.panel.exportTo(folder.filePath("no/such/folder/a.csv")));
        QCOMPARE(spy.count(), 1);
        const QString shown = f.label("histogramCaption");
        QVERIFY2(shown.contains("a.csv"), qPrintable(shown));
        QCOMPARE(spy.last().at(0).toString(), shown);
        QVERIFY(!f.panel.exportTo(folder.filePath("a.bmp")));
        QVERIFY(f.label("histogramCaption").contains(".png, .svg or .csv"));
        QVERIFY(f.panel.exportTo(folder.filePath("a.csv")));
        QVERIFY(f.label("histogramCaption").startsWith("256 bins"));
        // Another image takes an old failure away.
        QVERIFY(!f.panel.exportTo(folder.filePath("a.bmp")));
        f.bridge.openImage(makeScene({64, 64}, true, 9, CpuContext{}).value(), "other");
        QTRY_VERIFY(f.label("histogramCaption").startsWith("256 bins, 4,096 pixels"));
    }

    void copies() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        f.trigger("copyCounts");
        QCOMPARE(QApplication::clipboard()->text(),
                 histogramCsv(&f.bridge.histograms()->source, &f.bridge.histograms()->result,
                              QStringLiteral("scene")));
        f.trigger("copyPicture");
        QCOMPARE(QApplication::clipboard()->image().size(), QSize(1920, 1080));
    }

    void csvIsExact() {
        std::vector<std::uint64_t> a{1, 2, 3}, b{4, 5, 6};
        HistogramSet source = graySet(a), result = graySet(b);
        QCOMPARE(histogramCsv(&source, &result),
                 QString("bin,source_value,source_luma,result_value,result_luma\n"
                         "0,0,1,0,4\n1,1,2,1,5\n2,2,3,2,6\n"));
        HistogramSet real = graySet({7, 8}, PixelFormat::GrayF32);
        real.low = 0;
        real.high = 1;
        QCOMPARE(histogramCsv(nullptr, &real),
                 QString("bin,result_value,result_luma\n0,0,7\n1,0.5,8\n"));
        // Fewer bins on one side leave cells empty.
        QCOMPARE(histogramCsv(&source, &real),
                 QString("bin,source_value,source_luma,result_value,result_luma\n"
                         "0,0,1,0,7\n1,1,2,0.5,8\n2,2,3,,\n"));
        const HistogramSet color = colorSet();
        const QString csv = histogramCsv(nullptr, &color);
        QVERIFY(csv.startsWith(
            "bin,result_value,result_luma,result_red,result_green,result_blue\n0,0,0,13,26,39\n"));
        QCOMPARE(csv.count('\n'), qsizetype(257));
        // A name with whatever a name may have.
        QCOMPARE(histogramCsv(nullptr, &source, QStringLiteral("a, \"b\".png")),
                 QString("bin,result_value,result_luma,image\n0,0,1,\"a, \"\"b\"\".png\"\n"
                         "1,1,2,\"a, \"\"b\"\".png\"\n2,2,3,\"a, \"\"b\"\".png\"\n"));
    }

    void csvOfSixteenBitsIsNotGrouped() {
        const HistogramSet set = graySet(ramp(65536), PixelFormat::Gray16);
        const QString csv = histogramCsv(nullptr, &set);
        QCOMPARE(csv.count('\n'), qsizetype(65537));
        QVERIFY(csv.endsWith(QString("\n65535,65535,%1\n").arg(65535 % 7)));
    }
};

WARPSCOPE_TEST(HistogramExportTest)
#include "histogram_export_test.moc"
