package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.RemainingAccess;

/** Called with each approval device that is revoked, in the same transaction. */
public interface DeviceRevocations {
  /**
   * Ends what the device has besides its keys.
   *
   * @param device a device of this server's relay, of whose approver no other one is left
   * @return what is left of that; unspecified for nothing
   */
  RemainingAccess revoked(Write write, ApprovalDevice device);
}
