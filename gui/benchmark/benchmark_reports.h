// The results that the benchmark window holds: runs of this machine, files of others, and those
// that are shipped with the program.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/measure/benchmark.h"

namespace warpscope::gui {

struct BenchmarkEntry {
    enum class Origin { Run, File, Shipped };
    int id = 0;  // given by BenchmarkReports
    Origin origin = Origin::Run;
    QString file;  // its path; of a run that was saved, too
    TimingReport report;
    bool running = false;
    bool complete = true;  // false: cancelled before its end
    bool shown = true;     // in the charts and tables
    // Of a run of this session: what to do to have it again.
    std::shared_ptr<const BenchmarkPlan> plan{};

    bool ofThisMachine() const { return origin == Origin::Run; }
};

// "This machine: Intel i7", "office.json, NVIDIA H100".
QString machineName(const BenchmarkEntry& entry);
QString machineDate(const BenchmarkEntry& entry);  // with the time of day for this machine's runs
// "office.json, NVIDIA H100 80GB HBM3, 2026-11-21, Intel Xeon, 16 threads".
QString machineLabel(const BenchmarkEntry& entry);
// What is to be said beside: where it comes from, the number of results, that it is not complete.
QString originText(const BenchmarkEntry& entry);
// "stopped: 12 of 40 rows"; of what is complete or runs nothing.
QString stoppedText(const BenchmarkEntry& entry);
// What makes its figures doubtful: that it was stopped, and what is known of its conditions.
QStringList runWarnings(const BenchmarkEntry& entry);
QString entryTag(std::size_t index);  // "A", "B", ...: the name of an entry in charts

// Errors: those of loadTimings.
Result<BenchmarkEntry> readEntry(const QString& file);
// Every result file in the program's resources.
std::vector<BenchmarkEntry> shippedEntries();

class BenchmarkReports : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    const std::vector<BenchmarkEntry>& entries() const { return m_entries; }
    const BenchmarkEntry* find(int id) const;

    // Earlier runs stay as they are: what was shown can be compared with what comes.
    int beginRun(const TimingReport& head, std::shared_ptr<const BenchmarkPlan> plan = {});
    void setRow(int id, std::size_t index, const StepTiming& row);
    // What is known at its end, conditions after it among it.
    void setReport(int id, const TimingReport& report);
    void endRun(int id, bool complete);
    // A file that is there already is replaced. Gives the id.
    int add(BenchmarkEntry entry);
    void remove(int id);  // not a run that runs
    void setShown(int id, bool shown);
    void setFile(int id, const QString& file);

  signals:
    void listChanged();
    void rowAdded(int id);

  private:
    BenchmarkEntry* mutableFind(int id);

    std::vector<BenchmarkEntry> m_entries;
    int m_lastId = 0;
};

}  // namespace warpscope::gui
