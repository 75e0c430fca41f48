package dev.bridle.core.work.permission;

import dev.bridle.core.fault.UnderFaults;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@UnderFaults(seed = 7)
@DisplayName("Permissions under faults of seed 7")
final class PermissionUnderFaultsTest extends PermissionTest {}
