// The table of objects in the real window, by clicks and keys. Truth: the engine's analysis of what
// the steps before give, and the labels in the picture.
#include <QAbstractButton>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <cmath>

#include "engine/operations/morphology/components.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/executor.h"
#include "engine/report/analysis_text.h"
#include "gui/display/result_place.h"
#include "gui/inspector/pinned_list.h"
#include "gui/objects/objects_panel.h"
#include "gui/widgets/theme.h"
#include "gui/window_fixture.h"
#include "support/images.h"
#include "support/random_seed.h"
#include "support/test_case.h"

namespace warpscope::gui {
namespace {

// Small enough for some units of the screen a pixel.
constexpr Size kSize{97, 73};

// Bars of any values on black, some of which touch; nothing lies in the margin.
Image blobs(PixelFormat format, Size size, int count, int largest, int margin = 0) {
    QRandomGenerator& random = *test::freshRandom();
    std::vector<double> samples(std::size_t(size.width) * std::size_t(size.height));
    const int white = format == PixelFormat::Gray16 ? 65535 : 255;
    for (int i = 0; i < count; ++i) {
        const int width = random.bounded(2, largest), height = random.bounded(2, largest);
        const int left = margin + random.bounded(size.width - width - 2 * margin);
        const int top = margin + random.bounded(size.height - height - 2 * margin);
        for (int y = top; y < top + height; ++y)
            for (int x = left; x < left + width; ++x)
                samples[std::size_t(y * size.width + x)] = random.bounded(1, white + 1);
    }
    return test::makeImage(format, size, samples);
}

AnalysisTable tableOf(const Image& image, const Image& source, const ParamSet& parameters) {
    PlanRequest request;
    request.parameters = parameters;
    request.format = image.format();
    request.size = image.size();
    const auto plan = planComponents(request, source);
    Executor executor(BackendSet::cpuOnly({}), 0);
    const auto found = executor.analyze(image, plan.value(), BackendChoice::CpuSingle, {});
    return std::get<AnalysisTable>(found.value().found);
}

struct ObjectsWindow : WindowFixture {
    QDockWidget* dock = window.findChild<QDockWidget*>(QStringLiteral("objectsDock"));
    ObjectsPanel& panel = *window.findChild<ObjectsPanel*>();
    QTableView& table = panel.table();
    int files = 0;

    // Those steps, separated by blanks; then the one that numbers.
    bool begin(const Image& image, const QString& before = {}, const char* step = nullptr) {
        const QString path =
            QDir(folder.path()).filePath(QStringLiteral("bars%1.png").arg(++files));
        if (!saveImage(image, path.toStdString())) return false;
        Pipeline pipeline;
        for (const QString& one : before.split(QLatin1Char(' '), Qt::SkipEmptyParts))
            pipeline.steps.push_back(parseStep(one.toStdString()).value());
        pipeline.steps.push_back(parseStep(step ? step : "connected_components").value());
        document().replacePipeline(pipeline, QStringLiteral("test"));
        document().setCurrentStep(int(pipeline.steps.size()) - 1);
        return open(path);
    }
    bool openTable() {
        QTest::mouseClick(named<QAbstractButton>("objectsOfStep"), Qt::LeftButton);
        return waitedFor([&] { return !dock->isHidden() && panel.isCurrent(); });
    }
    template <class W>
    W* named(const char* name) {
        auto* found = window.findChild<W*>(QLatin1String(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    const Step& last() { return document().pipeline().steps.back(); }
    AnalysisTable truth() {
        ExecuteRequest request;
        request.source = document().image();
        request.pipeline = document().pipeline();
        request.pipeline.steps.pop_back();
        Executor executor(BackendSet::cpuOnly({}), 0);
        const Image input = executor.run(request, {}).value().image;
        std::erase_if(request.pipeline.steps, [](const Step& step) {
            return findOperation(step.operation)->description().category != "Geometry";
        });
        const Image source = executor.run(request, {}).value().image;
        return tableOf(input, source, last().parameters);
    }
    AnalysisTable rows() {
        std::vector<int> all(std::size_t(panel.model().rowCount()));
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = panel.model().rowOf(std::uint32_t(i) + 1);
        return panel.model().tableOf(all);
    }
    bool showsTruth() {
        return waitedFor([&] { return panel.isCurrent() && bridge().resultIsCurrent(); }) &&
               rows() == truth();
    }
    // Any pixel of the result with that number, 0 for the ground.
    QPoint pixelOf(std::uint32_t label) {
        const Image labels = bridge().result()->levels.front();
        const auto view = labels.view<std::uint32_t>();
        std::vector<QPoint> there;
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                if (view.row(y)[x] == label) there.emplace_back(x, y);
        return there.at(std::size_t(test::freshRandom()->bounded(qint64(there.size()))));
    }
    QPoint placeOf(const QPoint& resultPixel) {
        const QPointF source =
            mapPoint(bridge().sourceFromResult(), QPointF(resultPixel) + QPointF(0.5, 0.5));
        return window.canvas().widgetPosition(source).toPoint();
    }
    void click(const QPoint& resultPixel) {
        QTest::mouseClick(&window.canvas(), Qt::LeftButton, {}, placeOf(resultPixel));
    }
    std::vector<std::uint32_t> selected() {
        std::vector<std::uint32_t> labels;
        for (const QModelIndex& index : table.selectionModel()->selectedRows())
            labels.push_back(panel.model().labelOf(index.row()));
        return labels;
    }
    // With the mouse, as it stands on the screen.
    void clickRow(int row, Qt::KeyboardModifiers keys = {}) {
        table.scrollTo(panel.model().index(row, 0));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, keys,
                          table.visualRect(panel.model().index(row, 0)).center());
    }
    void clickTitle(int column) {
        QHeaderView& header = *table.horizontalHeader();
        const QPoint at(header.sectionViewportPosition(column) + header.sectionSize(column) / 2,
                        header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
    }
    std::uint32_t anyLabel() {
        return std::uint32_t(test::freshRandom()->bounded(1, panel.model().rowCount() + 1));
    }
};

}  // namespace

class ObjectsTest : public QObject {
    Q_OBJECT

  private slots:
    void rowsAndClicks_data() {
        QTest::addColumn<bool>("deep");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("step");
        const QString plain = QStringLiteral("connected_components");
        QTest::newRow("alone") << false << QString() << plain;
        QTest::newRow("16 bits") << true << QString() << plain;
        QTest::newRow("16 bits, 4 neighbours, large ones")
            << true << QString()
            << QStringLiteral("connected_components:connectivity=4,min_area=9");
        QTest::newRow("a crop before")
            << false << QStringLiteral("crop:x=13,y=7,width=71,height=59") << plain;
        QTest::newRow("turned and cropped before")
            << true << QStringLiteral("flip_rotate:operation=rotate_90 crop:x=5,y=11,width=60")
            << plain;
        QTest::newRow("a threshold before")
            << false << QStringLiteral("threshold:method=fixed,value=80") << plain;
    }
    void rowsAndClicks() {
        QFETCH(const bool, deep);
        QFETCH(const QString, before);
        QFETCH(const QString, step);
        ObjectsWindow f;
        QVERIFY(f.dock->isHidden());
        const Image image = blobs(deep ? PixelFormat::Gray16 : PixelFormat::Gray8, kSize, 30, 12);
        QVERIFY(f.begin(image, before, step.toUtf8().constData()));
        QVERIFY(!f.panel.isCurrent());
        QVERIFY(f.openTable());
        QVERIFY(f.showsTruth());
        QVERIFY(f.panel.model().rowCount() > 3);
        QVERIFY(f.panel.caption().startsWith(QString::number(f.panel.model().rowCount())));

        const std::uint32_t label = f.anyLabel();
        f.click(f.pixelOf(label));  // brings the focus back, too
        QCOMPARE(f.selected(), std::vector{label});
        QVERIFY(f.window.canvas().hasFocus());
        // Around its pixels in the result, wherever they are in the source.
        QCOMPARE(f.window.canvas().outlines().size(), std::size_t(1));
        const auto view = f.bridge().result()->levels.front().view<std::uint32_t>();
        QRect box;
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                if (view.row(y)[x] == label) box |= QRect(x, y, 1, 1);
        QPolygonF there;
        for (const QPointF& corner : QPolygonF(QRectF(box)))
            there << mapPoint(f.bridge().sourceFromResult(), corner);
        QCOMPARE(f.window.canvas().outlines().front().boundingRect(), there.boundingRect());
        // The ground has no row, and a drag is none of the table's business.
        const ViewSpot spot = f.window.canvas().spot();
        f.click(f.pixelOf(0));
        QCOMPARE(f.selected(), std::vector{label});
        QTRY_COMPARE(f.window.findChild<PinnedList*>()->pixels().size(), std::size_t(1));
        QCOMPARE(f.window.canvas().spot(), spot);
        const std::uint32_t other = f.anyLabel();
        f.click(f.pixelOf(other));
        QCOMPARE(f.selected(), std::vector{other});
    }

    // Not 255 behind a threshold, which says nothing.
    void valuesAreThoseOfTheSource() {
        std::vector<double> samples(std::size_t(kSize.width) * std::size_t(kSize.height), 20.0);
        const auto paint = [&](int left, int top, int width, double value) {
            for (int y = top; y < top + 4; ++y)
                for (int x = left; x < left + width; ++x)
                    samples[std::size_t(y * kSize.width + x)] = value + (x - left);
        };
        paint(10, 5, 5, 100);
        paint(60, 40, 11, 200);
        ObjectsWindow f;
        QVERIFY(f.begin(test::makeImage(PixelFormat::Gray8, kSize, samples),
                        QStringLiteral("flip_rotate:operation=rotate_180 "
                                       "threshold:method=fixed,value=80")));
        QVERIFY(f.openTable());
        QVERIFY(f.showsTruth());
        QCOMPARE(f.panel.model().rowCount(), 2);
        QHeaderView& header = *f.table.horizontalHeader();
        QCOMPARE(header.model()->headerData(10, Qt::Horizontal).toString(),
                 QStringLiteral("Source mean (grey levels)"));
        const auto cell = [&](int row, int column) {
            return f.panel.model().index(row, column).data().toString();
        };
        QCOMPARE(cell(0, 8), QStringLiteral("200"));
        QCOMPARE(cell(0, 9), QStringLiteral("210"));
        QCOMPARE(cell(0, 10), QStringLiteral("205"));
        QCOMPARE(cell(1, 8), QStringLiteral("100"));
        QCOMPARE(cell(1, 9), QStringLiteral("104"));
        QCOMPARE(cell(1, 10), QStringLiteral("102"));
    }

    void outlineIsSeenAndGoesWithTheTable() {
        ObjectsWindow f;
        // Away from what is written over the picture.
        QVERIFY(f.begin(blobs(PixelFormat::Gray8, kSize, 20, 14, 9)));
        QVERIFY(f.openTable());
        const auto accents = [&] {
            const QImage picture = f.window.canvas().grab().toImage();
            const QRgb accent = Theme::instance().colors().accent.rgb();
            int count = 0;
            for (int y = 4; y < picture.height() - 4; ++y)
                for (int x = 4; x < picture.width() - 4; ++x)
                    count += picture.pixel(x, y) == accent;
            return count;
        };
        const int before = accents();
        f.clickRow(0);
        QVERIFY(accents() > before + 8);
        f.clickRow(2, Qt::ControlModifier);
        QCOMPARE(f.window.canvas().outlines().size(), std::size_t(2));
        // Closed by its key; a click then selects nothing.
        f.press(Qt::Key_J, Qt::ControlModifier);
        QVERIFY(f.dock->isHidden());
        QVERIFY(f.window.canvas().outlines().empty());
        const auto rows = f.selected();
        f.window.canvas().setFocus();
        f.click(f.pixelOf(2));
        QTRY_COMPARE(f.window.findChild<PinnedList*>()->pixels().size(), std::size_t(1));
        QCOMPARE(f.selected(), rows);
        f.press(Qt::Key_J, Qt::ControlModifier);
        QTRY_COMPARE(f.window.canvas().outlines().size(), std::size_t(2));
    }

    void returnAndDoubleClickZoomThere() {
        ObjectsWindow f;
        QVERIFY(f.begin(blobs(PixelFormat::Gray8, {700, 500}, 60, 20),
                        QStringLiteral("crop:x=50,y=40,width=600,height=400")));
        QVERIFY(f.openTable());
        Canvas& canvas = f.window.canvas();
        const auto inSight = [&] {
            const QRectF box = canvas.outlines().front().boundingRect();
            return QRectF(canvas.rect())
                .contains(QRectF(canvas.widgetPosition(box.topLeft()),
                                 canvas.widgetPosition(box.bottomRight())));
        };
        const double fitted = canvas.zoom();
        f.clickRow(f.panel.model().rowCount() / 2);
        f.press(Qt::Key_Return);
        QVERIFY(canvas.zoom() > 2 * fitted);
        QVERIFY(inSight());
        canvas.fit();
        f.clickRow(1);
        QTest::mouseDClick(f.table.viewport(), Qt::LeftButton, {},
                           f.table.visualRect(f.panel.model().index(1, 0)).center());
        QVERIFY(canvas.zoom() > 2 * fitted);
        QVERIFY(inSight());
    }

    void titlesSort() {
        ObjectsWindow f;
        QVERIFY(f.begin(blobs(PixelFormat::Gray8, kSize, 40, 9)));
        QVERIFY(f.openTable());
        const ObjectsModel& model = f.panel.model();
        f.clickRow(1);
        const auto chosen = f.selected();
        for (const int column : {1, 10, 3, 0}) {
            f.table.scrollTo(model.index(0, column));
            for (const bool up : {true, false}) {
                f.clickTitle(column);
                const Qt::SortOrder order = f.table.horizontalHeader()->sortIndicatorOrder();
                std::vector<int> all;
                for (int row = 0; row < model.rowCount(); ++row) all.push_back(row);
                const AnalysisTable table = model.tableOf(all);
                const auto& cells = table.columns[std::size_t(column)].cells;
                const auto less =
                    order == Qt::AscendingOrder
                        ? [](const TableCell& a, const TableCell& b) { return a < b; }
                        : [](const TableCell& a, const TableCell& b) { return b < a; };
                QVERIFY2(std::is_sorted(cells.begin(), cells.end(), less),
                         qPrintable(QString::number(column)));
                QCOMPARE(f.selected(), chosen);
                Q_UNUSED(up)
            }
        }
        QVERIFY(f.rows() == f.truth());
    }

    void csvIsWhatTheCommandLineWrites() {
        ObjectsWindow f;
        QVERIFY(f.begin(blobs(PixelFormat::Gray16, kSize, 30, 12),
                        QStringLiteral("gaussian_blur:sigma=1 threshold:method=otsu")));
        QVERIFY(f.openTable());
        f.clickTitle(1);  // the file keeps the order of labels
        f.clickRow(0);
        f.clickRow(2, Qt::ShiftModifier);
        f.press(Qt::Key_C, Qt::ControlModifier);
        std::string copied = analysisText(f.panel.model().tableOf({0, 1, 2}), "csv");
        std::ranges::replace(copied, ',', '\t');
        QVERIFY(f.table.hasFocus());
        QCOMPARE(f.selected().size(), std::size_t(3));
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(copied));
        QCOMPARE(copied.substr(0, 11), std::string("label\tarea\t"));

        const QString truth = QString::fromStdString(analysisText(f.truth(), "csv"));
        QTest::mouseClick(f.named<QAbstractButton>("saveObjects"), Qt::LeftButton);
        auto* dialog = f.named<QFileDialog>("saveObjectsDialog");
        QTRY_VERIFY(dialog->isVisible());
        QVERIFY(dialog->selectedFiles().value(0).endsWith(QStringLiteral("bars1-objects.csv")));
        const QString path = QDir(f.folder.path()).filePath(QStringLiteral("table.csv"));
        dialog->findChild<QLineEdit*>()->setText(path);
        static_cast<QDialog*>(dialog)->accept();
        QTRY_COMPARE(QString::fromUtf8(bytesOf(path)), truth);
        // The image itself is not written over.
        const QByteArray image = bytesOf(f.document().filePath());
        f.panel.saveTo(f.document().filePath());
        QTRY_COMPARE(f.window.messages().text().isEmpty(), false);
        QCOMPARE(bytesOf(f.document().filePath()), image);
    }

    void followsTheChain() {
        ObjectsWindow f;
        QVERIFY(f.begin(blobs(PixelFormat::Gray8, kSize, 40, 12),
                        QStringLiteral("threshold:method=fixed,value=20")));
        QVERIFY(f.openTable());
        QVERIFY(f.showsTruth());
        for (int i = 0; i < 8; ++i) {
            f.document().setParameter(1, "min_area", std::int64_t(1 + 3 * i), EditPhase::Single);
            f.document().setParameter(0, "value", 20.0 + 20 * i, EditPhase::Single);
        }
        QVERIFY(f.showsTruth());
        const AnalysisTable filtered = f.rows();
        // A later step changes nothing, nor does a selected step of another kind.
        f.document().setCurrentStep(1);
        f.document().addStep("false_colour");
        QTRY_VERIFY(f.bridge().resultIsCurrent() && f.panel.isCurrent());
        QVERIFY(f.rows() == filtered);
        f.document().removeStep(2);
        // An object that stays at its place stays chosen.
        f.document().replacePipeline({{parseStep("connected_components").value()}},
                                     QStringLiteral("test"));
        QVERIFY(f.showsTruth());
        const std::uint32_t label = f.anyLabel();
        f.clickRow(f.panel.model().rowOf(label));
        const QPolygonF outline = f.window.canvas().outlines().at(0);
        f.document().replacePipeline(
            {{parseStep("flip_rotate:operation=rotate_180").value(), f.last()}},
            QStringLiteral("test"));
        QVERIFY(f.showsTruth());
        if (!f.selected().empty())  // its middle may lie outside of it
            QCOMPARE(f.window.canvas().outlines().at(0).boundingRect(), outline.boundingRect());
        // Without its step there are no rows and no outlines.
        f.document().removeStep(1);
        QTRY_COMPARE(f.panel.model().rowCount(), 0);
        QVERIFY(f.window.canvas().outlines().empty());
        QVERIFY(f.panel.caption().contains(QStringLiteral("Connected components")));
    }

    void nothingAndTooMuch() {
        ObjectsWindow f;
        QVERIFY(f.begin(test::makeConstant(PixelFormat::Gray8, kSize, 0)));
        QVERIFY(f.openTable());
        QCOMPARE(f.panel.model().rowCount(), 0);
        QVERIFY(f.panel.caption().startsWith(QStringLiteral("No objects")));
        // Single pixels: more than a table takes.
        constexpr Size kMany{1024, 1024};
        std::vector<double> samples(std::size_t(kMany.width) * kMany.height);
        for (int y = 0; y < kMany.height; y += 2)
            for (int x = 0; x < kMany.width; x += 2)
                samples[std::size_t(y * kMany.width + x)] = 255;
        QVERIFY(f.begin(test::makeImage(PixelFormat::Gray8, kMany, samples)));
        QTRY_VERIFY2(f.panel.caption().contains(QStringLiteral("262144")),
                     qPrintable(f.panel.caption()));
        // Half of them fit.
        f.document().replacePipeline(
            {{parseStep("crop:width=512").value(), parseStep("connected_components").value()}},
            QStringLiteral("test"));
        QTRY_VERIFY(f.panel.isCurrent() && f.panel.model().rowCount() == 131072);
        QCOMPARE(f.table.model()->rowCount(), 131072);
        // The window may go while they are counted.
        f.document().setParameter(1, "connectivity", std::string("4"), EditPhase::Single);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ObjectsTest)
#include "objects_test.moc"
