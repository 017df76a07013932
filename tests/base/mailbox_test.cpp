// The one way from thread to thread: nothing lost, the latest where that is wanted, one wake-up.
#include <thread>

#include "engine/base/mailbox.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

struct Value {
    int kind = 0;
    int number = 0;
};

bool sameKindOne(const Value& waiting, const Value& newer) {
    return waiting.kind == 1 && newer.kind == 1;
}

}  // namespace

class MailboxTest : public QObject {
    Q_OBJECT
  private slots:
    void nothingIsLostBetweenThreads() {
        Mailbox<int> mailbox;
        std::vector<int> taken;
        std::jthread receiver([&](const std::stop_token& stop) {
            while (const auto value = mailbox.wait(stop)) taken.push_back(*value);
        });
        for (int i = 0; i < 1000; ++i) mailbox.post(i);
        // What waits is still given once the receiver is to stop.
        receiver.request_stop();
        receiver.join();
        QCOMPARE(taken.size(), std::size_t(1000));
        for (int i = 0; i < 1000; ++i) QCOMPARE(taken[std::size_t(i)], i);
    }

    void theLatestOfAKindWins() {
        Mailbox<Value> mailbox({}, sameKindOne);
        for (const Value value : {Value{1, 1}, Value{0, 2}, Value{1, 3}, Value{0, 4}})
            mailbox.post(value);
        std::vector<int> numbers;
        for (const Value& value : mailbox.take()) numbers.push_back(value.number);
        QCOMPARE(numbers, (std::vector<int>{2, 3, 4}));  // behind what came before it
        Mailbox<int> slot({}, Mailbox<int>::always);
        for (int i = 0; i < 5; ++i) slot.post(i);
        QCOMPARE(slot.take(), std::deque<int>{4});
    }

    void wakesOnceUntilItIsTaken() {
        int woken = 0;
        Mailbox<int> mailbox([&] { ++woken; });
        mailbox.post(1);
        mailbox.post(2);
        QCOMPARE(woken, 1);
        QCOMPARE(mailbox.take().size(), std::size_t(2));
        mailbox.post(3);
        QCOMPARE(woken, 2);
        mailbox.clear();
        QVERIFY(mailbox.take().empty());
    }

    void manyPostAtOnce() {
        std::atomic<int> woken{0};
        Mailbox<int> mailbox([&] { ++woken; });
        std::size_t taken = 0;
        {
            std::vector<std::jthread> posting;
            for (int t = 0; t < 4; ++t)
                posting.emplace_back([&] {
                    for (int i = 0; i < 500; ++i) mailbox.post(i);
                });
            while (taken < 1000) taken += mailbox.take().size();
        }
        taken += mailbox.take().size();
        QCOMPARE(taken, std::size_t(2000));
        QVERIFY(woken >= 1);
    }
};

WARPSCOPE_TEST(MailboxTest)
#include "mailbox_test.moc"
