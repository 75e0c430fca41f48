package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.util.Timestamps;
import dev.bridle.permission.v1.ApprovalDevice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many devices a tenant may enrol. */
final class ApprovalDevicesTest {
  private static final ApprovalDevice GOOD = ApprovalDevice.newBuilder().setId("good").build();
  private static final ApprovalDevice REVOKED =
      GOOD.toBuilder().setRevokedAt(Timestamps.fromMillis(1)).build();

  @Test
  void aTenantEnrolsNoMoreDevicesThanItMay() {
    assertThat(ApprovalDevices.needRoom(devices(499, 0))).hasSize(499);
    assertThatThrownBy(() -> ApprovalDevices.needRoom(devices(500, 0)))
        .hasMessageContaining("revoke one first");
  }

  @Test
  void revokedDevicesMakeRoomForOthersUntilTheyAreFarMore() {
    assertThat(ApprovalDevices.needRoom(devices(499, 1))).hasSize(499);
    assertThat(ApprovalDevices.needRoom(devices(1, 1998))).hasSize(1);
    assertThatThrownBy(() -> ApprovalDevices.needRoom(devices(1, 1999)))
        .hasMessageContaining("with those that were revoked");
  }

  private static List<ApprovalDevice> devices(int good, int revoked) {
    List<ApprovalDevice> all = new ArrayList<>(Collections.nCopies(good, GOOD));
    all.addAll(Collections.nCopies(revoked, REVOKED));
    return all;
  }
}
