#include "gui/app/session_actions.h"

#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>

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
void SessionActions::tell(const QString& text, const QStringList& problems,
                          const std::function<void()>& locate) {
    const bool good = problems.isEmpty();
    m_messages.show({.level = good ? Level::Info : Level::Warning,
                     .text = text,
                     .details = problems.join(QLatin1Char('\n')),
                     .actionText = locate ? tr("Locate…") : QString(),
                     .act = locate,
                     .cause = kSessionCause});
}

// --- opening ---

void SessionActions::openFrom(const QString& path) {
    m_messages.withdrawCause(kSessionCause);
    read(path, false);
}

void SessionActions::openLost(const QString& file) {
    read(file, true);
}

void SessionActions::read(const QString& path, bool lost) {
    m_tasks.run([this, path, lost]() -> TaskRunner::Finish {
        const auto parsed = std::make_shared<Result<ReadSession>>(parseSession(path));
        return [this, path, lost, parsed] {
            if (*parsed) return put({path, lost, **parsed, {}});
            if (!QFileInfo::exists(path)) m_parts.files.recent().remove(path);
            const QString why = engineText(parsed->error().message);
            m_messages.show({Level::Error,
                             tr("Could not open the session %1: %2").arg(shownFileName(path), why),
                             shownName(path)});
        };
    });
}

void SessionActions::put(const Opening& opening) {
    m_tasks.run([this, opening, stop = m_stop.get_token()]() -> TaskRunner::Finish {
        const auto session = std::make_shared<ReadSession>(
            withImages(opening.parsed, opening.path, opening.found, stop));
        // The window is closing.
        if (stop.stop_requested()) return {};
        return [this, opening, session] { use(opening, *session); };
    });
}

void SessionActions::use(const Opening& opening, const ReadSession& read) {
    const bool again = !opening.found.empty();
    Session session = read.session;
    // Only images were missing, or the steps cannot be used: those of the window stay.
    if (again || read.chainDamaged) {
        session.pipeline = m_parts.document.pipeline();
        session.step = m_parts.document.currentStep();
    }
    m_opener.open(session,
                  opening.lost ? tr("Restore session")
                               : tr("Open session %1").arg(shownFileName(opening.path)),
                  [this, opening, read] { finish(opening, read); });
    if (!opening.lost && !again && !read.chainDamaged) m_parts.document.undoStack().setClean();
}

void SessionActions::finish(const Opening& opening, const ReadSession& session) {
    const QString name = shownFileName(opening.path);
    const QStringList& problems = session.problems;
    QString text = opening.lost ? tr("The session is here again") : tr("Opened %1").arg(name);
    if (!problems.isEmpty())
        text = opening.lost ? tr("The session is here again, but: %1.").arg(listed(problems))
                            : tr("Opened %1, but: %2.").arg(name, listed(problems));
    std::function<void()> locate;
    if (!session.missing.isEmpty())
        locate = [this, opening, missing = session.missing.front()] {
            askWhereIs(opening, missing);
        };
    tell(text, problems, locate);
    if (!opening.found.empty()) return;
    if (!opening.lost) {
        m_settings.setLastFolder(QFileInfo(opening.path).absolutePath());
        m_parts.files.recent().add(opening.path);
        return;
    }
    m_autosave.write(sessionOf(m_parts));
    // Not everything may have come back, and ours is not written yet.
    m_autosave.setAside(opening.path);
    offer();
}

void SessionActions::askWhereIs(const Opening& opening, const QString& missing) {
    m_parts.files.askForImage(tr("Where is %1?").arg(shownFileName(missing)),
                              [this, opening, missing](const QString& path) {
                                  Opening next = opening;
                                  next.found.push_back({missing, path});
                                  put(next);
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
    const QString when = QLocale().toString(QFileInfo(file).lastModified(), QLocale::ShortFormat);
    // A few thousand characters; the images are not looked for.
    const auto parsed = parseSession(file);
    const QString what = parsed ? contentsText(parsed->session) : QString();
    m_messages.show(
        {.level = Level::Warning,
         .text = what.isEmpty()
                     ? tr("The last session ended unexpectedly (%1).").arg(when)
                     : tr("The last session ended unexpectedly (%1). It had: %2.").arg(when, what),
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
