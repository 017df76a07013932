// Images too large for the cache: their results are written past it and their rows asked for ahead,
// those of a part of them are not.
#include <utility>

#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class LargeImagesTest : public QObject {
    Q_OBJECT

  private slots:
    void partsAndTheWhole() {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.kind != OperationKind::Filter || d.dependsOnWholeImage || leftOut()) continue;
            // Nothing of the kind there, and slow.
            if (d.id == "nl_means" || d.id == "bilateral" || d.id == "guided_filter") continue;
            for (const auto& [format, size] : {std::pair{PixelFormat::Rgba8, Size{2053, 2061}},
                                               std::pair{PixelFormat::Gray8, Size{2051, 2063}}}) {
                const auto plan = operation->plan(requestFor(*operation, {}, format, size));
                if (!plan) continue;
                const Size made = (*plan)->outputSize;
                comparePart(*operation, {}, makeNoise(format, size, 9),
                            {0, made.height - 90, made.width, 90});
            }
        }
    }
};

WARPSCOPE_TEST(LargeImagesTest)
#include "large_images_test.moc"
