// A walk through the window as a person takes it, by drops, keys and the mouse: a folder, a chain,
// two images compared, a region measured, a histogram of 16 bits read, a result saved, a session
// saved, the program killed and its session restored. With WARPSCOPE_WALK=FOLDER there is a picture
// of every stop.
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <cmath>

#include "engine/io/image_reader.h"
#include "gui/app/compare_controller.h"
#include "gui/app/session_actions.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/folder/folder_strip.h"
#include "gui/histogram/histogram_view.h"
#include "gui/inspector/statistics_table.h"
#include "gui/session/session_file.h"
#include "gui/window_fixture.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

class WalkTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    int m_stop = 0;

    void picture(WindowFixture& f, const char* name) {
        const QString folder = qEnvironmentVariable("WARPSCOPE_WALK");
        ++m_stop;
        if (folder.isEmpty()) return;
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(f.window.grab().save(QStringLiteral("%1/%2-%3.png")
                                         .arg(folder)
                                         .arg(m_stop, 2, 10, QLatin1Char('0'))
                                         .arg(QLatin1String(name))));
    }
    static bool settled(WindowFixture& f) {
        return waitedFor(
            [&] {
                return f.document().source() && f.bridge().resultIsCurrent() &&
                       f.bridge().histogramsAreCurrent() && !f.window.session().busy();
            },
            20000);
    }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static void drag(Canvas& canvas, const QPointF& from, const QPointF& to,
                     Qt::KeyboardModifiers keys) {
        const QPoint start = canvas.widgetPosition(from).toPoint();
        const QPoint end = canvas.widgetPosition(to).toPoint();
        QTest::mousePress(&canvas, Qt::LeftButton, keys, start);
        for (const QPoint& at : {(start + end) / 2, end}) {
            QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, keys);
            QApplication::sendEvent(&canvas, &move);
        }
        QTest::mouseRelease(&canvas, Qt::LeftButton, keys, end);
    }

    static void drop(WindowFixture& f, const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 200), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&f.window, &enter);
        QDropEvent event(QPointF(300, 200), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&f.window, &event);
        QVERIFY(event.isAccepted());
    }
    static void clickTile(WindowFixture& f, int row, Qt::KeyboardModifiers keys = {}) {
        FolderStrip& strip = f.window.strip();
        QTRY_VERIFY(strip.isVisible() && strip.model()->rowCount() > row);
        const QModelIndex index = strip.model()->index(row, 0);
        strip.scrollTo(index);
        QTest::mouseClick(strip.viewport(), Qt::LeftButton, keys, strip.visualRect(index).center());
    }
    // A click into it would pin a pixel.
    static void focusPicture(WindowFixture& f) {
        f.window.activateWindow();
        f.window.canvas().setFocus();
        QTRY_VERIFY(f.window.canvas().hasFocus());
    }
    // By the key that opens the list, and its search.
    static void addByName(WindowFixture& f, const char* name) {
        const auto before = f.document().pipeline().steps.size();
        focusPicture(f);
        f.press(Qt::Key_A);
        auto* search = f.window.findChild<QLineEdit*>(QStringLiteral("addStepSearch"));
        QVERIFY(search && search->isVisible());
        QTest::keyClicks(search, QLatin1String(name));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_COMPARE(f.document().pipeline().steps.size(), before + 1);
    }
    // With the dialog open, as at the keyboard.
    static void giveName(WindowFixture& f, const QString& path) {
        QFileDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = f.window.findChild<QFileDialog*>()) && dialog->isVisible() &&
                    dialog->isActiveWindow());
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        name->setCompleter(nullptr);  // its list would take the Return
        name->setFocus();
        QTest::keySequence(name, QKeySequence::SelectAll);
        QTest::keyClicks(name, path);
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY(!f.window.findChild<QFileDialog*>());
    }
    // Of one channel in the region: smallest, largest, mean and standard deviation.
    template <class T>
    static QStringList figuresOf(const Image& image, const Rect& region, int channel) {
        const auto view = image.view<T>();
        double low = 1e9, high = -1, sum = 0, squares = 0;
        for (int y = region.y; y < region.y + region.height; ++y)
            for (int x = region.x; x < region.x + region.width; ++x) {
                const double v = view.row(y)[x * view.channels + channel];
                low = std::min(low, v);
                high = std::max(high, v);
                sum += v;
                squares += v * v;
            }
        const double count = double(region.width) * region.height;
        const double mean = sum / count;
        const auto said = [](double v) {
            return QString::number(v, 'f', v >= 1e4 ? 0 : v >= 1e3 ? 1 : 2);
        };
        return {QString::number(low, 'f', 0), QString::number(high, 'f', 0), said(mean),
                said(std::sqrt(squares / count - mean * mean))};
    }
    static QStringList rowOf(WindowFixture& f, const QString& label) {
        auto* table = f.window.findChild<StatisticsTable*>();
        for (int row = 0; row < table->rowCount(); ++row) {
            if (table->verticalHeaderItem(row)->text() != label) continue;
            QStringList cells;
            for (int column = 0; column < 4; ++column) cells << table->item(row, column)->text();
            return cells;
        }
        return {};
    }
    // The bin under the mouse: what the read-out says, counted again.
    static void readHistogram(WindowFixture& f) {
        f.window.findChild<QDockWidget*>(QStringLiteral("histogramDock"))->raise();
        auto* view = f.window.findChild<HistogramView*>();
        QTRY_VERIFY(view && view->isVisible());
        const QRectF plot = view->plotArea();
        QTest::mouseMove(view->viewport(), QPointF(plot.center().x(), plot.top() + 9).toPoint());
        QTRY_VERIFY(view->hover());
        const QStringList lines = view->readoutLines();
        QVERIFY(lines.size() >= 2);
        const auto number = [](QString text) {
            return text.remove(QRegularExpression(QStringLiteral("[^0-9]"))).toULongLong();
        };
        const QStringList range =
            lines[0].section(QLatin1Char('\t'), 0, 0).split(QStringLiteral(" to "));
        const auto low = number(range.first()), high = number(range.last());
        QVERIFY2(high - low == 255 && low % 256 == 0, qPrintable(lines[0]));
        const Rect region = f.document().region().value();
        const auto counted = [&](const Image& image) {
            const auto pixels = image.view<std::uint16_t>();
            qulonglong count = 0;
            for (int y = region.y; y < region.y + region.height; ++y)
                for (int x = region.x; x < region.x + region.width; ++x) {
                    const std::uint16_t v = pixels.row(y)[x];
                    count += v >= low && v <= high;
                }
            return count;
        };
        const QStringList cells = lines[1].split(QLatin1Char('\t'));
        QCOMPARE(number(cells[1]), counted(exactImage(f.bridge().result())));
        QCOMPARE(number(cells.last()), counted(f.document().image()));
    }

  private slots:
    void aPersonsWalk() {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("images")));
        const QString images = path("images");
        const QString first = writeScene(images, QStringLiteral("scene 1.png"), {720, 480}, 1);
        const QString second = writeScene(images, QStringLiteral("scene 2.png"), {720, 480}, 2);
        const QString deep = images + QStringLiteral("/scene 3.png");
        const Image sixteen = makePhotograph(PixelFormat::Gray16, {720, 480});
        QVERIFY(saveImage(sixteen, deep.toStdString()));
        const QString session = path("walk.warpscope-session");
        const QString settings = path("warpscope/warpscope.ini");
        {
            WindowFixture f(settings);
            Canvas& canvas = f.window.canvas();
            drop(f, images);
            QVERIFY(settled(f));
            QCOMPARE(f.window.files().images(), QStringList({first, second, deep}));
            picture(f, "folder");

            addByName(f, "gaussian blur");
            auto* sigma = f.window.findChild<QWidget*>(QStringLiteral("sigma.slider"));
            QVERIFY(sigma);
            focusPicture(f);
            sigma->setFocus();
            for (const int key : {Qt::Key_2, Qt::Key_Period, Qt::Key_5, Qt::Key_Return})
                f.press(key);
            QCOMPARE(f.document().pipeline().steps[0].parameters.real("sigma"), 2.5);
            addByName(f, "equalize");
            QVERIFY(settled(f));
            picture(f, "chain");

            clickTile(f, 1, Qt::ControlModifier);
            QTRY_VERIFY(canvas.comparison());
            focusPicture(f);
            f.press(Qt::Key_4);
            QCOMPARE(canvas.viewMode(), ViewMode::Wipe);
            picture(f, "compare");
            f.press(Qt::Key_Escape);
            QTRY_VERIFY(!canvas.comparison());

            drag(canvas, {100, 80}, {300, 260}, Qt::ShiftModifier);
            QVERIFY(f.document().region());
            const Rect region = f.document().region().value();
            QVERIFY(std::abs(region.x - 100) <= 1 && std::abs(region.width - 200) <= 2);
            QVERIFY(settled(f));
            const QString colors = QStringLiteral("RGB");
            for (int c = 0; c < 3; ++c) {
                QTRY_COMPARE(rowOf(f, QStringLiteral("Source ") + colors[c]),
                             figuresOf<std::uint8_t>(f.document().image(), region, c));
                QTRY_COMPARE(rowOf(f, QStringLiteral("Result ") + colors[c]),
                             figuresOf<std::uint8_t>(exactImage(f.bridge().result()), region, c));
            }
            picture(f, "region");

            f.press(Qt::Key_PageDown);
            QTRY_COMPARE(f.document().filePath(), second);
            f.press(Qt::Key_PageDown);
            QTRY_COMPARE(f.document().filePath(), deep);
            QVERIFY(settled(f));
            QTRY_COMPARE(rowOf(f, QStringLiteral("Source Y")),
                         figuresOf<std::uint16_t>(f.document().image(), region, 0));
            readHistogram(f);
            QCOMPARE(f.bridge().histograms()->source.format, PixelFormat::Gray16);
            picture(f, "histogram");

            const QString result = path("result.png");
            focusPicture(f);
            f.press(Qt::Key_S, Qt::ControlModifier);
            giveName(f, result);
            QTRY_VERIFY(QFile::exists(result) && !f.window.files().busy());
            const auto read = readImage(result.toStdString());
            QVERIFY(read);
            compareSamples(exactImage(f.bridge().result()), *read, "saved result");
            picture(f, "saved");

            focusPicture(f);
            f.press(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
            giveName(f, session);
            QTRY_VERIFY(QFile::exists(session) && !f.window.session().busy());
            picture(f, "session");
            QVERIFY(f.window.close());
        }

        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString());
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(WARPSCOPE_PROGRAM), {session});
        QVERIFY(program.waitForStarted());
        const QDir autosave(path("warpscope/autosave"));
        QVERIFY(waitedFor(
            [&] {
                for (const QString& name :
                     autosave.entryList({QStringLiteral("*.warpscope-session")}, QDir::Files)) {
                    const auto found = readSession(autosave.filePath(name));
                    if (found && found->session.shown.path == deep) return true;
                }
                return false;
            },
            60000));
        program.kill();
        QVERIFY(program.waitForFinished());

        WindowFixture f(settings);
        f.window.session().begin();
        picture(f, "offer");
        auto* restore = f.window.findChild<QPushButton*>(QStringLiteral("messageAction"));
        QVERIFY(restore->isVisible());
        QTest::mouseClick(restore, Qt::LeftButton);
        QTRY_COMPARE(f.document().filePath(), deep);
        QVERIFY(settled(f));
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(2));
        QCOMPARE(f.document().pipeline().steps[0].parameters.real("sigma"), 2.5);
        QVERIFY(f.document().region());
        picture(f, "restored");
        QVERIFY(f.window.close());
    }
};

WARPSCOPE_TEST(WalkTest)
#include "walk_test.moc"
