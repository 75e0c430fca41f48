package dev.bridle.core.work.artifact;

import dev.bridle.core.fault.UnderFaults;
import org.junit.jupiter.api.DisplayName;

@UnderFaults(seed = 9)
@DisplayName("Uploads under faults of seed 9")
final class ArtifactUploadUnderFaultsTest extends ArtifactUploadTest {}
