#include "gui/widgets/bench_command.h"

#include <QRegularExpression>
#include <QStringList>

#include "engine/operations/parameters.h"

namespace warpscope::gui {
namespace {

QString stepText(const StepTiming& row) {
    QStringList parts;
    for (const auto& [name, value] : row.parameters.values())
        parts << QStringLiteral("%1=%2").arg(QString::fromStdString(name),
                                             QString::fromStdString(toText(value)));
    if (!row.variant.empty())
        parts << QStringLiteral("variant=%1").arg(QString::fromStdString(row.variant));
    const QString id = QString::fromStdString(row.operation);
    return parts.isEmpty() ? id : QStringLiteral("%1:%2").arg(id, parts.join(QLatin1Char(',')));
}

}  // namespace

QString shellQuoted(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(word).hasMatch()) return word;
    QString inner = word;
    inner.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QStringLiteral("'%1'").arg(inner);
}

QString benchCommand(const StepTiming& row) {
    QStringList words{QStringLiteral("warpscope-cli"), QStringLiteral("bench")};
    const auto option = [&](const char* name, const QString& value) {
        words << QLatin1String(name) << shellQuoted(value);
    };
    if (!row.experiment.empty()) {
        words << QStringLiteral("--published");
    } else {
        option("--step", stepText(row));
        if (!row.imageName.empty()) {
            option("--image", QString::fromStdString(row.imageName));
        } else {
            option("--sizes", QStringLiteral("%1x%2").arg(row.width).arg(row.height));
            option("--pixels",
                   isColor(row.format) ? QStringLiteral("color") : QStringLiteral("gray"));
        }
    }
    const bool peer = row.backendRequested.isPeer() || !row.peer.empty();
    option("--backends", peer ? QString::fromUtf8(backendId(row.backendRequested.kind()).data())
                              : QString::fromStdString(row.backendRequested.id()));
    if (peer) words << QStringLiteral("--peers");
    option("--cache", row.cold ? QStringLiteral("cold") : QStringLiteral("warm"));
    return words.join(QLatin1Char(' '));
}

}  // namespace warpscope::gui
