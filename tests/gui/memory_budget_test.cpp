// The memory budget in the window: applied, shown, asked for, and named where an image is refused.
#include "gui/document/memory_budget.h"

#include <QInputDialog>
#include <QLabel>
#include <QSpinBox>

#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class MemoryBudgetTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    static QString imageTip(WindowFixture& f) {
        for (const QLabel* label : f.window.status().findChildren<QLabel*>())
            if (label->accessibleName() == QStringLiteral("Image")) return label->toolTip();
        return {};
    }
    // As by hand: from the menu, a number, Enter. `budget` in MiB.
    static bool choose(WindowFixture& f, int budget) {
        f.window.actions().memoryBudget->trigger();
        auto* dialog = f.window.findChild<QInputDialog*>(QStringLiteral("memoryBudgetDialog"));
        if (!dialog || !waitedFor([&] { return dialog->isVisible(); })) return false;
        auto* box = dialog->findChild<QSpinBox*>();
        box->selectAll();
        QTest::keyClicks(box, QString::number(budget));
        QTest::keyClick(box, Qt::Key_Return);
        return waitedFor([&] {
            return !f.window.findChild<QInputDialog*>(QStringLiteral("memoryBudgetDialog"));
        });
    }

  private slots:
    void theDefaultIsShown() {
        WindowFixture f;
        QCOMPARE(f.bridge().memoryBudget(), std::uint64_t(defaultMemoryMiB()) << 20);
        const QString budget = memoryText(f.bridge().memoryBudget());
        QVERIFY2(imageTip(f).contains(budget), qPrintable(imageTip(f)));
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY2(imageTip(f).contains(budget), qPrintable(imageTip(f)));
        QVERIFY2(imageTip(f).contains(QStringLiteral("1 MiB, of a budget")),
                 qPrintable(imageTip(f)));
    }

    void aChosenOneIsAppliedShownAndRemembered() {
        const QString path = m_folder.filePath(QStringLiteral("memory.ini"));
        {
            WindowFixture f(path);
            QVERIFY(choose(f, 300));
            QCOMPARE(f.bridge().memoryBudget(), std::uint64_t(300) << 20);
            QVERIFY2(imageTip(f).contains(QStringLiteral("300 MiB")), qPrintable(imageTip(f)));
        }
        {
            WindowFixture f(path);
            QCOMPARE(f.bridge().memoryBudget(), std::uint64_t(300) << 20);
            QVERIFY(choose(f, defaultMemoryMiB()));
            QVERIFY(!f.settings.memoryMiB());
        }
        WindowFixture f(path);
        QCOMPARE(f.bridge().memoryBudget(), std::uint64_t(defaultMemoryMiB()) << 20);
    }

    void aRefusalSaysHowToChangeIt() {
        // 95 MiB by its header; the samples are missing, which is found after the budget.
        const QString path = m_folder.filePath(QStringLiteral("large.pgm"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("P5\n10000 10000\n255\nx");
        file.close();
        WindowFixture f;
        QVERIFY(choose(f, kLeastMemoryMiB));
        f.window.files().openFiles({path});
        QTRY_VERIFY(f.window.messages().count() > 0);
        const QString refused = f.window.messages().text();
        QVERIFY2(refused.contains(QStringLiteral("more than the limit of 64 MiB")),
                 qPrintable(refused));
        QVERIFY2(refused.contains(howToRaiseMemory()), qPrintable(refused));

        f.window.messages().dismiss();
        QVERIFY(choose(f, 200));
        f.window.files().openFiles({path});
        QTRY_VERIFY(f.window.messages().count() > 0 || f.document().source());
        QVERIFY(!f.window.messages().text().contains(howToRaiseMemory()));
    }

    void whereItIsSaidToBeItIs() {
        WindowFixture f;
        bool found = false;
        for (const auto& entry : f.window.actions().entries())
            found = found || (entry.action == f.window.actions().memoryBudget &&
                              entry.menu == QStringLiteral("Compute"));
        QVERIFY(found);
    }
};

WARPSCOPE_TEST(MemoryBudgetTest)
#include "memory_budget_test.moc"
