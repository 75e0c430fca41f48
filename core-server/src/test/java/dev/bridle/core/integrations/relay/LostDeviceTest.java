package dev.bridle.core.integrations.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc.ApprovalDeviceServiceBlockingStub;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.permission.v1.RemainingAccess;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that is revoked has nothing left at the relay that a pairing has given to it. */
final class LostDeviceTest {
  @TempDir Path directory;
  private KeyValueStore store;
  private CoreOver core;
  private ApprovalDeviceServiceBlockingStub devices;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, Clock.systemUTC());
    devices = ApprovalDeviceServiceGrpc.newBlockingStub(core.of(Tenants.DEFAULT));
  }

  @AfterEach
  void stop() {
    core.close();
    StoredData.assertSound(store);
    store.close();
  }

  /** Pairs a phone and returns its token. */
  private String paired(String approver) {
    return PairingServiceGrpc.newBlockingStub(core.core().channel())
        .complete(completion(approver))
        .getDeviceToken();
  }

  /** Pairs a phone that has a token once more. */
  private void pairedWith(String token, String approver) {
    var unused =
        PairingServiceGrpc.newBlockingStub(core.as(token)).completeAsApprover(completion(approver));
  }

  private CompleteRequest completion(String approver) {
    String nonce =
        PairingServiceGrpc.newBlockingStub(core.of(Tenants.DEFAULT))
            .initiate(
                InitiateRequest.newBuilder()
                    .setOffer(
                        PairingOffer.newBuilder()
                            .setEnforcerId("gate")
                            .setEnforcerLabel("Build server")
                            .setWorkspaceName("airlock")
                            .setPublicKey("aWRlbnRpdHk"))
                    .build())
            .getNonce();
    return CompleteRequest.newBuilder()
        .setNonce(nonce)
        .setDevice(
            PairingDevice.newBuilder()
                .setApproverId(approver)
                .setDeviceId("device-1")
                .setPublicKey("a3g")
                .setSigningKey("c2lnbg")
                .setMac("bWFj"))
        .build();
  }

  private ApprovalDevice enrolled(String approver) {
    DeviceKeys keys = DeviceKeys.create(new SecureRandom());
    ObjectNode halves = keys.publicHalves();
    return devices.createApprovalDevice(
        CreateApprovalDeviceRequest.newBuilder()
            .setPrincipal("ada")
            .setApproverId(approver)
            .setSignerKeyId(keys.signerKeyId())
            .setSigningKey(halves.get("signingKey").textValue())
            .setAgreementKey(halves.get("agreementKey").textValue())
            .build());
  }

  /** Revokes a device, and returns what it leaves. */
  private RemainingAccess revoke(ApprovalDevice device) {
    return devices
        .revokeApprovalDevice(
            RevokeApprovalDeviceRequest.newBuilder().setApprovalDeviceId(device.getId()).build())
        .getRemainingAccess();
  }

  @Test
  void itsTokenAndItsIdAtTheRelayEndWithIt() {
    RelayClient phone = new RelayClient(core.as(paired("phone-1")));
    ApprovalDevice device = enrolled("phone-1");
    assertThat(phone.requests("phone-1")).isEmpty();

    assertThat(revoke(device)).isEqualTo(RemainingAccess.REMAINING_ACCESS_UNSPECIFIED);

    assertThat(Refusal.of(() -> phone.requests("phone-1")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_UNAUTHENTICATED);
    assertThat(Refusal.of(() -> paired("phone-1")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    assertThat(revoke(device)).isEqualTo(RemainingAccess.REMAINING_ACCESS_UNSPECIFIED);
  }

  @Test
  void whatAnotherDeviceOfTheSameApproverUsesStays() {
    RelayClient phone = new RelayClient(core.as(paired("phone-1")));
    ApprovalDevice former = enrolled("phone-1");
    ApprovalDevice next = enrolled("phone-1");

    assertThat(revoke(former)).isEqualTo(RemainingAccess.REMAINING_ACCESS_SHARED_APPROVER);
    assertThat(phone.requests("phone-1")).isEmpty();

    assertThat(revoke(next)).isEqualTo(RemainingAccess.REMAINING_ACCESS_UNSPECIFIED);
    assertThat(Refusal.of(() -> phone.requests("phone-1")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_UNAUTHENTICATED);
  }

  @Test
  void anIdThatWasPairedWithTheDevicesOwnTokenEndsItTooAndAllItsOtherIds() {
    String token = paired("phone-1");
    RelayClient phone = new RelayClient(core.as(token));
    pairedWith(token, "phone-1-work");
    ApprovalDevice device = enrolled("phone-1-work");

    assertThat(revoke(device)).isEqualTo(RemainingAccess.REMAINING_ACCESS_UNSPECIFIED);

    assertThat(Refusal.of(() -> phone.requests("phone-1-work")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_UNAUTHENTICATED);
    assertThat(Refusal.of(() -> paired("phone-1")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
  }

  @Test
  void aPhoneThatIsStillEnrolledUnderAnotherIdKeepsItsToken() {
    String token = paired("phone-1");
    RelayClient phone = new RelayClient(core.as(token));
    pairedWith(token, "phone-1-work");
    ApprovalDevice first = enrolled("phone-1");
    ApprovalDevice second = enrolled("phone-1-work");

    assertThat(revoke(second)).isEqualTo(RemainingAccess.REMAINING_ACCESS_SHARED_CREDENTIAL);
    assertThat(phone.requests("phone-1")).isEmpty();
    assertThat(Refusal.of(() -> phone.requests("phone-1-work")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);

    assertThat(revoke(first)).isEqualTo(RemainingAccess.REMAINING_ACCESS_UNSPECIFIED);
    assertThat(Refusal.of(() -> phone.requests("phone-1")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_UNAUTHENTICATED);
  }

  @Test
  void anApproverThatAnAdministratorHasCreatedStays() {
    RelayClient person = new RelayClient(core.of(Tenants.DEFAULT));
    person.approver("ada-1", "ada");
    ApprovalDevice device = enrolled("ada-1");

    assertThat(revoke(device)).isEqualTo(RemainingAccess.REMAINING_ACCESS_CREDENTIALS_OF_ACTOR);

    assertThat(person.requests("ada-1")).isEmpty();
  }
}
