// Sessions of random content, and chains for them.
#pragma once

#include <QRandomGenerator>

#include "gui/inspector/pinned_list.h"
#include "gui/session/session_json.h"
#include "support/random_seed.h"

namespace warpscope::gui {

struct Chance {
    QRandomGenerator random{test::freshSeed()};

    bool flag() { return random.bounded(2) == 1; }
    int below(int end) { return random.bounded(end); }
    double between(double low, double high) { return low + (high - low) * random.generateDouble(); }
};

inline Pipeline randomChain(Chance& chance) {
    Pipeline chain;
    chain.steps = {
        parseStep("gaussian_blur:sigma=" + std::to_string(1 + chance.below(40) / 10.0)).value(),
        parseStep("curves:points=0:0;128:" + std::to_string(chance.below(256)) + ";255:255")
            .value(),
        parseStep("median:radius=" + std::to_string(1 + chance.below(3))).value(),
        parseStep("blend:with=step:early,opacity=" + std::to_string(chance.below(101))).value(),
        parseStep("invert").value()};
    chain.steps[0].name = "early";
    chain.steps[std::size_t(1 + chance.below(2))].enabled = chance.flag();
    if (chance.flag()) chain.steps.pop_back();
    return chain;
}

inline ViewLook randomLook(Chance& chance) {
    return {.channel = kAllViewChannels[chance.below(5)],
            .map = kAllColorMaps[chance.below(6)],
            .stops = chance.between(-kMostStops, kMostStops),
            .gamma = chance.between(kLeastGamma, kMostGamma),
            .zebra = chance.flag()};
}

// Nothing in it depends on files that are there.
inline Session randomSession(Chance& chance) {
    const auto image = [&](const char* name) {
        SessionImage made;
        made.path = QStringLiteral("/somewhere/%1 %2 ü.png")
                        .arg(QLatin1String(name))
                        .arg(chance.below(1000));
        if (chance.flag()) made.relative = QStringLiteral("../%1.png").arg(QLatin1String(name));
        if (chance.flag()) made.bytes = chance.below(1 << 30);
        if (chance.flag()) made.changedMs = qint64(chance.below(1 << 30)) * 2000;
        if (chance.flag()) made.sha256 = QString(64, QLatin1Char('a'));
        return made;
    };
    const auto rect = [&] {
        return Rect{chance.below(1000), chance.below(1000), 1 + chance.below(99),
                    1 + chance.below(99)};
    };
    const auto spot = [&]() -> ViewSpot {
        if (chance.flag()) return {};
        return {chance.between(0.01, 60), {chance.between(-99, 999), chance.between(-99, 999)}};
    };
    Session session;
    session.shown = image("shown");
    session.page = chance.below(9);
    if (chance.flag()) session.list = {image("a"), image("b")};
    for (int i = chance.below(4); i > 0; --i)
        session.kept.push_back({image("kept"), spot(), rect()});
    if (chance.flag()) session.second = image("second");
    if (chance.flag()) session.compared = image("compared");
    if (chance.flag()) {
        session.shown = {};
        session.page = 0;
        session.scene = SessionScene{{1 + chance.below(99), 1 + chance.below(99)}, chance.flag()};
    }
    if (chance.flag()) session.left << QStringLiteral("Pasted image");
    session.pipeline = randomChain(chance);
    session.step = chance.below(int(session.pipeline.steps.size()) + 1) - 1;
    session.mode = ViewMode(chance.below(6));
    session.view = spot();
    session.difference = {DifferenceKind(chance.below(2)), 1 << chance.below(9)};
    if (chance.flag()) session.wipe.turn();
    session.wipe.moveTo(chance.between(0, 1));
    session.display.choice = RangeChoice(chance.below(4));
    session.display.logarithmic = chance.flag();
    session.display.profileShown = chance.flag();
    session.display.view = randomLook(chance);
    for (auto& range : session.display.manual)
        if (chance.flag()) range = DisplayRange{chance.between(-9, 9), chance.between(10, 1e6)};
    if (chance.flag())
        session.region = chance.flag() ? RegionShape::ellipse(rect()) : RegionShape(rect());
    for (int i = chance.below(PinnedList::kMost + 1); i > 0; --i)
        session.pins.emplace_back(chance.below(9999), chance.below(9999));
    if (chance.flag())
        session.line = QLineF(0.5, 1.5, chance.between(2, 99), chance.between(2, 99));
    session.histogram = {{chance.flag(), chance.flag(), chance.flag(), chance.flag()},
                         chance.flag(),
                         chance.flag(),
                         CountScale(chance.below(2))};
    session.scopes = {ScopeKind(chance.below(3)), chance.flag(), chance.flag(),
                      chance.below(120) - 40};
    if (chance.flag())
        session.strip = StripState{QStringLiteral("sigma"),
                                   3 + 2 * chance.below(4),
                                   chance.flag() ? QStringLiteral("mode") : QString(),
                                   3 + 2 * chance.below(4),
                                   chance.flag(),
                                   chance.flag()};
    return session;
}

}  // namespace warpscope::gui
