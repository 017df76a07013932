// Every widget of the program, for the tests that walk them.
#pragma once

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <set>

#include "engine/operations/operation.h"
#include "gui/app/benchmark_controller.h"
#include "gui/app/command_palette.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/scopes/scope_view.h"
#include "gui/showcase/showcase_window.h"
#include "gui/teststrip/test_strip.h"
#include "tests/gui_benchmark/samples.h"
#include "window_fixture.h"

namespace warpscope::gui {

inline QString placeOf(const QObject* object) {
    QStringList names;
    for (; object && names.size() < 4; object = object->parent())
        names.prepend(QStringLiteral("%1(%2)").arg(
            QString::fromLatin1(object->metaObject()->className()), object->objectName()));
    return names.join(u'/');
}

// Parts that Qt makes inside of its widgets and names itself, or that only its owner reads out.
inline bool isPartOfQt(const QWidget* widget) {
    const QString name = widget->objectName();
    if (name.startsWith(QStringLiteral("qt_")) || qobject_cast<const QMenu*>(widget)) return true;
    // The window keeps bars without tabs for docks that come together later.
    if (auto* tabs = qobject_cast<const QTabBar*>(widget); tabs && tabs->count() == 0) return true;
    const QString kind = QString::fromLatin1(widget->metaObject()->className());
    static const std::set<QString> parts{"QHeaderView",
                                         "QTableCornerButton",
                                         "QScrollBar",
                                         "QAbstractScrollAreaScrollBarContainer",
                                         "QComboBoxPrivateContainer",
                                         "QComboBoxListView",
                                         "QDockWidgetTitleButton",
                                         "QToolBarExtension",
                                         "QMenuBarExtension",
                                         "QLineEditIconButton",
                                         "QSplitterHandle",
                                         "QRubberBand",
                                         "QSizeGrip",
                                         "CloseButton",
                                         "QToolBarSeparator",
                                         "QStackedWidget"};
    if (parts.contains(kind)) return true;
    if (auto* area = qobject_cast<const QAbstractScrollArea*>(widget->parentWidget());
        area && area->viewport() == widget)
        return true;
    for (const QWidget* owner = widget->parentWidget(); owner; owner = owner->parentWidget())
        if (owner->inherits("QAbstractSpinBox") || owner->inherits("QComboBox") ||
            owner->inherits("QTabBar") || owner->inherits("QFileDialog") ||
            owner->inherits("QLineEdit") || owner->inherits("QDialogButtonBox"))
            return true;
    return false;
}

// The window with everything in it that can be opened without a dialog of the system.
struct EverythingOpen {
    WindowFixture f;
    std::unique_ptr<ShowcaseWindow> showcase;
    bool ok = true;

    QStringList givenNames() {
        const BackendSet& backends = *f.bridge().backends();
        const BackendInfo& cpu = backends.cpu->info();
        return {QStringLiteral("a.png"), QString::fromStdString(cpu.device),
                QString::fromStdString(cpu.detail),
                QString::fromStdString(backends.cudaUnavailable),
                // Of the results that are open.
                QStringLiteral("a.json"), QStringLiteral("Test CPU"), QStringLiteral("Test GPU"),
                QStringLiteral("AVX2")};
    }

    void want(const char* what, bool is) {
        if (!is) qWarning("not open: %s", what);
        ok = ok && is;
    }

    EverythingOpen() {
        want("image", f.open(f.scene("a.png")));
        for (const Operation* operation : allOperations())
            if (auto step = makeStep(operation->description().id))
                f.document().insertStep(int(f.document().pipeline().steps.size()), *step);
        // Each step's controls are made when it is looked at.
        for (int i = 0; i < int(f.document().pipeline().steps.size()); ++i) {
            f.document().setCurrentStep(i);
            QCoreApplication::processEvents();
        }
        f.window.canvas().setViewMode(ViewMode::Difference);
        f.press(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        want("scopes",
             waitedFor([&] { return f.window.findChild<ScopeView*>()->scope() != nullptr; }));
        f.press(Qt::Key_T, Qt::ControlModifier);
        want("test strip", f.window.testStrip().isVisible());
        f.window.benchmark().open({});
        f.press(Qt::Key_F1);
        openDialogs();
        f.window.activateWindow();
        QCoreApplication::processEvents();
    }

    // What is opened from the window and what it asks.
    void openDialogs() {
        const Actions& actions = f.window.actions();
        for (QAction* action : {actions.editShortcuts, actions.operationsHelp, actions.about,
                                actions.memoryBudget, actions.nameStep})
            action->trigger();
        want("questions",
             waitedFor([&] { return f.window.findChildren<QInputDialog*>().size() == 2; }));
        BenchmarkWindow& benchmark = *f.window.benchmark().window();
        benchmark.openFiles({writeReport(f.folder.path(), "a.json", reportOf())});
        auto* details = benchmark.findChild<QPushButton*>(QStringLiteral("runDetailsButton"));
        want("results", details && waitedFor([&] { return details->isEnabled(); }));
        if (details) details->click();
        const ShowcaseSize size{QStringLiteral("s"), QStringLiteral("48 × 32"), {48, 32}, {}};
        showcase = std::make_unique<ShowcaseWindow>(cpuBackends(), showcaseOperations({}),
                                                    std::vector{size}, ShowcaseStart{});
        showcase->resize(1024, 640);
        showcase->show();
        want("side by side",
             waitedFor([&] { return !showcase->content().sides[1].rate.isEmpty(); }, 30000));
        showcase->setPaused(true);
        showcase->toggleHelp();
        QTest::mouseMove(showcase.get(), {40, 40});
    }
};

// Calls look(object, text) for every text of every widget and of its actions.
template <class Look>
void forEachWord(const Look& look) {
    for (const QWidget* widget : QApplication::allWidgets()) {
        if (isPartOfQt(widget)) continue;
        look(widget, widget->toolTip());
        look(widget, widget->accessibleName());
        look(widget, widget->accessibleDescription());
        look(widget, widget->statusTip());
        if (widget->isWindow()) look(widget, widget->windowTitle());
        if (auto* label = qobject_cast<const QLabel*>(widget)) look(widget, label->text());
        if (auto* button = qobject_cast<const QAbstractButton*>(widget))
            look(widget, button->text());
        if (auto* box = qobject_cast<const QGroupBox*>(widget)) look(widget, box->title());
        if (auto* edit = qobject_cast<const QLineEdit*>(widget))
            look(widget, edit->placeholderText());
        if (auto* combo = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < combo->count(); ++i) look(widget, combo->itemText(i));
        if (auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i) look(widget, tabs->tabText(i));
        for (const QAction* action : widget->actions()) {
            look(action, action->text());
            look(action, action->toolTip());
        }
    }
}

}  // namespace warpscope::gui
