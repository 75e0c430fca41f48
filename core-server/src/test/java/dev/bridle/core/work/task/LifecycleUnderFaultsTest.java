package dev.bridle.core.work.task;

import dev.bridle.core.fault.UnderFaults;
import org.junit.jupiter.api.DisplayName;

@UnderFaults(seed = 8)
@DisplayName("The lifecycle of tasks under faults of seed 8")
final class LifecycleUnderFaultsTest extends LifecyclePropertyTest {}
