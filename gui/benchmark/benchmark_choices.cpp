#include "gui/benchmark/benchmark_choices.h"

#include <QAbstractButton>
#include <QFormLayout>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/operations/registry.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/benchmark/sweep_choice.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/quiet_combo_box.h"

namespace warpscope::gui {
namespace {

constexpr Size kSizes[] = {{256, 256},   {512, 512},   {1024, 1024}, {1280, 1024},
                           {2048, 2048}, {3840, 2160}, {7680, 4320}};

QString sizeName(const Size& size) {
    if (size == Size{3840, 2160}) return QStringLiteral("4K");
    if (size == Size{7680, 4320}) return QStringLiteral("8K");
    if (size.width == size.height) return QString::number(size.width);
    return QStringLiteral("%1 × %2").arg(size.width).arg(size.height);
}

// "640, 1920x1080"; nothing where it is not that.
std::optional<std::vector<Size>> sizesFrom(const QString& text) {
    static const QRegularExpression pattern(
        QStringLiteral("^([1-9][0-9]{0,6})(?:\\s*[x\u00d7]\\s*([1-9][0-9]{0,6}))?$"),
        QRegularExpression::CaseInsensitiveOption);
    std::vector<Size> sizes;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch match = pattern.match(part.trimmed());
        if (!match.hasMatch()) return std::nullopt;
        const int width = match.captured(1).toInt();
        const int height = match.captured(2).isEmpty() ? width : match.captured(2).toInt();
        if (width > kMaxSide || height > kMaxSide) return std::nullopt;
        sizes.push_back({width, height});
    }
    return sizes;
}

std::string idOf(const QTreeWidgetItem* item) {
    return item->data(0, Qt::UserRole).toString().toStdString();
}

// The wheel scrolls the panel; it does not change figures on its way.
class QuietSpinBox : public QSpinBox {
  public:
    using QSpinBox::QSpinBox;

  protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

QSpinBox* spinBox(const char* name, int low, int high, int step, const QString& suffix) {
    auto* spin = new QuietSpinBox;
    spin->setObjectName(QLatin1String(name));
    spin->setRange(low, high);
    spin->setSingleStep(step);
    spin->setSuffix(suffix);
    spin->setFocusPolicy(Qt::StrongFocus);
    return spin;
}

QVBoxLayout* columnOf(QWidget* parent) {
    auto* layout = new QVBoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    return layout;
}

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

}  // namespace

BenchmarkChoices::BenchmarkChoices(QWidget* parent) : QWidget(parent) {
    auto* column = columnOf(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(12);
    m_sweep = new SweepChoice;
    connect(m_sweep, &SweepChoice::changed, this, &BenchmarkChoices::update);
    for (QWidget* part : {buildPresets(), buildOperations(), static_cast<QWidget*>(m_sweep),
                          buildSizes(), buildBackends(), buildSampling()})
        column->addWidget(part);
    column->addStretch(1);
    choosePreset(Preset::Quick);
}

void BenchmarkChoices::fitTo(int height) {
    constexpr int kEdge = 2;
    // With the whole list, as everything will stand; what was asked for before may be half done.
    const int whole = m_operations->sizeHint().height();
    m_operations->setFixedHeight(whole);
    m_operations->parentWidget()->layout()->activate();
    layout()->invalidate();
    const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width())
                                                     : layout()->totalSizeHint().height();
    resize(width(), std::max(height, wanted));
    layout()->activate();
    int over = 0;
    for (const QWidget* part : findChildren<QWidget*>()) {
        const bool control =
            qobject_cast<const QAbstractButton*>(part) || qobject_cast<const QLabel*>(part) ||
            qobject_cast<const QLineEdit*>(part) || qobject_cast<const QComboBox*>(part);
        if (!control || !part->isVisibleTo(this) || m_operations->isAncestorOf(part)) continue;
        const int top = part->mapTo(this, QPoint()).y();
        const int below = top + part->height() + kEdge - height;
        if (top < height && below > over) over = below;
    }
    m_operations->setFixedHeight(std::max(whole / 2, whole - over));
}

QCheckBox* BenchmarkChoices::box(const char* name, const QString& text, bool on,
                                 const QString& toolTip) {
    auto* check = new QCheckBox(text);
    check->setObjectName(QLatin1String(name));
    check->setChecked(on);
    check->setToolTip(toolTip);
    connect(check, &QCheckBox::toggled, this, &BenchmarkChoices::update);
    return check;
}

QWidget* BenchmarkChoices::buildPresets() {
    auto* part = new QWidget;
    auto* column = columnOf(part);
    column->addWidget(heading(tr("What to time")));
    const struct {
        Preset preset;
        const char* name;
        QString text, toolTip;
    } presets[] = {
        {Preset::Quick, "presetQuick", tr("&Quick"),
         tr("Every operation at three small sizes, well under a minute on most machines")},
        {Preset::EverythingTo4K, "presetEverything", tr("&Everything to 4K"),
         tr("Every operation and variant, cold and warm, from 256 to 4K: minutes")},
        {Preset::SourceTexts, "presetSource", tr("Source &texts"),
         tr("The experiments of the source texts, their figures beside ours")}};
    auto* grid = new QGridLayout;
    grid->setSpacing(4);
    for (int i = 0; i < 3; ++i) {
        auto* button = new QPushButton(presets[i].text);
        button->setObjectName(QLatin1String(presets[i].name));
        button->setToolTip(presets[i].toolTip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this,
                [this, preset = presets[i].preset] { choosePreset(preset); });
        // The middle one has the longest name.
        if (i == 1)
            grid->addWidget(button, 1, 0, 1, 2);
        else
            grid->addWidget(button, 0, i / 2);
    }
    column->addLayout(grid);
    return part;
}

QWidget* BenchmarkChoices::buildOperations() {
    auto* part = new QWidget;
    auto* column = columnOf(part);
    column->addWidget(heading(tr("Operations and variants")));
    m_operations = new QTreeWidget;
    m_operations->setObjectName(QStringLiteral("benchmarkOperations"));
    m_operations->setAccessibleName(tr("Operations and variants to time"));
    m_operations->setHeaderHidden(true);
    m_operations->setIndentation(16);
    m_operations->setFixedHeight(m_operations->sizeHint().height());  // see fitTo
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        auto* item = new QTreeWidgetItem(m_operations, {engineText(d.label)});
        item->setData(0, Qt::UserRole, QString::fromStdString(d.id));
        item->setToolTip(0, engineText(d.summary));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       Qt::ItemIsAutoTristate);
        for (const VariantSpec& variant : d.variants) {
            auto* child = new QTreeWidgetItem(item, {engineText(variant.label)});
            child->setData(0, Qt::UserRole, QString::fromStdString(variant.id));
            child->setToolTip(0, engineText(variant.help));
            child->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                            Qt::ItemNeverHasChildren);
            child->setCheckState(0, Qt::Unchecked);
        }
    }
    connect(m_operations, &QTreeWidget::itemChanged, this, &BenchmarkChoices::update);
    column->addWidget(m_operations);
    return part;
}

QWidget* BenchmarkChoices::buildSizes() {
    auto* part = new QWidget;
    auto* column = columnOf(part);
    column->addWidget(heading(tr("Sizes, pixels")));
    auto* grid = new QGridLayout;
    grid->setSpacing(4);
    grid->setHorizontalSpacing(12);
    int place = 0;
    for (const Size& size : kSizes) {
        const QString name = sizeName(size);
        QCheckBox* check = box("", name, false, tr("A scene that the program makes"));
        check->setObjectName(QStringLiteral("size%1x%2").arg(size.width).arg(size.height));
        check->setAccessibleName(tr("Size %1").arg(name));
        m_sizes.emplace_back(size, check);
        grid->addWidget(check, place / 3, place % 3);
        ++place;
    }
    grid->setColumnStretch(2, 1);
    column->addLayout(grid);
    m_otherSizes = new QLineEdit;
    m_otherSizes->setObjectName(QStringLiteral("otherSizes"));
    m_otherSizes->setPlaceholderText(tr("others: 640, 1920x1080"));
    m_otherSizes->setAccessibleName(tr("Other sizes, with commas between them"));
    connect(m_otherSizes, &QLineEdit::textChanged, this, &BenchmarkChoices::update);
    column->addWidget(m_otherSizes);
    m_imageBox =
        box("imageAtHand", tr("The image at hand"), false, tr("In its own size and format"));
    m_imageBox->setEnabled(false);
    column->addWidget(m_imageBox);
    m_published = box("publishedExperiments", tr("Experiments of the source texts"), false,
                      tr("Each with its own size, noise and parameters"));
    column->addWidget(m_published);
    m_pixels = new QuietComboBox;
    m_pixels->setObjectName(QStringLiteral("benchmarkPixels"));
    m_pixels->addItems(
        {tr("Gray; colour for grayscale"), tr("Gray"), tr("Colour"), tr("Gray and colour")});
    m_pixels->setAccessibleName(tr("Pixels"));
    connect(m_pixels, &QComboBox::currentIndexChanged, this, &BenchmarkChoices::update);
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Pixels"), m_pixels);
    column->addLayout(form);
    return part;
}

QWidget* BenchmarkChoices::buildBackends() {
    auto* part = new QWidget;
    auto* column = columnOf(part);
    column->addWidget(heading(tr("Where")));
    m_single = box("backendSingle", tr("CPU, one thread"), true,
                   tr("Also the result that all others are compared with"));
    m_cores = box("backendCores", tr("CPU, all cores"), true);
    m_gpu = box("backendGpu", tr("GPU"), true);
    m_peers = box("backendPeers", tr("Other libraries"), false);
    for (QCheckBox* check : {m_single, m_cores, m_gpu, m_peers}) column->addWidget(check);
    auto* row = new QGridLayout;
    row->setHorizontalSpacing(12);
    m_warm = box("cacheWarm", tr("Warm"), true, tr("The same input again and again"));
    m_cold = box("cacheCold", tr("Cold"), false,
                 tr("Copies of the input in turn, together larger than the cache"));
    m_warm->setAccessibleName(tr("Warm cache"));
    m_cold->setAccessibleName(tr("Cold cache"));
    row->addWidget(new QLabel(tr("Cache")), 0, 0);
    row->addWidget(m_warm, 0, 1);
    row->addWidget(m_cold, 0, 2);
    row->setColumnStretch(3, 1);
    column->addLayout(row);
    return part;
}

QWidget* BenchmarkChoices::buildSampling() {
    auto* part = new QWidget;
    auto* column = columnOf(part);
    column->addWidget(heading(tr("Samples of each result")));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_repetitions = spinBox("repetitions", 1, 10000, 1, {});
    m_budget = spinBox("budgetMs", 1, 60000, 50, tr(" ms"));
    m_longest = spinBox("longestRow", 1, 3600, 5, tr(" s"));
    m_repetitions->setToolTip(tr("So many at least, the first call and a warm-up not counted"));
    m_budget->setToolTip(tr("After the least number, sampling goes on for so long"));
    m_longest->setToolTip(tr("A result that would take longer is skipped, and says so"));
    form->addRow(tr("At least"), m_repetitions);
    form->addRow(tr("Time for each"), m_budget);
    form->addRow(tr("Skip above"), m_longest);
    m_leastRounds = spinBox("leastRounds", 1, 1000, 1, {});
    m_mostRounds = spinBox("mostRounds", 1, 1000, 5, {});
    m_leastRounds->setToolTip(
        tr("The samples are taken in so many bursts with other results between them: only what "
           "repeats at different moments says how sure a figure is. 1: all at once"));
    m_mostRounds->setToolTip(tr("A result that is noisy gets more rounds, up to so many"));
    form->addRow(tr("Rounds"), m_leastRounds);
    form->addRow(tr("Noisy: up to"), m_mostRounds);
    for (QSpinBox* spin : {m_repetitions, m_budget, m_longest, m_leastRounds, m_mostRounds})
        connect(spin, &QSpinBox::valueChanged, this, &BenchmarkChoices::update);
    column->addLayout(form);
    m_pin = box("pinThreads", tr("Threads stay on their cores"), true,
                tr("Each thread that works is pinned to a core of its own"));
    m_energy = box("measureEnergy", tr("Energy of the GPU"), true,
                   tr("Where the device counts it; about half a second a result"));
    column->addWidget(m_pin);
    column->addWidget(m_energy);
    return part;
}

BenchmarkPlan BenchmarkChoices::presetPlan(Preset preset) {
    BenchmarkPlan plan;
    for (const Operation* operation : allOperations())
        plan.operations.push_back(operation->description().id);
    switch (preset) {
        case Preset::Quick:
            plan.sizes = {{256, 256}, {512, 512}, {1024, 1024}};
            plan.sampling.budgetMs = 50;
            plan.longestRowSeconds = 5;
            break;
        case Preset::EverythingTo4K:
            plan.sizes = {{256, 256}, {512, 512}, {1024, 1024}, {1280, 1024}, {3840, 2160}};
            plan.allVariants = true;
            plan.cold = true;
            plan.peers = true;
            break;
        case Preset::SourceTexts:
            plan.operations.clear();
            plan.published = true;
            break;
    }
    return plan;
}

void BenchmarkChoices::choosePreset(Preset preset) {
    setPlan(presetPlan(preset));
}

// What stands disabled for itself does not count; while a run has the whole panel disabled, its
// choices are still there.
BenchmarkPlan BenchmarkChoices::plan() const {
    BenchmarkPlan plan;
    for (int i = 0; i < m_operations->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* item = m_operations->topLevelItem(i);
        std::vector<std::string> variants;
        for (int c = 0; c < item->childCount(); ++c)
            if (item->child(c)->checkState(0) == Qt::Checked)
                variants.push_back(idOf(item->child(c)));
        if (variants.empty()) continue;
        plan.operations.push_back(idOf(item));
        plan.variants[idOf(item)] = std::move(variants);
    }
    plan.published = m_published->isChecked();
    m_sweep->applyTo(plan);
    // An empty list of operations means all of them; here it means none.
    if (!plan.operations.empty()) {
        for (const auto& [size, check] : m_sizes)
            if (check->isChecked()) plan.sizes.push_back(size);
        for (const Size& size : sizesFrom(m_otherSizes->text()).value_or(std::vector<Size>{}))
            plan.sizes.push_back(size);
        if (m_imageBox->isChecked() && m_imageBox->isEnabledTo(this)) {
            plan.image = m_image;
            plan.imageName = m_imageName.toStdString();
            plan.imageFile = m_imageFile.toStdString();
        }
    }
    plan.pixels = BenchmarkPixels(m_pixels->currentIndex());
    plan.backends.clear();
    if (m_single->isChecked()) plan.backends.push_back(BackendKind::CpuSingle);
    if (m_cores->isChecked()) plan.backends.push_back(BackendKind::Cpu);
    if (m_gpu->isChecked() && m_gpu->isEnabledTo(this)) plan.backends.push_back(BackendKind::Cuda);
    plan.peers = m_peers->isChecked() && m_peers->isEnabledTo(this);
    plan.warm = m_warm->isChecked();
    plan.cold = m_cold->isChecked();
    plan.sampling.minSamples = m_repetitions->value();
    plan.sampling.maxSamples = std::max(plan.sampling.maxSamples, plan.sampling.minSamples);
    plan.sampling.budgetMs = m_budget->value();
    plan.sampling.minRounds = m_leastRounds->value();
    plan.sampling.maxRounds = std::max(m_mostRounds->value(), m_leastRounds->value());
    plan.pinThreads = m_pin->isChecked();
    plan.energy = m_energy->isChecked();
    plan.longestRowSeconds = m_longest->value();
    return plan;
}

void BenchmarkChoices::setPlan(const BenchmarkPlan& plan) {
    m_filling = true;
    for (int i = 0; i < m_operations->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_operations->topLevelItem(i);
        const std::string id = idOf(item);
        const bool wanted =
            std::find(plan.operations.begin(), plan.operations.end(), id) != plan.operations.end();
        const auto listed = plan.variants.find(id);
        for (int c = 0; c < item->childCount(); ++c) {
            const std::string variant = idOf(item->child(c));
            const bool on = listed != plan.variants.end()
                                ? std::find(listed->second.begin(), listed->second.end(),
                                            variant) != listed->second.end()
                                : plan.allVariants || variant == kAutomaticVariant;
            item->child(c)->setCheckState(0, wanted && on ? Qt::Checked : Qt::Unchecked);
        }
    }
    for (const auto& [size, check] : m_sizes)
        check->setChecked(std::find(plan.sizes.begin(), plan.sizes.end(), size) !=
                          plan.sizes.end());
    QStringList others;
    for (const Size& size : plan.sizes)
        if (std::find(std::begin(kSizes), std::end(kSizes), size) == std::end(kSizes))
            others << QStringLiteral("%1x%2").arg(size.width).arg(size.height);
    m_otherSizes->setText(others.join(QStringLiteral(", ")));
    m_imageBox->setChecked(!plan.image.isNull());
    m_published->setChecked(plan.published);
    m_pixels->setCurrentIndex(int(plan.pixels));
    const auto wants = [&](BackendKind kind) {
        return std::find(plan.backends.begin(), plan.backends.end(), kind) != plan.backends.end();
    };
    m_single->setChecked(wants(BackendKind::CpuSingle));
    m_cores->setChecked(wants(BackendKind::Cpu));
    m_gpu->setChecked(wants(BackendKind::Cuda) && m_gpu->isEnabledTo(this));
    m_peers->setChecked(plan.peers && m_peers->isEnabledTo(this));
    m_warm->setChecked(plan.warm);
    m_cold->setChecked(plan.cold);
    m_repetitions->setValue(plan.sampling.minSamples);
    m_budget->setValue(int(plan.sampling.budgetMs));
    m_longest->setValue(int(plan.longestRowSeconds));
    m_leastRounds->setValue(plan.sampling.minRounds);
    m_mostRounds->setValue(plan.sampling.maxRounds);
    m_pin->setChecked(plan.pinThreads);
    m_energy->setChecked(plan.energy);
    m_sweep->setOff();
    m_filling = false;
    update();
}

void BenchmarkChoices::setImage(const Image& image, const QString& name, const QString& file) {
    m_image = image;
    m_imageName = name;
    m_imageFile = file;
    m_imageBox->setEnabled(!image.isNull());
    if (image.isNull()) m_imageBox->setChecked(false);
    m_imageBox->setText(image.isNull() ? tr("The image at hand (none is open)")
                                       : tr("The image at hand, %1 × %2")
                                             .arg(QString::number(image.size().width),
                                                  QString::number(image.size().height)));
    m_imageBox->setToolTip(image.isNull() ? tr("Open one in the main window")
                                          : tr("%1, in its own size and format").arg(name));
    update();
}

void BenchmarkChoices::setGpu(bool available, const QString& label, const QString& why) {
    m_gpu->setEnabled(available);
    m_gpu->setChecked(available);
    m_gpu->setText(available ? tr("GPU") : tr("GPU (not available)"));
    m_gpu->setToolTip(available ? label : why);
    m_gpu->setAccessibleDescription(available ? label : why);
    m_energy->setVisible(available);
    update();
}

void BenchmarkChoices::setPeers(bool available, const QString& label, const QString& why) {
    m_peers->setEnabled(available);
    if (!available) m_peers->setChecked(false);
    m_peers->setText(available ? tr("Others: %1").arg(label)
                               : tr("Other libraries (not available)"));
    // Of several one may be missing, and says why.
    QStringList tip;
    if (available) tip << tr("On the same data by the same clock; never one side of our speedups");
    if (!why.isEmpty()) tip << why;
    m_peers->setToolTip(tip.join(QLatin1Char('\n')));
    update();
}

void BenchmarkChoices::update() {
    if (m_filling || !m_energy) return;  // not built yet
    m_operations->setToolTip(m_sweep->isOn() ? tr("A sweep times its operation alone, in the "
                                                  "variants that are chosen here")
                                             : QString());
    m_summary = summarize(plan());
    if (const QString problem = m_sweep->problem(); !problem.isEmpty()) m_summary.problem = problem;
    if (!sizesFrom(m_otherSizes->text()))
        m_summary.problem = tr("\"%1\" is no list of sizes: 640, 1920x1080, with sides up to %2.")
                                .arg(m_otherSizes->text(), QString::number(kMaxSide));
    emit changed();
}

bool BenchmarkChoices::sweeps() const {
    return m_sweep->isOn();
}

}  // namespace warpscope::gui
