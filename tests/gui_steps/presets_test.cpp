// Presets of a step: saved under a name, applied, deleted, read back with care.
#include <QInputDialog>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "engine/base/log.h"
#include "gui/document/settings.h"
#include "gui/steps/preset_store.h"
#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

namespace {

struct Lines {
    Lines() {
        setLogSink([this](LogLevel, std::string_view text) {
            all << QString::fromUtf8(text.data(), qsizetype(text.size()));
        });
    }
    ~Lines() { setLogSink({}); }
    QStringList all;
};

Step blur(double sigma) {
    Step step = *makeStep("gaussian_blur");
    step.parameters.set("sigma", sigma);
    return step;
}

}  // namespace

class PresetsTest : public QObject {
    Q_OBJECT

    static QMenu* menuOf(PanelFixture& f, int card) {
        f.list().focusCurrent();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5),
                                f.card(card).mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(&f.card(card), &event);
        return f.panel.findChild<QMenu*>(QStringLiteral("stepMenu"));
    }
    static QAction* actionOf(QMenu* menu, const QString& text) {
        for (QAction* action : menu->actions())
            if (action->text() == text) return action;
        return nullptr;
    }

  private slots:
    void saveApplyDeleteByHand() {
        Settings settings{QString()};
        PanelFixture f;
        f.panel.setSettings(settings);
        f.addSteps({"gaussian_blur", "equalize"});
        f.document.setCurrentStep(0);
        f.document.setParameter(0, "sigma", 4.5, EditPhase::Single);

        QMenu* menu = menuOf(f, 0);
        auto* presets = menu->findChild<QMenu*>(QStringLiteral("presetMenu"));
        QVERIFY(presets);
        QVERIFY(actionOf(presets, QStringLiteral("No preset yet")));
        presets->findChild<QAction*>(QStringLiteral("savePreset"))->trigger();
        menu->close();
        auto* dialog = f.panel.findChild<QInputDialog*>(QStringLiteral("presetName"));
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->isVisible());
        QCOMPARE(dialog->textValue(), QStringLiteral("Sigma 4.5"));
        auto* field = dialog->findChild<QLineEdit*>();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("soft & wide"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(!f.panel.findChild<QInputDialog*>());

        f.document.resetStep(0);
        QCOMPARE(f.real(0, "sigma"), 1.0);
        const int before = f.undoCount();
        QTRY_VERIFY(!f.panel.findChild<QMenu*>(QStringLiteral("stepMenu")));
        menu = menuOf(f, 0);
        presets = menu->findChild<QMenu*>(QStringLiteral("presetMenu"));
        QAction* soft = actionOf(presets, QStringLiteral("soft && wide"));
        QVERIFY(soft && !soft->isChecked());
        soft->trigger();
        menu->close();
        QCOMPARE(f.real(0, "sigma"), 4.5);
        QCOMPARE(f.undoCount(), before + 1);

        // Another operation has its own.
        QTRY_VERIFY(!f.panel.findChild<QMenu*>(QStringLiteral("stepMenu")));
        f.document.setCurrentStep(1);
        menu = menuOf(f, 1);
        QVERIFY(actionOf(menu->findChild<QMenu*>(QStringLiteral("presetMenu")),
                         QStringLiteral("No preset yet")));
        menu->close();
        QTRY_VERIFY(!f.panel.findChild<QMenu*>(QStringLiteral("stepMenu")));
        f.document.setCurrentStep(0);
        menu = menuOf(f, 0);
        actionOf(menu->findChild<QMenu*>(QStringLiteral("deletePresetMenu")),
                 QStringLiteral("soft && wide"))
            ->trigger();
        menu->close();
        PresetStore left(settings);
        QVERIFY(left.of("gaussian_blur").empty());
    }

    void survivesARestart() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("w.ini"));
        Step step = blur(0.1 + 0.2);  // a value that no short text holds
        step.parameters.set("sigma", 0.1 + 0.5);
        step.variant = "separable_constant";
        if (!findOperation("gaussian_blur")->description().findVariant(step.variant))
            step.variant = findOperation("gaussian_blur")->description().variants[1].id;
        {
            Settings settings(path);
            PresetStore store(settings);
            QVERIFY(store.save(step, QStringLiteral("Zwei")));
            QVERIFY(store.save(blur(7), QStringLiteral("  eins,\n mit \"Zeichen\" ")));
            QVERIFY(store.save(blur(8), QStringLiteral("Zwei ")));  // the same name
            QVERIFY(store.save(step, QStringLiteral("Zwei")));
        }
        Settings settings(path);
        PresetStore store(settings);
        const auto& presets = store.of("gaussian_blur");
        QCOMPARE(presets.size(), std::size_t(2));
        QCOMPARE(presets[0].name, QStringLiteral("eins, mit \"Zeichen\""));
        QCOMPARE(presets[1].name, QStringLiteral("Zwei"));
        QVERIFY(presets[1].parameters == step.parameters);
        QCOMPARE(presets[1].variant, step.variant);
        QVERIFY(store.of("no_such_operation").empty());
    }

    void whatIsUnknownIsLeftOutAndLogged() {
        Settings settings{QString()};
        settings.setPresets(
            QStringLiteral("gaussian_blur"),
            QStringLiteral(
                "[{\"name\": \"a\", \"variant\": \"gone\", \"parameters\": {\"sigma\": \"2\", "
                "\"glow\": \"1\", \"size\": \"4\"}}, {\"name\": \"\"}, 7, {\"name\": \"a\"}]"));
        Lines log;
        PresetStore store(settings);
        const auto& presets = store.of("gaussian_blur");
        QCOMPARE(presets.size(), std::size_t(1));
        QCOMPARE(presets[0].parameters.real("sigma"), 2.0);
        QCOMPARE(presets[0].parameters.integer("size"), std::int64_t(0));  // 4 is even
        QCOMPARE(presets[0].variant, std::string("automatic"));
        QCOMPARE(log.all.filter(QString::fromUtf8("“glow”")).size(), qsizetype(1));
        QCOMPARE(log.all.filter(QString::fromUtf8("“gone”")).size(), qsizetype(1));
        QCOMPARE(log.all.filter(QStringLiteral("odd")).size(), qsizetype(1));
        QCOMPARE(log.all.size(), qsizetype(6));
        store.of("gaussian_blur");
        QCOMPARE(log.all.size(), qsizetype(6));  // once
        settings.setPresets(QStringLiteral("equalize"), QStringLiteral("{]"));
        QVERIFY(store.of("equalize").empty());
        QCOMPARE(log.all.size(), qsizetype(7));
    }

    void namesHaveALimit() {
        Settings settings{QString()};
        PresetStore store(settings);
        QVERIFY(!store.save(blur(2), QStringLiteral(" \t ")));
        QVERIFY(!store.save(blur(2), QString(PresetStore::kMaxName + 1, QLatin1Char('x'))));
        for (int i = 0; i < PresetStore::kMaxPresets; ++i)
            QVERIFY(store.save(blur(2), QString::number(i)));
        QVERIFY(!store.save(blur(2), QStringLiteral("one more")));
        QVERIFY(store.save(blur(3), QStringLiteral("7")));  // replaces
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::PresetsTest)
#include "presets_test.moc"
