#include "gui/benchmark/benchmark_reports.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "engine/report/plot.h"
#include "engine/report/report_file.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

// Files say it in UTC; people know their own time.
QString dateText(const TimingReport& report, bool withTime) {
    const QString date = QString::fromStdString(report.date);
    const QDateTime at = QDateTime::fromString(date, Qt::ISODate);
    if (!at.isValid()) return date.isEmpty() ? tr("no date") : date.left(10);
    return withTime ? at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))
                    : at.toString(QStringLiteral("yyyy-MM-dd"));
}

}  // namespace

QString machineName(const BenchmarkEntry& entry) {
    const MachineInfo& machine = entry.report.machine;
    const std::string& name = machine.gpu.empty() ? machine.cpu : machine.gpu;
    const QString known = name.empty() ? tr("unknown machine") : QString::fromStdString(name);
    if (entry.ofThisMachine()) return tr("This machine: %1").arg(known);
    // Two files of one machine are two names.
    const QString file = QFileInfo(entry.file).fileName();
    return file.isEmpty() ? known : QStringLiteral("%1, %2").arg(file, known);
}

QString machineDate(const BenchmarkEntry& entry) {
    return dateText(entry.report, entry.ofThisMachine());
}

QString machineLabel(const BenchmarkEntry& entry) {
    const MachineInfo& machine = entry.report.machine;
    QStringList parts{machineName(entry), machineDate(entry)};
    if (!machine.gpu.empty() && !machine.cpu.empty()) parts << QString::fromStdString(machine.cpu);
    if (machine.threads > 0)
        parts << (machine.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(machine.threads));
    return parts.join(QStringLiteral(", "));
}

QString originText(const BenchmarkEntry& entry) {
    QStringList parts;
    if (entry.origin == BenchmarkEntry::Origin::Shipped) parts << tr("shipped with the program");
    if (!entry.file.isEmpty() && entry.ofThisMachine()) parts << QFileInfo(entry.file).fileName();
    const std::size_t count = entry.report.results.size();
    const bool stopped = !entry.running && !entry.complete;
    if (!stopped || entry.report.rowsPlanned == 0)
        parts << (count == 1 ? tr("1 result") : tr("%1 results").arg(count));
    if (entry.running)
        parts << tr("running");
    else if (!entry.complete)
        parts << stoppedText(entry);
    return parts.join(QStringLiteral(", "));
}

QString stoppedText(const BenchmarkEntry& entry) {
    if (entry.running || entry.complete) return {};
    const TimingReport& report = entry.report;
    if (report.rowsPlanned == 0) return tr("stopped before the end");
    return tr("stopped: %1 of %2 rows").arg(report.results.size()).arg(report.rowsPlanned);
}

QStringList runWarnings(const BenchmarkEntry& entry) {
    QStringList said;
    if (const QString stopped = stoppedText(entry); !stopped.isEmpty()) said << stopped;
    const TimingReport& report = entry.report;
    if (report.before)
        for (const std::string& warning :
             warnings(*report.before, report.after.value_or(*report.before)))
            said << engineText(warning);
    return said;
}

QString entryTag(std::size_t index) {
    return QString::fromStdString(sourceTag(index));
}

Result<BenchmarkEntry> readEntry(const QString& file) {
    auto report = loadTimings(QFile::encodeName(file).toStdString());
    if (!report) return fail(report.error());
    BenchmarkEntry entry;
    entry.origin = BenchmarkEntry::Origin::File;
    entry.file = QFileInfo(file).absoluteFilePath();
    entry.report = std::move(*report);
    entry.complete = entry.report.complete;
    return entry;
}

std::vector<BenchmarkEntry> shippedEntries() {
    Theme::instance();  // registers the resources
    std::vector<BenchmarkEntry> entries;
    const QDir folder(QStringLiteral(":/timings"));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray bytes = file.readAll();
        auto report = parseTimings(std::string_view(bytes.constData(), std::size_t(bytes.size())));
        if (!report) continue;  // a test reads every shipped file
        BenchmarkEntry entry;
        entry.origin = BenchmarkEntry::Origin::Shipped;
        entry.file = file.fileName();
        entry.report = std::move(*report);
        entries.push_back(std::move(entry));
    }
    return entries;
}

const BenchmarkEntry* BenchmarkReports::find(int id) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [id](const BenchmarkEntry& e) { return e.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

BenchmarkEntry* BenchmarkReports::mutableFind(int id) {
    return const_cast<BenchmarkEntry*>(std::as_const(*this).find(id));
}

int BenchmarkReports::beginRun(const TimingReport& head,
                               std::shared_ptr<const BenchmarkPlan> plan) {
    BenchmarkEntry entry;
    entry.report = head;
    entry.plan = std::move(plan);
    entry.running = true;
    entry.complete = false;
    return add(std::move(entry));
}

void BenchmarkReports::setRow(int id, std::size_t index, const StepTiming& row) {
    if (BenchmarkEntry* entry = mutableFind(id)) {
        std::vector<StepTiming>& rows = entry->report.results;
        if (rows.size() <= index) rows.resize(index + 1);
        rows[index] = row;
        emit rowAdded(id);
    }
}

void BenchmarkReports::setReport(int id, const TimingReport& report) {
    if (BenchmarkEntry* entry = mutableFind(id)) entry->report = report;
}

void BenchmarkReports::endRun(int id, bool complete) {
    if (BenchmarkEntry* entry = mutableFind(id)) {
        entry->running = false;
        entry->complete = entry->report.complete = complete;
        emit listChanged();
    }
}

int BenchmarkReports::add(BenchmarkEntry entry) {
    entry.id = ++m_lastId;
    const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto& e) {
        return !e.ofThisMachine() && !entry.ofThisMachine() && e.file == entry.file;
    });
    if (same != m_entries.end())
        *same = std::move(entry);
    else
        m_entries.push_back(std::move(entry));
    emit listChanged();
    return m_lastId;
}

void BenchmarkReports::remove(int id) {
    const auto gone =
        std::erase_if(m_entries, [id](const auto& e) { return e.id == id && !e.running; });
    if (gone > 0) emit listChanged();
}

void BenchmarkReports::setShown(int id, bool shown) {
    BenchmarkEntry* entry = mutableFind(id);
    if (!entry || entry->shown == shown) return;
    entry->shown = shown;
    emit listChanged();
}

void BenchmarkReports::setFile(int id, const QString& file) {
    if (BenchmarkEntry* entry = mutableFind(id)) {
        entry->file = file;
        emit listChanged();
    }
}

}  // namespace warpscope::gui
