package dev.bridle.core.work.dispatch;

import dev.bridle.core.fault.UnderFaults;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@UnderFaults(seed = 7)
@DisplayName("Cancellations under faults of seed 7")
final class CancellationUnderFaultsTest extends CancellationTest {}
