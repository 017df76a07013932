// Rows of parameters that are lists: the curve and the matrix, by mouse, keys and text.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/steps/curve_plot.h"
#include "gui/steps/list_row.h"
#include "gui/steps/matrix_grid.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"

namespace warpscope::gui {

namespace {

ParamSpec curveSpec(int most = 5) {
    return pointsParameter("points", "Points", {{0, 0}, {255, 255}}, 2, most, {.hardMax = 255},
                           "Levels");
}

ParamSpec matrixSpec() {
    const IntMatrix identity{3, {0, 0, 0, 0, 1, 0, 0, 0, 0}};
    const IntMatrix wide{5, {1, 4, 6, 4, 1}};
    return matrixParameter("kernel", "Kernel", identity, 7, {.hardMin = -100, .hardMax = 100},
                           {{"wide", "Wide", wide}}, "Weights");
}

// A row that stands in a window and is told its value back, as by a document.
struct RowFixture {
    RowFixture(const ParamSpec& spec, ListEditor* editor)
        : value(spec.defaultValue), row(new ListRow(spec, editor, &window)) {
        Theme::instance().setChoice(ThemeChoice::Dark);
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(row);
        layout->addStretch(1);
        before = new QLineEdit(&window);
        layout->insertWidget(0, before);
        QObject::connect(row, &ListRow::edited, row, [this](const ParamValue& given, EditPhase) {
            value = given;
            ++edits;
            row->setValue(value);
        });
        QObject::connect(row, &ListRow::gestureStarted, row, [this] { ++open; });
        QObject::connect(row, &ListRow::gestureEnded, row, [this] { --open, ++gestures; });
        window.resize(260, 420);
        window.show();
        if (!QTest::qWaitForWindowActive(&window)) qWarning("the window did not become active");
    }
    QString text() const { return QString::fromStdString(toText(value)); }
    QLineEdit& edit() { return *window.findChild<QLineEdit*>(id + ".value"); }
    WrapLabel& error() { return *window.findChild<WrapLabel*>(id + ".error"); }
    WrapLabel& label() { return *window.findChild<WrapLabel*>(id + ".label"); }
    void type(const QString& typed) {
        edit().setFocus();
        edit().selectAll();
        QTest::keyClicks(&edit(), typed);
        QTest::keyClick(&edit(), Qt::Key_Return);
    }

    QWidget window;
    ParamValue value;
    ListRow* row;
    QLineEdit* before;
    QString id = QStringLiteral("points");
    int edits = 0, open = 0, gestures = 0;
};

struct CurveFixture : RowFixture {
    explicit CurveFixture(const ParamSpec& spec = curveSpec())
        : RowFixture(spec, new CurvePlot(spec, {})), plot(static_cast<CurvePlot&>(row->editor())) {}

    QPoint at(double x, double y) const { return plot.positionOf({x, y}).toPoint(); }
    void drag(const QPoint& from, const QPoint& to) {
        QTest::mousePress(&plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(&plot, (from + to) / 2);
        QTest::mouseMove(&plot, to);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
    }
    PointList points() const { return std::get<PointList>(value); }

    CurvePlot& plot;
};

struct MatrixFixture : RowFixture {
    MatrixFixture() : RowFixture(matrixSpec(), new MatrixGrid(matrixSpec())) {
        id = QStringLiteral("kernel");
        table = window.findChild<QTableWidget*>(QStringLiteral("kernel.table"));
    }
    // The first key opens the field, which takes it and the others.
    void typeInto(int y, int x, const QString& typed) {
        table->setFocus();
        table->setCurrentCell(y, x);
        for (const QChar key : typed) QTest::keyClick(QApplication::focusWidget(), key.toLatin1());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QApplication::processEvents();
    }
    QTableWidget* table;
};

}  // namespace

class ListRowsTest : public QObject {
    Q_OBJECT
  private slots:
    void thePlotIsSquareAndHasRoom() {
        CurveFixture f;
        QVERIFY(f.plot.width() > 150);
        QCOMPARE(f.plot.height(), f.plot.width());
        const QPointF low = f.plot.positionOf({0, 0}), high = f.plot.positionOf({255, 255});
        QVERIFY(low.x() > 0 && high.x() < f.plot.width());
        QVERIFY(high.y() > 0 && low.y() < f.plot.height());
    }

    void aClickAddsAndADragMovesBetweenTheNeighbours() {
        CurveFixture f;
        QTest::mouseClick(&f.plot, Qt::LeftButton, {}, f.at(100, 150));
        QCOMPARE(f.points().size(), std::size_t(3));
        QVERIFY(std::abs(f.points()[1].x - 100) <= 1 && std::abs(f.points()[1].y - 150) <= 1);
        QCOMPARE(f.plot.selected(), 1);
        QCOMPARE(f.edit().text(), f.text());
        QCOMPARE(f.gestures, 1);
        QCOMPARE(f.open, 0);
        const CurvePoint p = f.points()[1];
        f.drag(f.at(p.x, p.y), f.at(140, 60));
        QVERIFY(std::abs(f.points()[1].x - 140) <= 1 && std::abs(f.points()[1].y - 60) <= 1);
        QCOMPARE(f.gestures, 2);
        // Beyond its neighbour it stays beside it; beyond the plot, at its edge.
        QTest::mouseClick(&f.plot, Qt::LeftButton, {}, f.at(200, 30));
        const CurvePoint q = f.points()[1];
        f.drag(f.at(q.x, q.y), f.at(250, 100));
        QCOMPARE(f.points()[1].x, f.points()[2].x - 1);
        const CurvePoint r = f.points()[2];
        f.drag(f.at(r.x, r.y), f.at(r.x, 0) + QPoint(0, 15));
        QCOMPARE(f.points()[2].y, 0.0);
        // What a press takes keeps its distance from the cursor.
        const PointList before = f.points();
        f.drag(f.at(0, 0) + QPoint(4, -3), f.at(0, 0) + QPoint(4, -3));
        QCOMPARE(f.points(), before);
    }

    void adraggedOutPointGoesAndComesBack() {
        CurveFixture f;
        f.type(QStringLiteral("0:0;128:200;255:255"));
        QCOMPARE(f.points().size(), std::size_t(3));
        const QPoint out(f.plot.width() / 2, -80);
        QTest::mousePress(&f.plot, Qt::LeftButton, {}, f.at(128, 200));
        QTest::mouseMove(&f.plot, out);
        QCOMPARE(f.text(), QStringLiteral("0:0;255:255"));
        QTest::mouseMove(&f.plot, f.at(120, 190));
        QCOMPARE(f.points().size(), std::size_t(3));
        QTest::mouseMove(&f.plot, out);
        QTest::mouseRelease(&f.plot, Qt::LeftButton, {}, out);
        QCOMPARE(f.text(), QStringLiteral("0:0;255:255"));
        QCOMPARE(f.gestures, 1);
        // The last two stay.
        f.drag(f.at(0, 0), QPoint(-90, f.plot.height() / 2));
        QCOMPARE(f.points().size(), std::size_t(2));
        QTest::mouseClick(&f.plot, Qt::RightButton, {}, f.at(255, 255));
        QCOMPARE(f.points().size(), std::size_t(2));
    }

    void escapeTakesADragBack() {
        CurveFixture f;
        f.type(QStringLiteral("0:0;128:200;255:255"));
        const PointList before = f.points();
        QTest::mousePress(&f.plot, Qt::LeftButton, {}, f.at(128, 200));
        QTest::mouseMove(&f.plot, f.at(60, 20));
        QVERIFY(f.points() != before);
        QTest::keyClick(&f.plot, Qt::Key_Escape);
        QCOMPARE(f.points(), before);
        QTest::mouseMove(&f.plot, f.at(90, 20));
        QTest::mouseRelease(&f.plot, Qt::LeftButton, {}, f.at(90, 20));
        QCOMPARE(f.points(), before);
        QCOMPARE(f.open, 0);
    }

    void rightClickDeleteAndInsert() {
        CurveFixture f;
        f.type(QStringLiteral("0:0;60:200;120:30;255:255"));
        QTest::mouseClick(&f.plot, Qt::RightButton, {}, f.at(60, 200));
        QCOMPARE(f.text(), QStringLiteral("0:0;120:30;255:255"));
        QTest::mouseClick(&f.plot, Qt::LeftButton, {}, f.at(120, 30));
        QTest::keyClick(&f.plot, Qt::Key_Delete);
        QCOMPARE(f.text(), QStringLiteral("0:0;255:255"));
        QTest::keyClick(&f.plot, Qt::Key_Insert);
        QCOMPARE(f.points().size(), std::size_t(3));
        QCOMPARE(f.plot.selected(), 1);
        for (int i = 0; i < 9; ++i) QTest::keyClick(&f.plot, Qt::Key_Insert);
        QCOMPARE(f.points().size(), std::size_t(5));  // as many as there may be
        QTest::mouseClick(&f.plot, Qt::LeftButton, {}, f.at(30, 240));
        QCOMPARE(f.points().size(), std::size_t(5));
        QCOMPARE(f.open, 0);
    }

    void tabChoosesAndArrowsMove() {
        CurveFixture f;
        f.type(QStringLiteral("0:0;128:200;255:255"));
        f.before->setFocus();
        QTest::keyClick(f.before, Qt::Key_Tab);
        QVERIFY(f.plot.hasFocus());
        QCOMPARE(f.plot.selected(), 0);
        QTest::keyClick(&f.plot, Qt::Key_Tab);
        QCOMPARE(f.plot.selected(), 1);
        const int before = f.gestures;
        QTest::keyClick(&f.plot, Qt::Key_Right);
        QTest::keyClick(&f.plot, Qt::Key_Up);
        QCOMPARE(f.points()[1], (CurvePoint{129, 201}));
        QTest::keyClick(&f.plot, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(&f.plot, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(f.points()[1], (CurvePoint{119, 191}));
        QTRY_COMPARE(f.gestures, before + 1);  // a run of presses is one
        QVERIFY(f.plot.accessibleDescription().contains(QStringLiteral("119")));
        for (int i = 0; i < 20; ++i) QTest::keyClick(&f.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(f.points()[1].x, 1.0);
        QTest::keyClick(&f.plot, Qt::Key_Tab);
        QCOMPARE(f.plot.selected(), 2);
        QTest::keyClick(&f.plot, Qt::Key_Tab);
        QVERIFY(f.edit().hasFocus());
        QTest::keyClick(&f.edit(), Qt::Key_Backtab);
        QVERIFY(f.plot.hasFocus());
        QCOMPARE(f.plot.selected(), 2);
    }

    void wrongTextSaysWhyAndADoubleClickOnTheLabelResets() {
        CurveFixture f;
        f.type(QStringLiteral("0:0;100:20"));
        const QString held = f.text();
        QCOMPARE(held, QStringLiteral("0:0;100:20"));
        for (const char* wrong :
             {"0:0", "5:5;3:3", "0:0;900:1", "abc", "0:0;1:1;2:2;3:3;4:4;5:5"}) {
            f.type(QLatin1String(wrong));
            QVERIFY2(f.error().isVisible() && !f.error().text().isEmpty(), wrong);
            QCOMPARE(f.text(), held);
            QCOMPARE(f.edit().text(), QLatin1String(wrong));  // to be mended
        }
        f.before->setFocus();
        QCOMPARE(f.edit().text(), held);
        QTest::mouseDClick(&f.label(), Qt::LeftButton, {}, QPoint(5, 5));
        QCOMPARE(f.text(), QStringLiteral("0:0;255:255"));
        QVERIFY(!f.error().isVisible());
    }

    void theCurveOfTheOperationIsAskedForAnew() {
        PointList asked;
        const ParamSpec spec = curveSpec();
        auto* plot = new CurvePlot(spec, [&asked](const PointList& points) {
            asked = points;
            return std::vector<double>{0.0, 0.9, 0.1, 1.0};
        });
        RowFixture f(spec, plot);
        QCOMPARE(asked, std::get<PointList>(spec.defaultValue));
        const QImage with = plot->grab().toImage();
        f.type(QStringLiteral("0:0;200:10;255:255"));
        QCOMPARE(asked, std::get<PointList>(f.value));
        CurveFixture straight;
        QVERIFY(with != straight.plot.grab().toImage());
    }

    void typingIntoAFieldChangesTheEntry() {
        MatrixFixture f;
        QCOMPARE(f.table->rowCount(), 3);
        f.typeInto(0, 1, QStringLiteral("-7"));
        QCOMPARE(f.text(), QStringLiteral("0 -7 0;0 1 0;0 0 0"));
        QCOMPARE(f.edit().text(), f.text());
        // What is no whole number, or out of range, leaves the old one and says so.
        for (const char* wrong : {"2x", "900"}) {
            f.typeInto(1, 1, QLatin1String(wrong));
            QCOMPARE(f.text(), QStringLiteral("0 -7 0;0 1 0;0 0 0"));
            QCOMPARE(f.table->item(1, 1)->text(), QStringLiteral("1"));
        }
        QVERIFY(f.error().isVisible());
        QVERIFY(f.error().text().contains(QStringLiteral("900")));
    }

    void digitsBelongToTheFieldsNotToTheWindow() {
        MatrixFixture f;
        QAction view(&f.window);
        view.setShortcut(Qt::Key_4);
        f.window.addAction(&view);
        QSignalSpy triggered(&view, &QAction::triggered);
        f.typeInto(2, 2, QStringLiteral("4"));
        QCOMPARE(triggered.count(), 0);
        QCOMPARE(f.text(), QStringLiteral("0 0 0;0 1 0;0 0 4"));
    }

    void anotherSizeKeepsTheMiddle() {
        MatrixFixture f;
        f.type(QStringLiteral("1 2 3;4 5 6;7 8 9"));
        auto* columns = f.window.findChild<QComboBox*>(QStringLiteral("kernel.columns"));
        auto* rows = f.window.findChild<QComboBox*>(QStringLiteral("kernel.rows"));
        QCOMPARE(columns->count(), 4);  // 1, 3, 5, 7
        columns->setFocus();
        QTest::keyClick(columns, Qt::Key_Down);
        QCOMPARE(f.text(), QStringLiteral("0 1 2 3 0;0 4 5 6 0;0 7 8 9 0"));
        QCOMPARE(f.table->columnCount(), 5);
        rows->setFocus();
        QTest::keyClick(rows, Qt::Key_Up);
        QCOMPARE(f.text(), QStringLiteral("0 4 5 6 0"));
        QCOMPARE(rows->currentText(), QStringLiteral("1"));
        QCOMPARE(f.edits, 3);
    }

    void presetsAndPastedRows() {
        MatrixFixture f;
        auto* presets = f.window.findChild<QToolButton*>(QStringLiteral("kernel.presets"));
        QVERIFY(presets && presets->menu());
        presets->menu()->actions().value(0)->trigger();
        QCOMPARE(f.text(), QStringLiteral("1 4 6 4 1"));
        f.type(QStringLiteral("wide"));  // its name stands for it
        QCOMPARE(f.text(), QStringLiteral("1 4 6 4 1"));
        QGuiApplication::clipboard()->setText(
            QStringLiteral("1\t0\t-1\r\n2\t0\t-2\r\n1\t0\t-1\r\n"));
        f.edit().setFocus();
        f.edit().selectAll();
        QTest::keySequence(&f.edit(), QKeySequence::Paste);
        QTest::keyClick(&f.edit(), Qt::Key_Return);
        QCOMPARE(f.text(), QStringLiteral("1 0 -1;2 0 -2;1 0 -1"));
        f.type(QStringLiteral("1 2;3 4"));
        QVERIFY(f.error().isVisible());
        QTest::mouseDClick(&f.label(), Qt::LeftButton, {}, QPoint(5, 5));
        QCOMPARE(f.text(), QStringLiteral("0 0 0;0 1 0;0 0 0"));
    }

    void fractionsAreRefusedAloud() {
        MatrixFixture f;
        const QString before = f.text();
        f.table->item(0, 0)->setText(QStringLiteral("2.5"));
        QCOMPARE(f.text(), before);
        QVERIFY(f.error().isVisible());
        QVERIFY(f.error().text().contains(QStringLiteral("2.5")));
        f.table->item(0, 0)->setText(QStringLiteral("3"));
        QVERIFY(!f.error().isVisible());
        QVERIFY(f.text().startsWith(u'3'));
    }

    void aLargeMatrixScrollsInsteadOfGrowing() {
        MatrixFixture f;
        QString row = QStringLiteral("-100 -100 -100 -100 -100 -100 -100");
        f.type(QStringList(7, row).join(QLatin1Char(';')));
        QCOMPARE(f.table->columnCount(), 7);
        QVERIFY(f.table->columnWidth(0) >=
                f.table->fontMetrics().horizontalAdvance(QStringLiteral("-100")));
        QVERIFY(f.table->width() <= f.window.width());
        QVERIFY(f.window.width() < 300);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ListRowsTest)
#include "list_rows_test.moc"
