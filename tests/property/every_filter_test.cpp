// Laws of every filter, from the list: a new one gets this for nothing.
#include <QtTest>
#include <map>

#include "engine/measure/agreement.h"
#include "engine/operations/registry.h"
#include "property/any.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Where the whole range would take more than a fraction of a second on the images of this test, or
// where most of it is refused by a variant: the largest value tried. Others that are in pixels go
// up to kMostPixels, beyond the size of the images.
constexpr int kMostPixels = 60;
const std::map<std::string, double, std::less<>> kMost = {{"gaussian_blur.sigma", 9},
                                                          {"gaussian_blur.size", 31},
                                                          {"nl_means.h", 60},
                                                          {"nl_means.patch_radius", 3},
                                                          {"nl_means.search_radius", 4}};

TextParameters anyParameters(const OperationDescription& description) {
    TextParameters parameters;
    for (ParamSpec spec : description.parameters) {
        const auto most = kMost.find(description.id + "." + spec.id);
        spec.hardMax = std::min(spec.hardMax, most != kMost.end() ? most->second
                                              : spec.spatial      ? kMostPixels
                                                                  : spec.hardMax);
        parameters.emplace_back(spec.id, toText(anyValue(spec)));
    }
    return parameters;
}

}  // namespace

class EveryFilterTest : public QObject {
    Q_OBJECT

  private slots:
    void everyWayToComputeAgrees() {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            QVERIFY2(rc::check(description.id,
                               [&] {
                                   const Image image = anyImage(anyFormat(), {70, 40});
                                   const TextParameters parameters = anyParameters(description);
                                   Image reference;
                                   forEachVectorTarget([&](const std::string& target) {
                                       for (const VariantSpec& variant : description.variants) {
                                           for (const Threading threading :
                                                {Threading::Single, Threading::AllCores}) {
                                               Image result;
                                               try {
                                                   result =
                                                       runVariant(*operation, variant.id,
                                                                  parameters, image, threading);
                                               } catch (const std::runtime_error&) {
                                                   // A variant may refuse, `automatic` may not.
                                                   RC_ASSERT(variant.id != kAutomaticVariant);
                                                   continue;
                                               }
                                               if (reference.isNull()) reference = result;
                                               const Agreement agreement = compareImages(
                                                   reference, result, description.agreement);
                                               RC_LOG() << variant.id << " " << target << ": "
                                                        << describe(agreement);
                                               RC_ASSERT(agreement.allowsSpeedup());
                                           }
                                       }
                                   });
                               }),
                     description.id.c_str());
        }
    }
};

WARPSCOPE_TEST(EveryFilterTest)
#include "every_filter_test.moc"
