package dev.bridle.core.integrations.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingMacs;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.harp.pairing.Possession;
import dev.bridle.harp.pairing.ShortCode;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDevicePairing;
import dev.bridle.permission.v1.ApprovalDevicePairingServiceGrpc;
import dev.bridle.permission.v1.ApprovalDevicePairingServiceGrpc.ApprovalDevicePairingServiceBlockingStub;
import dev.bridle.permission.v1.ApprovalDevicePairingStatus;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ConfirmApprovalDevicePairingRequest;
import dev.bridle.permission.v1.CreateApprovalDevicePairingRequest;
import dev.bridle.permission.v1.GetApprovalDevicePairingRequest;
import dev.bridle.permission.v1.ListApprovalDevicesRequest;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.ResolveRequest;
import dev.bridle.relay.v1.ResolveResponse;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A phone that is paired by a link or a typed code, and enrolled in the same step. */
final class PhonePairingTest {
  private static final String RELAY = "https://bridle.example";
  private static final SecureRandom RANDOM = new SecureRandom();

  @TempDir Path directory;
  private KeyValueStore store;
  private CoreOver core;
  private ApprovalDevicePairingServiceBlockingStub pairings;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, Clock.systemUTC());
    core.core().phonesReach(URI.create(RELAY + "/"));
    pairings = ApprovalDevicePairingServiceGrpc.newBlockingStub(core.of(Tenants.DEFAULT));
  }

  @AfterEach
  void stop() {
    core.close();
    StoredData.assertSound(store);
    store.close();
  }

  private ApprovalDevicePairing begun() {
    return pairings.createApprovalDevicePairing(
        CreateApprovalDevicePairingRequest.newBuilder()
            .setPrincipal("ada")
            .setName("Ada's phone")
            .build());
  }

  private ApprovalDevicePairing now(ApprovalDevicePairing pairing) {
    return pairings.getApprovalDevicePairing(
        GetApprovalDevicePairingRequest.newBuilder()
            .setApprovalDevicePairingId(pairing.getId())
            .build());
  }

  private List<ApprovalDevice> devices() {
    return ApprovalDeviceServiceGrpc.newBlockingStub(core.of(Tenants.DEFAULT))
        .listApprovalDevices(ListApprovalDevicesRequest.getDefaultInstance())
        .getDataList();
  }

  private static PairingQr qr(ApprovalDevicePairing pairing) throws HarpException {
    assertThat(pairing.getUrl()).startsWith(RELAY + "/approve/#harp-pair:1?");
    return PairingQr.parse(pairing.getUrl().substring(pairing.getUrl().indexOf('#') + 1));
  }

  /** What a phone makes, and what it sends of it. */
  private final class Phone {
    private final DeviceKeys keys = DeviceKeys.create(RANDOM);
    private final PairingTranscript transcript;

    Phone(ResolveRequest by) throws HarpException {
      this(by, UnaryOperator.identity());
    }

    Phone(ResolveRequest by, UnaryOperator<PairingOffer> seen) throws HarpException {
      ResolveResponse found = open().resolve(by);
      PairingOffer offer =
          new PairingOffer(
              RELAY,
              found.getNonce(),
              found.getOffer().getEnforcerId(),
              found.getOffer().getPublicKey(),
              found.getOffer().getEnforcerLabel(),
              found.getOffer().getWorkspaceName());
      this.transcript =
          PairingTranscript.of(
              seen.apply(offer),
              PairingDevice.create(
                  keys,
                  "phone-1",
                  JsonNodeFactory.instance.objectNode().put("extensions", true),
                  RANDOM));
    }

    CompleteResponse complete(String mac) {
      PairingDevice device = transcript.device();
      return open()
          .complete(
              CompleteRequest.newBuilder()
                  .setNonce(transcript.offer().nonce())
                  .setDevice(
                      dev.bridle.relay.v1.PairingDevice.newBuilder()
                          .setApproverId(device.approverId())
                          .setDeviceId(device.deviceId())
                          .setPublicKey(device.kxPub())
                          .setSigningKey(device.signPub())
                          .setSignerKeyId(device.kid())
                          .setApproverNonce(device.approverNonce())
                          .setPossession(
                              Base64Url.encode(Possession.prove(transcript, keys.signing())))
                          .setMac(mac)
                          .setCapabilities(
                              ByteString.copyFromUtf8(device.capabilities().toString())))
                  .build());
    }
  }

  private PairingServiceGrpc.PairingServiceBlockingStub open() {
    return PairingServiceGrpc.newBlockingStub(core.core().channel());
  }

  private static ResolveRequest byNonce(PairingQr qr) {
    return ResolveRequest.newBuilder().setNonce(qr.nonce()).build();
  }

  private static PairingMacs macs(PairingQr qr, Phone phone) {
    return PairingMacs.of(qr.secret(), phone.transcript);
  }

  @Test
  void aPhoneThatHasTheSecretOfTheLinkIsEnrolledAtOnce() throws Exception {
    ApprovalDevicePairing pairing = begun();
    PairingQr qr = qr(pairing);
    Phone phone = new Phone(byNonce(qr));
    qr.verifyIdentity(Base64Url.decode(phone.transcript.offer().enforcerKey()).orElseThrow());

    CompleteResponse completed = phone.complete(Base64Url.encode(macs(qr, phone).approver()));

    macs(qr, phone)
        .verifyEnforcer(Base64Url.decode(completed.getAnswer().getConfirmation()).orElseThrow());
    JsonNode enrolment =
        StrictJson.parse(completed.getAnswer().getEnrolment().toByteArray()).path("enrolment");
    assertThat(enrolment.path("principal").asText()).isEqualTo("ada");
    assertThat(enrolment.path("signing_key").asText())
        .isEqualTo(phone.transcript.device().signPub());
    assertThat(devices())
        .singleElement()
        .satisfies(
            device -> {
              assertThat(device.getId()).isEqualTo(completed.getAnswer().getApprovalDeviceId());
              assertThat(device.getName()).isEqualTo("Ada's phone");
              assertThat(device.getOpensExtensions()).isTrue();
              assertThat(device.getEnrolledBy()).isNotEqualTo("device");
            });
    assertThat(now(pairing).getStatus())
        .isEqualTo(ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_COMPLETED);
    assertThat(now(pairing).getUrl()).isEmpty();
    assertThat(now(pairing).getCode()).isEmpty();
  }

  @Test
  void whoCompletesWithoutTheSecretTakesNothing() throws Exception {
    ApprovalDevicePairing pairing = begun();
    PairingQr qr = qr(pairing);
    Phone thief = new Phone(byNonce(qr));

    assertThat(Refusal.of(() -> thief.complete("AAAA")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);

    assertThat(devices()).isEmpty();
    Phone phone = new Phone(byNonce(qr));
    assertThat(
            phone
                .complete(Base64Url.encode(macs(qr, phone).approver()))
                .getAnswer()
                .getApprovalDeviceId())
        .isNotEmpty();
  }

  @Test
  void aPhoneThatWasShownAnotherEnforcersKeyIsNotTaken() throws Exception {
    PairingQr qr = qr(begun());
    String other = DeviceKeys.create(RANDOM).publicHalves().get("signingKey").textValue();
    Phone deceived =
        new Phone(
            byNonce(qr),
            offer ->
                new PairingOffer(
                    offer.relay(),
                    offer.nonce(),
                    offer.enforcerId(),
                    other,
                    offer.enforcerLabel(),
                    offer.workspaceName()));

    assertThatThrownBy(() -> deceived.complete(Base64Url.encode(macs(qr, deceived).approver())))
        .hasMessageContaining("is not proven");
    assertThat(devices()).isEmpty();
  }

  @Test
  void aTypedCodeEnrolsOnceThePersonHasTypedThePhonesBack() throws Exception {
    ApprovalDevicePairing pairing = begun();
    Phone phone = new Phone(ResolveRequest.newBuilder().setCode(pairing.getCode()).build());
    CompleteResponse completed = phone.complete("");
    assertThat(completed.getAnswer().getApprovalDeviceId()).isEmpty();
    assertThat(devices()).isEmpty();
    assertThat(now(pairing).getStatus())
        .isEqualTo(ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_CONFIRM);

    assertThat(Refusal.of(() -> confirm(pairing, "AAAA-AAAA-AAAA-AAAA")).getParam())
        .isEqualTo("short_code");
    assertThat(devices()).isEmpty();
    ApprovalDevicePairing confirmed = confirm(pairing, ShortCode.of(phone.transcript).toString());

    assertThat(confirmed.getStatus())
        .isEqualTo(ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_COMPLETED);
    assertThat(devices()).hasSize(1);
    assertThat(confirm(pairing, "AAAA-AAAA-AAAA-AAAA").getApprovalDeviceId())
        .as("a repeat changes nothing")
        .isEqualTo(confirmed.getApprovalDeviceId());
  }

  private ApprovalDevicePairing confirm(ApprovalDevicePairing pairing, String shortCode) {
    return pairings.confirmApprovalDevicePairing(
        ConfirmApprovalDevicePairingRequest.newBuilder()
            .setApprovalDevicePairingId(pairing.getId())
            .setShortCode(shortCode)
            .build());
  }

  @Test
  void nothingIsConfirmedBeforeAPhoneHasCome() {
    assertThat(Refusal.of(() -> confirm(begun(), "AAAA-AAAA-AAAA-AAAA")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
  }

  @Test
  void aPairingIsNotSeenFromAnotherTenantAndNeedsTheWholeOne() {
    ApprovalDevicePairing pairing = begun();
    var other = ApprovalDevicePairingServiceGrpc.newBlockingStub(core.of("other"));

    assertThat(
            Refusal.of(
                    () ->
                        other.getApprovalDevicePairing(
                            GetApprovalDevicePairingRequest.newBuilder()
                                .setApprovalDevicePairingId(pairing.getId())
                                .build()))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    var reader =
        ApprovalDevicePairingServiceGrpc.newBlockingStub(
            core.as(
                core.core().processCredential(Tenants.DEFAULT, "ben", Set.of("policies:read"))));
    assertThat(
            Refusal.of(
                    () ->
                        reader.createApprovalDevicePairing(
                            CreateApprovalDevicePairingRequest.newBuilder()
                                .setPrincipal("ben")
                                .build()))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }

  @Test
  void aServerThatNoPhoneCanReachSaysWhatToDo() {
    core.core().phonesReach(URI.create("http://192.0.2.7:8085"));

    assertThatThrownBy(this::begun).hasMessageContaining("--harp-tls-cert");
  }
}
