package dev.bridle.core.work.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionGrant;
import org.junit.jupiter.api.Test;

class ErasedGrantTest {
  @Test
  void nothingThatAnybodyWroteOrNamedIsLeftOfAGrant() {
    PermissionGrant grant =
        PermissionGrant.newBuilder()
            .setId("grant_1")
            .setScope(GrantScope.GRANT_SCOPE_TOOL)
            .setCovers("Whatever the tool 'told' is asked to do in this session.")
            .setTool("told")
            .setFolder("/told")
            .setFingerprint("sha256:told")
            .setRevokeReason("told")
            .build();

    PermissionGrant erased = new ErasedContent("redaction_1").of(grant);

    assertThat(erased.toString()).doesNotContain("told");
    assertThat(erased.hasTool()).as("a tool could have the name that stands for it").isFalse();
    assertThat(erased.getId()).isEqualTo("grant_1");
  }
}
