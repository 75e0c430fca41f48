package dev.bridle.core.work.policy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceAction;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.AgreementKey;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.RemainingAccess;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The devices whose signed decisions count as an approver's answers. A key that was a device's is
 * never another one's, so that a signature names one device for good.
 */
public final class ApprovalDevices extends TenantSharedRules<ApprovalDevice> {
  /**
   * The definition of device records. They are not exported: whoever imports a tenant enrols the
   * devices that it trusts by itself.
   */
  public static final RecordDef<ApprovalDevice> APPROVAL_DEVICE =
      RecordDef.of(121, "approval_device", ApprovalDevice.parser())
          .id(ApprovalDevice::getId)
          .listed()
          .configuration()
          .withStream()
          .build();

  /** The most devices of a tenant that are not revoked. */
  static final int MOST = 500;

  /** The most with those that were revoked, which are kept, since their keys name them for good. */
  static final int MOST_EVER = 2000;

  private static final FieldDescriptor REMAINING_ACCESS =
      ApprovalDevice.getDescriptor()
          .findFieldByNumber(ApprovalDevice.REMAINING_ACCESS_FIELD_NUMBER);

  private final KeyLayout layout;
  private final ReceiptKeys keys;
  private final ApprovalRelays relays;
  private final DeviceListener listener;

  private ApprovalDevices(
      KeyLayout layout, ReceiptKeys keys, ApprovalRelays relays, DeviceListener listener) {
    this.layout = layout;
    this.keys = keys;
    this.relays = relays;
    this.listener = listener;
  }

  /**
   * Returns the definition of the resource.
   *
   * @param revocations called with each device that is revoked
   * @param listener called with each device that is enrolled or revoked
   */
  public static ResourceDef<ApprovalDevice, ApprovalDevice> resource(
      CoreContext context, DeviceRevocations revocations, DeviceListener listener) {
    return ResourceDef.of(
            APPROVAL_DEVICE,
            ApprovalDeviceServiceGrpc.getServiceDescriptor(),
            ApprovalDevice.getDefaultInstance(),
            new ApprovalDevices(
                context.layout(),
                new ReceiptKeys(new SigningKeys(context)),
                context.settings(ApprovalRelays.class),
                listener))
        .with(
            Map.of(
                "RevokeApprovalDevice",
                ResourceAction.checked(
                    Caller::needWholeTenant,
                    (write, before, request) -> {
                      if (before.hasRevokedAt()) {
                        return Optional.empty();
                      }
                      listener.revoked(write, before);
                      return Optional.of(
                          revoke(
                              write, before, request, left(context, revocations, write, before)));
                    })));
  }

  /** Returns whether a tenant has devices, revoked ones too. */
  public static boolean anyEnrolled(Configuration configuration) {
    return !in(configuration).isEmpty();
  }

  /** Returns the devices of a tenant that are not revoked, oldest first. */
  public static List<ApprovalDevice> good(Configuration configuration) {
    return in(configuration).stream().filter(device -> !device.hasRevokedAt()).toList();
  }

  /** Returns a device of a tenant, whether or not it is revoked. */
  public static Optional<ApprovalDevice> find(Configuration configuration, String id) {
    return in(configuration).stream().filter(device -> device.getId().equals(id)).findFirst();
  }

  private static List<ApprovalDevice> in(Configuration configuration) {
    return configuration.listed(APPROVAL_DEVICE, RecordDef.ALL, MOST_EVER);
  }

  /** Returns the key that verifies the decisions of a device. */
  public static VerificationKey signingKey(ApprovalDevice device) {
    return VerificationKey.of(key(device.getSigningKey()).orElseThrow(), KeyValidity.UNBOUNDED);
  }

  /** Returns the key that artifacts are sealed for. */
  public static byte[] agreementKey(ApprovalDevice device) {
    return key(device.getAgreementKey()).orElseThrow();
  }

  /** Returns whose device it is and which keys it has, as signed at its enrolment, as JSON. */
  public static ByteString enrolment(String tenant, ApprovalDevice device) {
    return device.hasEnrolment() ? device.getEnrolment() : DeviceEnrolment.unsigned(tenant, device);
  }

  private static Optional<byte[]> key(String text) {
    return Base64Url.decode(text).filter(bytes -> bytes.length == AgreementKey.BYTES);
  }

  @Override
  public ApprovalDevice create(Write write, Caller caller, Message request, ApprovalDevice device) {
    needUsable(device);
    needRelay(write, device);
    List<ApprovalDevice> others =
        in(Configurations.unremembered(layout, write.tr(), write.tenant()));
    needNew(others, device, "signer_key_id", ApprovalDevice::getSignerKeyId);
    needNew(others, device, "signing_key", ApprovalDevice::getSigningKey);
    needNew(others, device, "agreement_key", ApprovalDevice::getAgreementKey);
    List<ApprovalDevice> good = needRoom(others);
    ApprovalDevice enrolled = device.toBuilder().setEnrolledBy(caller.actor()).build();
    listener.enrolled(write, enrolled, good);
    return enrolled.toBuilder().setEnrolment(DeviceEnrolment.signed(write, keys, enrolled)).build();
  }

  /** Checks that one more may be enrolled, and returns those that are not revoked. */
  static List<ApprovalDevice> needRoom(List<ApprovalDevice> others) {
    List<ApprovalDevice> good = others.stream().filter(other -> !other.hasRevokedAt()).toList();
    if (good.size() >= MOST) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The tenant has as many approval devices as it may; revoke one first.")
          .with("max_approval_devices", MOST);
    }
    if (others.size() >= MOST_EVER) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The tenant has had as many approval devices as it may, with those that were revoked.")
          .with("max_approval_devices_ever", MOST_EVER);
    }
    return good;
  }

  private static void needNew(
      List<ApprovalDevice> others,
      ApprovalDevice device,
      String member,
      Function<ApprovalDevice, String> value) {
    if (others.stream().map(value).anyMatch(value.apply(device)::equals)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Another device has or had this '" + member + "'; make new keys on the device.")
          .blaming(member);
    }
  }

  private void needRelay(Write write, ApprovalDevice device) {
    if (device.hasRelay() && !relays.allows(write.tenant(), device.getRelay())) {
      throw ProtocolException.invalid(
          "relay", "names no relay that the server's operator has configured for this tenant");
    }
  }

  private static void needUsable(ApprovalDevice device) {
    byte[] signs = need("signing_key", device.getSigningKey());
    byte[] agrees = need("agreement_key", device.getAgreementKey());
    try {
      var unused = VerificationKey.of(signs, KeyValidity.UNBOUNDED);
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid("signing_key", "is no Ed25519 key that may be used");
    }
    try {
      AgreementKey.checkPublicKey(agrees);
    } catch (HarpException e) {
      throw ProtocolException.invalid("agreement_key", "is no X25519 key that may be used");
    }
  }

  private static byte[] need(String member, String text) {
    return key(text)
        .orElseThrow(() -> ProtocolException.invalid(member, "must be 32 bytes in base64url"));
  }

  /** Ends what a revoked device has at the relay, and returns what is left. */
  private static RemainingAccess left(
      CoreContext context, DeviceRevocations revocations, Write write, ApprovalDevice device) {
    if (device.hasRelay()) {
      return RemainingAccess.REMAINING_ACCESS_OTHER_RELAY;
    }
    return isLast(context, write, device)
        ? revocations.revoked(write, device)
        : RemainingAccess.REMAINING_ACCESS_SHARED_APPROVER;
  }

  /** Returns whether a device's approver has no other one at this server's relay. */
  private static boolean isLast(CoreContext context, Write write, ApprovalDevice device) {
    return in(Configurations.unremembered(context.layout(), write.tr(), write.tenant())).stream()
        .filter(other -> !other.hasRevokedAt() && !other.hasRelay())
        .filter(other -> !other.getId().equals(device.getId()))
        .noneMatch(other -> other.getApproverId().equals(device.getApproverId()));
  }

  private static ResourceAction.Change<ApprovalDevice> revoke(
      Write write, ApprovalDevice before, Message request, RemainingAccess left) {
    RevokeApprovalDeviceRequest asked = (RevokeApprovalDeviceRequest) request;
    var now = Timestamps.fromMillis(write.nowMillis());
    ApprovalDevice.Builder after =
        before.toBuilder().setUpdatedAt(now).setRevokedAt(now).setRevokedBy(write.actor());
    Payload facts =
        Payload.of().text("revoked_at", Timestamps.toString(now)).text("revoked_by", write.actor());
    if (asked.hasReason()) {
      after.setRevokeReason(asked.getReason());
      facts.text("revoke_reason", asked.getReason());
    }
    if (left != RemainingAccess.REMAINING_ACCESS_UNSPECIFIED) {
      after.setRemainingAccess(left);
    }
    ApprovalDevice revoked = after.build();
    if (revoked.hasRemainingAccess()) {
      facts.json("remaining_access", ResourceJson.member(revoked, REMAINING_ACCESS));
    }
    return new ResourceAction.Change<>(revoked, facts);
  }
}
