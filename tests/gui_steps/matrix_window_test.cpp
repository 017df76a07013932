// The kernel of a convolution in the real window: typed, pasted, taken back; the picture is that of
// the kernel.
#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableWidget>

#include "engine/pipeline/executor.h"
#include "gui/steps/list_row.h"
#include "gui/widgets/wrap_label.h"
#include "gui/window_fixture.h"
#include "support/images.h"
#include "support/test_case.h"

namespace warpscope::gui {
namespace {

struct MatrixWindow : WindowFixture {
    QTableWidget* table = nullptr;

    bool begin() {
        if (!open(scene("a.png"))) return false;
        window.canvas().setFocus();
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* edit =
            window.findChild<QDialog*>(QStringLiteral("commandPalette"))->findChild<QLineEdit*>();
        QTest::keyClicks(edit, QStringLiteral("add convolve"));
        QTest::keyClick(edit, Qt::Key_Return);
        table = window.findChild<QTableWidget*>(QStringLiteral("kernel.table"));
        window.activateWindow();
        return table && table->isVisible() &&
               waitedFor([&] { return QApplication::activeWindow() == &window; });
    }
    QString kernel() {
        const ParamSet& given = document().pipeline().steps.front().parameters;
        return QString::fromStdString(toText(*given.find("kernel")));
    }
    void clickField(int row, int column) {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualItemRect(table->item(row, column)).center());
    }
    void type(const char* text) {
        for (const char* key = text; *key; ++key)
            QTest::keyClick(QApplication::focusWidget(), *key);
        press(Qt::Key_Return);
        QApplication::processEvents();
    }
    void paste(const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        press(Qt::Key_V, Qt::ControlModifier);
    }
    // Exactly what one thread makes of the steps.
    bool pictureFollows() {
        if (!waitedFor([&] { return bridge().resultIsCurrent(); })) return false;
        Executor executor(BackendSet::cpuOnly(""), 64u << 20);
        ExecuteRequest wanted;
        wanted.source = document().image();
        wanted.pipeline = document().pipeline();
        wanted.backend = BackendChoice::CpuSingle;
        const Image exact = executor.run(wanted, {}).value().image;
        test::compareSamples(exact, bridge().result()->levels.front(), "the result");
        return !QTest::currentTestFailed();
    }
};

}  // namespace

class MatrixWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void aFieldIsEdited() {
        MatrixWindow f;
        QVERIFY(f.begin());
        const QString before = f.kernel();
        f.clickField(0, 2);
        f.type("-7");
        QCOMPARE(f.table->item(0, 2)->text(), QStringLiteral("-7"));
        const QStringList rows = f.kernel().split(QLatin1Char(';'));
        QCOMPARE(rows.size(), 3);
        QVERIFY2(rows.first().endsWith(QStringLiteral(" -7")), qPrintable(f.kernel()));
        QVERIFY(f.pictureFollows());
        // By a double click, with keys in the field.
        f.clickField(2, 0);
        QTest::mouseDClick(f.table->viewport(), Qt::LeftButton, {},
                           f.table->visualItemRect(f.table->item(2, 0)).center());
        QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        f.press(Qt::Key_A, Qt::ControlModifier);
        f.type("9");
        QVERIFY2(
            f.kernel().endsWith(QStringLiteral(";9 ") + rows.last().section(QLatin1Char(' '), 1)),
            qPrintable(f.kernel()));
        QVERIFY(f.pictureFollows());
        f.window.canvas().setFocus();
        f.press(Qt::Key_Z, Qt::ControlModifier);
        f.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(f.kernel(), before);
        QVERIFY(f.pictureFollows());
    }
    // Written, but not entered: taken when the window closes, and when it only goes.
    void whatIsBeingTypedIsTakenOnClosing() {
        for (const bool closed : {true, false}) {
            MatrixWindow f;
            QVERIFY(f.begin());
            f.clickField(0, 0);
            QTest::keyClick(QApplication::focusWidget(), '8');
            QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
            if (!closed) continue;
            QVERIFY(f.window.close());
            QVERIFY2(f.kernel().startsWith(QStringLiteral("8 ")), qPrintable(f.kernel()));
        }
    }
    // As a sheet, a text or somebody's code has them. The image that may be on the clipboard for
    // Paste of the window is not meant.
    void aMatrixIsPasted() {
        MatrixWindow f;
        QVERIFY(f.begin());
        f.clickField(1, 1);
        f.paste(QStringLiteral("1\t2\t3\n4\t5\t6\n7\t8\t9\n"));
        QCOMPARE(f.kernel(), QStringLiteral("1 2 3;4 5 6;7 8 9"));
        QCOMPARE(f.table->item(2, 0)->text(), QStringLiteral("7"));
        QVERIFY(f.pictureFollows());
        f.paste(QStringLiteral("1, 0, -1, 0, 1\r\n2, 0, -2, 0, 2\r\n1, 0, -1, 0, 1"));
        QCOMPARE(f.kernel(), QStringLiteral("1 0 -1 0 1;2 0 -2 0 2;1 0 -1 0 1"));
        QCOMPARE(f.table->columnCount(), 5);
        QCOMPARE(f.table->rowCount(), 3);
        QVERIFY(f.pictureFollows());
        // One number is the field's.
        f.clickField(0, 0);
        f.paste(QStringLiteral(" 12 "));
        QCOMPARE(f.kernel(), QStringLiteral("12 0 -1 0 1;2 0 -2 0 2;1 0 -1 0 1"));
        // What is no kernel says so and changes nothing.
        const QString before = f.kernel();
        auto& error = *f.window.findChild<WrapLabel*>(QStringLiteral("kernel.error"));
        for (const char* wrong : {"1 2\n3 4", "1 2 3\n4 5 6\n7 8", "a b c", "word"}) {
            f.paste(QString::fromLatin1(wrong));
            QVERIFY2(error.isVisible() && !error.text().isEmpty(), wrong);
            QCOMPARE(f.kernel(), before);
        }
        QCOMPARE(f.document().filePath(), f.folder.filePath(QStringLiteral("a.png")));
        QVERIFY(f.pictureFollows());
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::MatrixWindowTest)
#include "matrix_window_test.moc"
