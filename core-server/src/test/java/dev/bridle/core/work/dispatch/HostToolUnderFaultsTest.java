package dev.bridle.core.work.dispatch;

import dev.bridle.core.fault.UnderFaults;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@UnderFaults(seed = 11)
@DisplayName("Tools of clients under faults of seed 11")
final class HostToolUnderFaultsTest extends HostToolTest {}
