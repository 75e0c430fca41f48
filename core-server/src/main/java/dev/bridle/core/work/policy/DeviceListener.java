package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.permission.v1.ApprovalDevice;
import java.util.List;

/** Called with each approval device that is enrolled or revoked, in the same transaction. */
public interface DeviceListener {
  /**
   * Takes note of a new device.
   *
   * @param device the device
   * @param others the other devices of the tenant that are not revoked
   */
  void enrolled(Write write, ApprovalDevice device, List<ApprovalDevice> others);

  /** Takes note that a device was revoked. */
  void revoked(Write write, ApprovalDevice device);
}
