#include "gui/document/document.h"

#include <QSignalSpy>
#include <QTest>

#include "gui_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class DocumentTest : public QObject {
    Q_OBJECT

    static Step step(const char* id) { return makeStep(id).value(); }
    static double sigma(const Document& document, int index) {
        return document.pipeline().steps[std::size_t(index)].parameters.real("sigma");
    }
    static QStringList ids(const Document& document) {
        QStringList list;
        for (const Step& s : document.pipeline().steps) list << QString::fromStdString(s.operation);
        return list;
    }

  private slots:
    void everyEditCanBeUndone() {
        Document d;
        std::vector<Pipeline> states{d.pipeline()};
        const auto did = [&] { states.push_back(d.pipeline()); };
        d.insertStep(0, step("gaussian_blur")), did();
        d.insertStep(1, step("grayscale")), did();
        d.moveStep(0, 1), did();
        d.setStepEnabled(0, false), did();
        d.setParameter(1, "sigma", 4.0, EditPhase::Single), did();
        d.duplicateStep(1), did();
        d.resetStep(2), did();
        d.removeStep(0), did();
        d.replacePipeline(Pipeline{{step("equalize")}}, QStringLiteral("Open")), did();
        QCOMPARE(d.undoStack().count(), int(states.size()) - 1);
        for (auto i = states.size(); i-- > 0;) {
            QCOMPARE(d.pipeline(), states[i]);
            d.undoStack().undo();
        }
        for (const Pipeline& state : states) {
            QCOMPARE(d.pipeline(), state);
            d.undoStack().redo();
        }
    }

    void anOpenedPipelineIsGoneOnWith() {
        Document d;
        d.replacePipeline(Pipeline{{step("equalize"), step("invert")}}, QStringLiteral("Open"));
        QCOMPARE(d.currentStep(), 1);
        QCOMPARE(d.placeOfNewStep(), 2);
    }

    void givenNamesGoWhenNobodyRefersToThem() {
        Document d;
        for (const char* id : {"gaussian_blur", "invert", "blend"})
            d.insertStep(int(d.pipeline().steps.size()), step(id));
        const auto nameOf = [&](int i) { return d.pipeline().steps[std::size_t(i)].name; };
        d.referToStep(2, "with", 0);
        QCOMPARE(nameOf(0), std::string("gaussian_blur"));
        d.referToStep(2, "with", 1);
        QVERIFY(nameOf(0).empty());
        QCOMPARE(nameOf(1), std::string("invert"));
        d.undoStack().undo();
        QCOMPARE(nameOf(0), std::string("gaussian_blur"));
        d.setParameter(2, "with", std::string("source"), EditPhase::Single);
        QVERIFY(nameOf(0).empty());
        // With the step that refers to it, too.
        d.referToStep(2, "with", 1);
        d.removeStep(2);
        QVERIFY(nameOf(1).empty());
        d.undoStack().undo();
        QCOMPARE(nameOf(1), std::string("invert"));
        // What somebody typed stays, the same word also.
        d.setStepName(1, QStringLiteral("invert"));
        d.removeStep(2);
        QCOMPARE(nameOf(1), std::string("invert"));
    }

    void aDragIsOneEntry() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        d.beginInteraction();
        for (int i = 1; i <= 100; ++i) d.setParameter(0, "sigma", 1.0 + i * 0.1, EditPhase::Drag);
        d.endInteraction();
        QCOMPARE(d.undoStack().count(), 2);
        QCOMPARE(sigma(d, 0), 11.0);
        d.undoStack().undo();
        QCOMPARE(sigma(d, 0), 1.0);
    }

    void twoDragsAreTwoEntries() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        for (const double value : {2.0, 3.0}) {
            d.beginInteraction();
            d.setParameter(0, "sigma", value - 0.5, EditPhase::Drag);
            d.setParameter(0, "sigma", value, EditPhase::Drag);
            d.endInteraction();
        }
        QCOMPARE(d.undoStack().count(), 3);
        d.undoStack().undo();
        QCOMPARE(sigma(d, 0), 2.0);
    }

    void draggedThereAndBackLeavesNothing() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        d.beginInteraction();
        d.setParameter(0, "sigma", 5.0, EditPhase::Drag);
        d.setParameter(0, "sigma", 1.0, EditPhase::Drag);
        d.endInteraction();
        QCOMPARE(d.undoStack().count(), 1);
        QCOMPARE(sigma(d, 0), 1.0);
    }

    void dragsOfTwoParametersDoNotMerge() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        d.beginInteraction();
        d.setParameter(0, "sigma", 5.0, EditPhase::Drag);
        d.setParameter(0, "size", std::int64_t(7), EditPhase::Drag);
        d.endInteraction();
        QCOMPARE(d.undoStack().count(), 3);
    }

    void anEditThatChangesNothingIsNoEntry() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        QSignalSpy changed(&d, &Document::pipelineChanged);
        d.setParameter(0, "sigma", sigma(d, 0), EditPhase::Single);
        d.setStepEnabled(0, true);
        d.resetStep(0);
        d.moveStep(0, 0);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(d.undoStack().count(), 1);
    }

    void wrongEditsAreRefused() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        d.setParameter(0, "sigma", 1e9, EditPhase::Single);
        d.setParameter(0, "nothing", 1.0, EditPhase::Single);
        d.setParameter(3, "sigma", 2.0, EditPhase::Single);
        d.removeStep(-1);
        d.moveStep(0, 5);
        d.duplicateStep(9);
        QCOMPARE(d.undoStack().count(), 1);
        QCOMPARE(sigma(d, 0), 1.0);
    }

    void theCurrentStepFollows() {
        Document d;
        QCOMPARE(d.currentStep(), -1);
        d.insertStep(0, step("gaussian_blur"));
        d.insertStep(1, step("grayscale"));
        QCOMPARE(d.currentStep(), 1);
        d.moveStep(1, 0);
        QCOMPARE(d.currentStep(), 0);
        QCOMPARE(ids(d), (QStringList{"grayscale", "gaussian_blur"}));
        d.removeStep(1);
        QCOMPARE(d.currentStep(), 0);
        d.removeStep(0);
        QCOMPARE(d.currentStep(), -1);
        d.undoStack().undo();
        QCOMPARE(d.currentStep(), 0);
    }

    void signalsSayWhatChanged() {
        Document d;
        QSignalSpy changed(&d, &Document::pipelineChanged);
        d.insertStep(0, step("gaussian_blur"));
        QCOMPARE(changed.takeLast().at(0).toBool(), true);
        d.setParameter(0, "sigma", 2.0, EditPhase::Single);
        QCOMPARE(changed.last().at(0).toBool(), false);
        QCOMPARE(changed.takeLast().at(1).toInt(), 0);
        d.undoStack().undo();
        QCOMPARE(changed.takeLast().at(0).toBool(), false);
    }

    void thePipelineHasALimit() {
        Document d;
        Pipeline many;
        many.steps.assign(kMaxSteps, step("grayscale"));
        d.replacePipeline(many, QStringLiteral("Open"));
        QSignalSpy refused(&d, &Document::refused);
        d.insertStep(0, step("grayscale"));
        d.duplicateStep(0);
        QCOMPARE(d.pipeline().steps.size(), kMaxSteps);
        QCOMPARE(refused.count(), 2);  // said each time
        QVERIFY(refused[1][0].toString().contains(QStringLiteral("256")));
    }

    void aPresetIsOneEdit() {
        Document d;
        d.insertStep(0, step("gaussian_blur"));
        ParamSet values = d.pipeline().steps[0].parameters;
        values.set("sigma", 3.5);
        values.set("size", std::int64_t{9});
        d.setStepValues(0, values, "direct_2d", QStringLiteral("Preset"));
        QCOMPARE(d.pipeline().steps[0].parameters.real("sigma"), 3.5);
        QCOMPARE(d.pipeline().steps[0].variant, std::string("direct_2d"));
        d.undoStack().undo();
        QCOMPARE(d.pipeline().steps[0], step("gaussian_blur"));
        QSignalSpy refused(&d, &Document::refused);
        values.set("sigma", 1e9);
        d.setStepValues(0, values, "automatic", QStringLiteral("Preset"));
        QCOMPARE(refused.count(), 1);
        QCOMPARE(d.pipeline().steps[0], step("gaussian_blur"));
    }

    void theRegionStaysWithinTheImage() {
        Document d;
        d.setSource(pyramidOf(sceneOf({64, 48})), {}, QStringLiteral("a"));
        d.setRegion(Rect{50, 40, 100, 100});
        QCOMPARE(d.region(), (Rect{50, 40, 14, 8}));
        d.setSource(pyramidOf(sceneOf({64, 48}, 9)), {}, QStringLiteral("b"));
        QVERIFY(d.region().has_value());
        d.setSource(pyramidOf(sceneOf({65, 48})), {}, QStringLiteral("c"));
        QVERIFY(!d.region().has_value());
        d.setRegion(Rect{100, 100, 5, 5});
        QVERIFY(!d.region().has_value());
    }

    // Each tick of a slider asks several times, and plans may be long.
    void whatIsAskedAgainIsNotPlannedAgain() {
        Document d;
        d.setSource(pyramidOf(sceneOf({64, 48})), {}, QStringLiteral("a"));
        d.insertStep(0, step("resize"));
        d.insertStep(1, step("gaussian_blur"));
        const auto planOf = [&](int count) { return d.shapeBefore(count).steps.at(0).plan; };
        d.setParameter(0, "width", std::int64_t(32), EditPhase::Single);
        const PlanPtr first = planOf(2);
        QVERIFY(planOf(2) == first);
        QCOMPARE(d.shapeBefore(0).place.whole, (Size{64, 48}));
        QVERIFY(planOf(2) == first);
        QCOMPARE(d.shapeBefore(2).place.whole.width, 32);
        d.setParameter(0, "width", std::int64_t(16), EditPhase::Single);
        QCOMPARE(d.shapeBefore(2).place.whole.width, 16);
        d.setStepEnabled(0, false);
        QCOMPARE(d.shapeBefore(2).place.whole, (Size{64, 48}));
        d.setSource(pyramidOf(sceneOf({70, 50})), {}, QStringLiteral("b"));
        QCOMPARE(d.shapeBefore(2).place.whole, (Size{70, 50}));
        d.setSource({}, {}, {});
        QVERIFY(d.shapeBefore(2).steps.empty());
    }
};

WARPSCOPE_TEST(DocumentTest)
#include "document_test.moc"
