#include "gui/app/session_actions.h"

#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>

#include "engine/report/bench_command.h"
#include "gui/app/actions.h"
#include "gui/app/compare_controller.h"
#include "gui/app/file_controller.h"
#include "gui/app/open_images.h"
#include "gui/base/file_name.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/scopes/scopes_panel.h"
#include "gui/session/apply_command.h"
#include "gui/session/session_file.h"
#include "gui/teststrip/test_strip.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/message_bar.h"

namespace warpscope::gui {
namespace {

using Level = MessageBar::Level;

constexpr int kAutosaveMs = 3000;
constexpr int kNamedProblems = 4;  // problems in the message; its details have all
const QString kSessionCause = QStringLiteral("session");
const QString kLostCause = QStringLiteral("lost session");

QString listed(const QStringList& problems) {
    QStringList named = problems.mid(0, kNamedProblems);
    const int left = int(problems.size() - named.size());
    if (left > 0) named << SessionActions::tr("%n more", nullptr, left);
    return named.join(QStringLiteral("; "));
}

QString autosaveFolder(const Settings& settings) {
    const QString folder = settings.folder();
    return folder.isEmpty() ? QString() : folder + QStringLiteral("/autosave");
}

}  // namespace

SessionActions::SessionActions(const SessionParts& parts, const Actions& actions,
                               Settings& settings, MessageBar& messages)
    : m_parts(parts),
      m_settings(settings),
      m_messages(messages),
      m_opener(parts),
      m_autosave(autosaveFolder(settings)) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kAutosaveMs);
    connect(&m_delay, &QTimer::timeout, this, &SessionActions::autosaveNow);
    connect(&parts.files, &FileController::sessionChosen, this, &SessionActions::openFrom);
    connect(actions.saveSession, &QAction::triggered, this, [this] {
        m_parts.files.askForSession(true, [this](const QString& path) { saveTo(path); });
    });
    connect(actions.openSession, &QAction::triggered, this, [this] {
        m_parts.files.askForSession(false, [this](const QString& path) { openFrom(path); });
    });
    connect(actions.copyCommand, &QAction::triggered, this, &SessionActions::copyCommand);
}

SessionActions::~SessionActions() {
    m_stop.request_stop();
}

// --- saving ---

void SessionActions::saveTo(const QString& path) {
    const Session session = sessionOf(m_parts);
    WriteOptions options;
    options.protectedFiles = m_parts.files.protectedFiles();
    ++m_saving;
    m_tasks.run([this, session, path, options, stop = m_stop.get_token()]() -> TaskRunner::Finish {
        const auto done = writeSession(session, path, true, options, stop);
        return [this, done, path, left = session.left, pipeline = session.pipeline] {
            --m_saving;
            if (!done) {
                const QString why = engineText(done.error().message);
                m_messages.show({Level::Error, tr("Could not save. %1").arg(why), path});
                return;
            }
            // The steps are in a file now.
            if (pipeline == m_parts.document.pipeline()) m_parts.document.undoStack().setClean();
            m_settings.setLastFolder(QFileInfo(path).absolutePath());
            m_parts.files.recent().add(path);
            const QString shown = QDir::toNativeSeparators(path);
            QStringList problems;
            for (const QString& title : left) problems << leftText(title);
            tell(problems.isEmpty() ? tr("Saved %1").arg(shown)
                                    : tr("Saved %1, but: %2.").arg(shown, listed(problems)),
                 problems);
        };
    });
}

// One message, which names all that is not as it was.
void SessionActions::tell(const QString& text, const QStringList& problems) {
    const bool good = problems.isEmpty();
    m_messages.show({.level = good ? Level::Info : Level::Warning,
                     .text = text,
                     .details = problems.join(QLatin1Char('\n')),
                     .cause = kSessionCause});
}

// --- opening ---

void SessionActions::read(const QString& path, std::function<void(const ReadSession&)> use) {
    m_tasks.run([this, path, use = std::move(use),
                 stop = m_stop.get_token()]() -> TaskRunner::Finish {
        auto found = std::make_shared<Result<ReadSession>>(readSession(path, stop));
        return [this, path, use, found] {
            if (*found && (*found)->chainDamaged) {
                (*found)->session.pipeline = m_parts.document.pipeline();
                (*found)->session.step = m_parts.document.currentStep();
            }
            if (*found) return use(**found);
            if (!QFileInfo::exists(path)) m_parts.files.recent().remove(path);
            const QString why = engineText(found->error().message);
            m_messages.show({Level::Error,
                             tr("Could not open the session %1: %2").arg(shownFileName(path), why),
                             shownName(path)});
        };
    });
}

void SessionActions::openFrom(const QString& path) {
    m_messages.withdrawCause(kSessionCause);
    read(path, [this, path](const ReadSession& found) {
        const QString name = shownFileName(path);
        m_opener.open(found.session, tr("Open session %1").arg(name), [this, path, name, found] {
            m_settings.setLastFolder(QFileInfo(path).absolutePath());
            m_parts.files.recent().add(path);
            const QStringList& problems = found.problems;
            tell(problems.isEmpty() ? tr("Opened %1").arg(name)
                                    : tr("Opened %1, but: %2.").arg(name, listed(problems)),
                 problems);
        });
        if (!found.chainDamaged) m_parts.document.undoStack().setClean();
    });
}

// --- autosave ---

void SessionActions::begin() {
    if (!m_settings.isKept()) return;
    watchChanges();
    m_lost = m_autosave.takeLost();
    offer();
}

void SessionActions::watchChanges() {
    // The first of several changes starts it, so that the last one is not put off for ever.
    const auto later = [this] {
        if (!m_delay.isActive()) m_delay.start();
    };
    const SessionParts& p = m_parts;
    connect(&p.document, &Document::sourceChanged, this, later);
    connect(&p.document, &Document::secondChanged, this, later);
    connect(&p.document, &Document::pipelineChanged, this, later);
    connect(&p.document, &Document::currentStepChanged, this, later);
    connect(&p.document, &Document::regionChanged, this, later);
    connect(&p.files, &FileController::imagesChanged, this, later);
    connect(&p.files, &FileController::pageChanged, this, later);
    connect(&p.open, &OpenImages::changed, this, later);
    connect(&p.compare, &CompareController::changed, this, later);
    connect(&p.canvas, &Canvas::viewportChanged, this, later);
    connect(&p.canvas, &Canvas::viewModeChanged, this, later);
    connect(&p.canvas, &Canvas::differenceStyleChanged, this, later);
    connect(&p.canvas, &Canvas::linesMoved, this, later);
    connect(&p.display, &DisplaySettings::changed, this, later);
    connect(&p.inspector, &InspectorPanel::pinsChanged, this, later);
    connect(&p.histogram, &HistogramPanel::optionsChanged, this, later);
    connect(&p.scopes, &ScopesPanel::switched, this, later);
    connect(&p.strip, &TestStrip::switched, this, later);
}

void SessionActions::autosaveNow() {
    // Never in the middle of something: what was written before holds until it is over.
    if (m_parts.document.interacting() || m_opener.busy() || m_autosave.busy() ||
        QGuiApplication::mouseButtons() != Qt::NoButton)
        return m_delay.start();
    m_autosave.write(sessionOf(m_parts));
}

void SessionActions::offer() {
    if (m_lost.isEmpty()) return;
    const QString file = m_lost.takeFirst();
    const QString when =
        QFileInfo(file).lastModified().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    m_messages.show({.level = Level::Warning,
                     .text = tr("The last session ended unexpectedly (%1).").arg(when),
                     .actionText = tr("Restore"),
                     .act = [this, file] { openLost(file); },
                     .otherText = tr("Discard"),
                     .other =
                         [this, file] {
                             m_autosave.remove(file);
                             offer();
                         },
                     .cause = kLostCause});
}

void SessionActions::openLost(const QString& file) {
    read(file, [this, file](const ReadSession& found) {
        m_opener.open(found.session, tr("Restore session"), [this, file, found] {
            const QStringList& problems = found.problems;
            tell(problems.isEmpty()
                     ? tr("The session is here again")
                     : tr("The session is here again, but: %1.").arg(listed(problems)),
                 problems);
            m_autosave.write(sessionOf(m_parts));
            // Not everything may have come back, and ours is not written yet.
            m_autosave.setAside(file);
            offer();
        });
    });
}

// --- as a command ---

void SessionActions::copyCommand() {
    for (const StepReport& step : m_parts.bridge.stepReports())
        if (!step.problem.empty())
            return m_messages.show({Level::Warning, tr("Step %1 cannot run: %2")
                                                        .arg(step.stepIndex + 1)
                                                        .arg(engineText(step.problem))});
    const auto words =
        applyCommand(m_parts.document, m_parts.files.page(), m_parts.bridge.backend());
    if (!words)
        return m_messages.show({Level::Warning, QString::fromStdString(words.error().message)});
    QGuiApplication::clipboard()->setText(
        nameFromBytes(QByteArray::fromStdString(shellQuoted(*words))));
    m_messages.show({Level::Info, tr("Copied as a command of warpscope-cli.")});
}

}  // namespace warpscope::gui
