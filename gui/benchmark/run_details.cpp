#include "gui/benchmark/run_details.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "engine/report/bench_command.h"
#include "engine/report/text_table.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

constexpr QSize kFirstDetails(760, 560);

QString section(const QString& title, const QStringList& lines) {
    QString html;
    for (const QString& line : lines)
        if (!line.isEmpty()) html += QStringLiteral("<div>%1</div>").arg(line.toHtmlEscaped());
    if (html.isEmpty()) return html;
    return QStringLiteral("<p><b>%1</b></p>%2").arg(title.toHtmlEscaped(), html);
}

QStringList named(std::initializer_list<std::pair<QString, std::string>> pairs) {
    QStringList lines;
    for (const auto& [name, value] : pairs)
        if (!value.empty())
            lines << QStringLiteral("%1: %2").arg(name, QString::fromStdString(value));
    return lines;
}

}  // namespace

RunDetails::RunDetails(const BenchmarkEntry& entry, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("runDetails"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Details of results – Warpscope"));
    const TimingReport& report = entry.report;
    auto* column = new QVBoxLayout(this);
    auto* title = new QLabel(machineLabel(entry));
    title->setWordWrap(true);
    QFont font = title->font();
    font.setBold(true);
    title->setFont(font);
    column->addWidget(title);

    const QStringList doubts = runWarnings(entry);
    auto* marked = new WrapLabel;
    marked->setObjectName(QStringLiteral("runWarnings"));
    QVector<TextPiece> pieces;
    for (const QString& doubt : doubts)
        pieces.append({QStringLiteral("%1⚠ %2").arg(
                           pieces.isEmpty() ? QString() : QStringLiteral("\n"), doubt),
                       Tone::Warning,
                       {}});
    if (pieces.isEmpty())
        pieces.append({report.before ? tr("Nothing is known that makes these figures doubtful.")
                                     : tr("The conditions were not recorded."),
                       Tone::Weak,
                       {}});
    marked->setPieces(pieces);
    column->addWidget(marked);

    const QString command = QString::fromStdString(shellQuoted(report.command));
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Co&mmand"));
    auto* line = new QLineEdit(command);
    line->setObjectName(QStringLiteral("runCommand"));
    line->setReadOnly(true);
    line->setFont(Theme::instance().figureFont());
    line->setCursorPosition(0);
    line->setPlaceholderText(entry.ofThisMachine()
                                 ? tr("of an image without a file; Run again repeats it")
                                 : tr("not recorded"));
    label->setBuddy(line);
    auto* copy = new QPushButton(tr("&Copy"));
    copy->setObjectName(QStringLiteral("copyRunCommand"));
    copy->setToolTip(tr("The command line that measured these results"));
    copy->setEnabled(!command.isEmpty());
    connect(copy, &QPushButton::clicked, this,
            [command] { QGuiApplication::clipboard()->setText(command); });
    row->addWidget(label);
    row->addWidget(line, 1);
    row->addWidget(copy);
    column->addLayout(row);

    QStringList conditions;
    if (report.before)
        for (const std::string& said :
             describeConditions(*report.before, report.after.value_or(*report.before)))
            conditions << engineText(said);
    QString rows = tr("%1 rows").arg(report.results.size());
    if (!entry.running && !report.complete) rows = stoppedText(entry);
    std::string pinned = report.pinned;
    if (pinned.empty()) pinned = tr("not pinned: the system moved them as it liked").toStdString();
    auto* text = new QTextBrowser;
    text->setObjectName(QStringLiteral("runConditions"));
    text->setAccessibleName(tr("Program, machine and conditions"));
    text->setHtml(section(tr("Rows"), {rows}) + section(tr("Conditions"), conditions) +
                  section(tr("Program"), named({{tr("Warpscope"), report.programVersion},
                                                {tr("Commit"), report.commit},
                                                {tr("Build"), report.build},
                                                {tr("Compiler"), report.compiler}})) +
                  section(tr("Machine"), {engineText(machineText(report)),
                                          tr("Threads: %1").arg(QString::fromStdString(pinned))}));
    column->addWidget(text, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(kFirstDetails);
}

}  // namespace warpscope::gui
