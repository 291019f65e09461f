#include "watched.hpp"

namespace envgen::bench {
namespace {

Session session_after_look(const Driver& driver, int ordinal, const Nvml& nvml, Conditions& conditions) {
  conditions.before = nvml.state_of(device_facts(driver, ordinal).pci_bus_id);
  return {driver, ordinal};
}

}  // namespace

Watched::Watched(const Context& context)
    : nvml_(context.places),
      driver_(start_driver(context.places)),
      session_(session_after_look(driver_, context.device, nvml_, conditions_)) {}

Conditions Watched::conditions() {
  conditions_.after = nvml_.state_of(session_.device().pci_bus_id);
  return conditions_;
}

}  // namespace envgen::bench
