#include "gui/steps/operation_previews.h"

#include <algorithm>
#include <utility>

#include "gui/base/queued_call.h"
#include "gui/display/contrast_part.h"
#include "gui/display/small_picture.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/label_result.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr std::uint64_t kMostCache = 64ull << 20;
constexpr std::int64_t kMostShared = 512 * 512;
constexpr std::int64_t kMostPreviewPixels = 4 << 20;
constexpr std::chrono::milliseconds kMostTime{1500};

}  // namespace

OperationPreviews::OperationPreviews(Document& document, EngineBridge& bridge,
                                     const DisplaySettings& display, std::function<Rect()> seen,
                                     QObject* parent)
    : QObject(parent),
      m_document(document),
      m_bridge(bridge),
      m_display(display),
      m_seen(std::move(seen)),
      m_pictures(queuedCall(this, "drain")) {
    const auto anew = [this] {
        if (m_active) compute();
    };
    connect(&document, &Document::sourceChanged, this, &OperationPreviews::sourceGone);
    connect(&document, &Document::secondChanged, this, &OperationPreviews::sourceGone);
    connect(&document, &Document::pipelineChanged, this, anew);
    connect(&document, &Document::currentStepChanged, this, anew);
    connect(&document, &Document::regionChanged, this, anew);
    connect(&display, &DisplaySettings::changed, this, &OperationPreviews::lookChanged);
    connect(&Theme::instance(), &Theme::changed, this, &OperationPreviews::lookChanged);
}

OperationPreviews::~OperationPreviews() = default;

bool OperationPreviews::possible() const {
    return m_document.source() && m_bridge.held().isEmpty();
}

void OperationPreviews::begin(QSize room) {
    m_active = true;
    m_room = room;
    compute();
}

void OperationPreviews::end() {
    m_active = false;
    if (m_renderer) m_renderer->cancel();
    ++m_revision;
    m_pictures.clear();
    m_previews.clear();
}

// What is kept for the images that were there would hold their memory.
void OperationPreviews::sourceGone() {
    if (m_active) return compute();
    if (m_renderer) m_renderer->start({});
}

// Of what is seen, as much as has room, where the chain has left something of it.
Rect OperationPreviews::partOf(const Rect& seen) const {
    const Size size = m_document.image().size();
    const Rect whole{0, 0, size.width, size.height};
    Rect part = intersect(seen, whole);
    if (part.empty()) part = whole;
    const ChainShape shape = m_document.shapeBefore(m_document.placeOfNewStep());
    const Size made = shape.place.reduced;
    const Rect left =
        intersect(mapped(shape.sourceFromResult, {0, 0, made.width, made.height}), whole);
    if (const Rect both = intersect(part, left); !both.empty())
        part = both;
    else if (!left.empty())
        part = left;
    return partOfMostContrast(*m_document.source(), part, {m_room.width(), m_room.height()});
}

void OperationPreviews::compute() {
    if (m_renderer) m_renderer->cancel();
    ++m_revision;
    m_pictures.clear();
    m_previews.clear();
    m_part = {};
    if (possible()) m_part = partOf(m_document.region().value_or(m_seen()));
    emit begun();
    if (m_part.empty()) return;
    ChainJob job = jobOf();
    m_operations = {{}};
    const int place = m_document.placeOfNewStep();
    const PixelFormat given = m_document.shapeBefore(place).format;
    Pipeline chain = m_document.pipeline();
    chain.steps.resize(std::size_t(place));
    job.step = chain.steps.size();
    job.cells.push_back(chain);
    for (const Operation* operation : allOperations()) {
        const OperationDescription& description = operation->description();
        if (description.kind != OperationKind::Filter || !description.acceptsFormat(given))
            continue;
        auto step = m_document.stepToAdd(description.id);
        if (!step) continue;
        if (!description.example.empty()) step->parameters = description.exampleParameters();
        m_operations.push_back(description.id);
        job.cells.push_back(chain);
        job.cells.back().steps.push_back(std::move(*step));
    }
    m_labels.clear();
    for (const Pipeline& cell : job.cells) m_labels.push_back(givesLabels(cell));
    if (!m_renderer)
        m_renderer = std::make_unique<ChainRenderer>(
            [this](ChainPicture picture) { m_pictures.post(std::move(picture)); },
            std::min(kMostCache, m_bridge.memoryBudget() / 4));
    m_renderer->start(std::move(job));
}

ChainJob OperationPreviews::jobOf() const {
    ChainJob job;
    job.revision = m_revision;
    job.source = m_document.source();
    job.second = m_document.second();
    job.viewport = {m_part, std::min(double(m_room.width()) / m_part.width,
                                     double(m_room.height()) / m_part.height)};
    job.quickFirst = true;
    job.mostSharedPixels = kMostShared;
    job.mostPixels = kMostPreviewPixels;
    job.mostTime = kMostTime;
    return job;
}

const OperationPreviews::Preview* OperationPreviews::of(const std::string& operation) const {
    const auto found = m_previews.find(operation);
    return found == m_previews.end() ? nullptr : &found->second;
}

QImage OperationPreviews::drawn(const Preview& preview) const {
    if (preview.picture.isNull()) return {};
    DisplayLook look = lookForPart(m_display, preview.picture);
    if (preview.labels) look = lookOfLabels(look, preview.picture);
    return smallPicture(preview.picture, sizeIn(m_room, preview.picture.size()), look);
}

void OperationPreviews::drain() {
    for (ChainPicture& ready : m_pictures.take()) {
        if (!m_active || ready.revision != m_revision) continue;
        const std::string operation = m_operations[ready.index];
        m_previews[operation] = {ready.picture, engineText(ready.problem), ready.gaveUp,
                                 m_labels[ready.index]};
        emit arrived(operation);
    }
}

}  // namespace warpscope::gui
