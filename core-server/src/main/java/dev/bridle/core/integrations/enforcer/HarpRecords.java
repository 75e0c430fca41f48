package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.HarpNonceRecord;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.storage.layer.DueKind;

/**
 * The kinds of records of the enforcer. None is exported: requests end with the time in which they
 * can be decided, and are sealed for devices that only this server trusts.
 */
public final class HarpRecords {
  /** The definition of requests for signed decisions. */
  public static final RecordDef<HarpRequestRecord> REQUEST =
      RecordDef.of(122, "harp request", HarpRequestRecord.parser())
          .id(HarpRequestRecord::getRequestId)
          .indexed(HarpRecords.BY_PERMISSION, HarpRequestRecord::getPermissionRequestId)
          .refersTo("approval_device", HarpRequestRecord::getApprovalDeviceId)
          .alwaysDue(DueKind.HARP_REQUEST, HarpRequestRecord::getDueAt)
          .build();

  /** The definition of nonces that were used. */
  public static final RecordDef<HarpNonceRecord> NONCE =
      RecordDef.of(123, "harp nonce", HarpNonceRecord.parser())
          .id(HarpNonceRecord::getId)
          .refersTo("harp request", HarpNonceRecord::getRequestId)
          .build();

  static final int BY_PERMISSION = 1;

  private HarpRecords() {}
}
