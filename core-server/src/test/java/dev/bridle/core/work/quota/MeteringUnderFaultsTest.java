package dev.bridle.core.work.quota;

import dev.bridle.core.fault.UnderFaults;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@UnderFaults(seed = 11)
@DisplayName("Metering under faults of seed 11")
final class MeteringUnderFaultsTest extends MeteringTest {}
