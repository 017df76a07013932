// Saving and converting beside the window.
#include <QTest>
#include <atomic>

#include "gui/base/task_runner.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class TaskRunnerTest : public QObject {
    Q_OBJECT

  private slots:
    void tasksRunElsewhereInOrderAndAreFinished() {
        std::atomic<int> worked = 0;
        QList<int> finished;
        const QThread* window = QThread::currentThread();
        bool elsewhere = true, here = true;
        {
            TaskRunner tasks;
            for (int i = 0; i < 20; ++i)
                tasks.run([&, i]() -> TaskRunner::Finish {
                    elsewhere &= QThread::currentThread() != window;
                    ++worked;
                    return [&, i] {
                        here &= QThread::currentThread() == window;
                        finished << i;
                    };
                });
            QTRY_COMPARE(finished.size(), 20);
            QVERIFY(!tasks.busy());
            for (int i = 0; i < 5; ++i)
                tasks.run([&]() -> TaskRunner::Finish {
                    QThread::msleep(5);
                    ++worked;
                    return {};
                });
        }
        QCOMPARE(worked.load(), 25);  // nothing that was asked for is lost when it goes away
        QVERIFY(elsewhere && here);
        for (int i = 0; i < 20; ++i) QCOMPARE(finished[i], i);
    }
};

WARPSCOPE_TEST(TaskRunnerTest)
#include "task_runner_test.moc"
