// A management library that answers every call, or every call with an error.
#pragma once

#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>

#include "engine/measure/nvml.h"

struct FakeNvml {
    static inline int answer = 0;
    static inline std::string asked;
    static inline unsigned long long reasons = 0;
    static inline unsigned long long millijoules = 0;
    static inline std::vector<unsigned> pids;

    static int text(char* to, unsigned length, const char* from) {
        if (answer == 0) std::strncpy(to, from, length);
        return answer;
    }
    template <class Value>
    static int put(Value* to, Value value) {
        if (answer == 0) *to = value;
        return answer;
    }

    static warpscope::NvmlFunctions functions() {
        using F = warpscope::NvmlFunctions;
        using D = F::Device;
        F all;
        all.getHandleByIndex = [](unsigned i, D*) { return asked = "i" + std::to_string(i), 0; };
        all.getHandleByUuid = [](const char* id, D*) { return asked = std::string("u") + id, 0; };
        all.getHandleByPciBusId = [](const char* id, D*) {
            return asked = std::string("p") + id, 0;
        };
        all.getDriverVersion = [](char* to, unsigned n) { return text(to, n, "555.1"); };
        all.getName = [](D, char* to, unsigned n) { return text(to, n, "Fast GPU"); };
        all.getUuid = [](D, char* to, unsigned n) { return text(to, n, "GPU-1"); };
        all.getClock = [](D, int kind, unsigned* to) { return put(to, 1000u + unsigned(kind)); };
        all.getMaxClock = [](D, int kind, unsigned* to) { return put(to, 2000u + unsigned(kind)); };
        all.getApplicationsClock = [](D, int, unsigned* to) { return put(to, 1500u); };
        all.getPower = [](D, unsigned* to) { return put(to, 412'400u); };
        all.getPowerLimit = [](D, unsigned* to) { return put(to, 700'000u); };
        all.getTemperature = [](D, int, unsigned* to) { return put(to, 54u); };
        all.getEventReasons = [](D, unsigned long long* to) { return put(to, reasons); };
        all.getUtilization = [](D, warpscope::NvmlUtilization* to) {
            return put(to, warpscope::NvmlUtilization{97, 30});
        };
        all.getPersistence = [](D, int* to) { return put(to, 1); };
        all.getPerformanceState = [](D, int* to) { return put(to, 2); };
        all.getProcesses = [](D, unsigned* count, warpscope::NvmlProcess* to) {
            const unsigned room = *count;
            *count = unsigned(pids.size());
            if (answer != 0) return answer;
            if (room < pids.size()) return 7;
            for (std::size_t i = 0; i < pids.size(); ++i) to[i].pid = pids[i];
            return 0;
        };
        all.getMemory = [](D, warpscope::NvmlMemory* to) {
            return put(to, warpscope::NvmlMemory{80ull << 30, 60ull << 30, 20ull << 30});
        };
        all.getEcc = [](D, int* on, int*) { return put(on, 0); };
        all.getEnergy = [](D, unsigned long long* to) { return put(to, millijoules); };
        return all;
    }
    static warpscope::NvmlPtr make() {
        answer = 0;
        asked.clear();
        reasons = 0;
        millijoules = 0;
        pids = {unsigned(getpid())};
        return std::make_shared<const warpscope::NvmlFunctions>(functions());
    }
};
