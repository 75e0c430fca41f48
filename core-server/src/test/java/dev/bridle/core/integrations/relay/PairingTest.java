package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.ConfirmRequest;
import dev.bridle.relay.v1.GetPairingRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.ListDevicesOfEnforcerRequest;
import dev.bridle.relay.v1.ListDevicesOfEnforcerResponse;
import dev.bridle.relay.v1.ListDevicesRequest;
import dev.bridle.relay.v1.PairedDevice;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.PairingServiceGrpc.PairingServiceBlockingStub;
import dev.bridle.relay.v1.PairingStatus;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import dev.bridle.relay.v1.ResolveRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer and phones that have no credential yet. */
final class PairingTest {
  private static final Instant UNTIL = Instant.parse("2026-11-25T12:00:00Z");
  private static final PairingOffer OFFER =
      PairingOffer.newBuilder()
          .setEnforcerId("gate")
          .setEnforcerLabel("Build server")
          .setWorkspaceName("airlock")
          .setPublicKey("aWRlbnRpdHk")
          .build();

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-25T10:00:00Z");
  private KeyValueStore store;
  private CoreOver core;
  private PairingServiceBlockingStub enforcer;
  private PairingServiceBlockingStub phone;
  private RelayClient relay;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    enforcer = PairingServiceGrpc.newBlockingStub(core.of(Tenants.DEFAULT));
    phone = PairingServiceGrpc.newBlockingStub(core.core().channel());
    relay = new RelayClient(core.of(Tenants.DEFAULT));
  }

  @AfterEach
  void stop() {
    core.close();
    StoredData.assertSound(store);
    store.close();
  }

  private InitiateResponse initiate() {
    return enforcer.initiate(InitiateRequest.newBuilder().setOffer(OFFER).build());
  }

  private String resolve(String code) {
    return phone.resolve(ResolveRequest.newBuilder().setCode(code).build()).getNonce();
  }

  private CompleteResponse complete(String nonce, String approver) {
    return phone.complete(
        CompleteRequest.newBuilder().setNonce(nonce).setDevice(device(approver)).build());
  }

  private static PairingDevice device(String approver) {
    return PairingDevice.newBuilder()
        .setApproverId(approver)
        .setDeviceId("device-1")
        .setPublicKey("a3g")
        .setSigningKey("c2lnbg")
        .setMac("bWFj")
        .setCapabilities(ByteString.copyFromUtf8("{\"push\":true}"))
        .build();
  }

  private PairingStatus status(String nonce) {
    return enforcer.getPairing(GetPairingRequest.newBuilder().setNonce(nonce).build());
  }

  @Test
  void aDeviceFindsTheEnforcerByItsCodeHoweverItIsTypedAndBothGetTheOthersKeys() {
    InitiateResponse begun = initiate();
    String typed = begun.getCode().toLowerCase(Locale.ROOT);
    var resolved =
        phone.resolve(
            ResolveRequest.newBuilder()
                .setCode(typed.substring(0, 4) + "-" + typed.substring(4))
                .build());

    assertThat(resolved.getOffer()).isEqualTo(OFFER);
    assertThat(resolved.getNonce()).isEqualTo(begun.getNonce());
    assertThat(status(begun.getNonce()).hasDevice()).isFalse();
    CompleteResponse completed = complete(resolved.getNonce(), "ada");
    PairingStatus status = status(begun.getNonce());
    assertThat(status.getDevice()).isEqualTo(device("ada"));
    assertThat(status.getRoutingToken()).isEqualTo(completed.getRoutingToken());
  }

  @Test
  void theEnforcersProofReachesTheDeviceThatHasCompletedAndNobodyElse() {
    String nonce = resolve(initiate().getCode());
    ConfirmRequest proof = ConfirmRequest.newBuilder().setNonce(nonce).setMac("cHJvb2Y").build();
    assertThat(Refusal.of(() -> enforcer.confirm(proof)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    CompleteResponse ada = complete(nonce, "ada");
    CompleteResponse ben = complete(resolve(initiate().getCode()), "ben");
    PairingServiceBlockingStub adas =
        PairingServiceGrpc.newBlockingStub(core.as(ada.getDeviceToken()));
    PairingServiceBlockingStub bens =
        PairingServiceGrpc.newBlockingStub(core.as(ben.getDeviceToken()));
    GetPairingRequest asked = GetPairingRequest.newBuilder().setNonce(nonce).build();
    assertThat(adas.getPairing(asked).getConfirmation()).isEmpty();

    var unused = enforcer.confirm(proof);
    var unusedRepeat = enforcer.confirm(proof);

    assertThat(adas.getPairing(asked).getConfirmation()).isEqualTo("cHJvb2Y");
    assertThat(status(nonce).getConfirmation()).isEqualTo("cHJvb2Y");
    assertThat(Refusal.of(() -> bens.getPairing(asked)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(Refusal.of(() -> adas.confirm(proof)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
    ConfirmRequest other = proof.toBuilder().setMac("b3RoZXI").build();
    assertThat(Refusal.of(() -> enforcer.confirm(other)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
  }

  @Test
  void aPairedDevicePairsWithASecondEnforcerByItsOwnToken() {
    CompleteResponse ada = complete(resolve(initiate().getCode()), "ada");
    CompleteResponse ben = complete(resolve(initiate().getCode()), "ben");
    PairingServiceBlockingStub adas =
        PairingServiceGrpc.newBlockingStub(core.as(ada.getDeviceToken()));
    PairingServiceBlockingStub bens =
        PairingServiceGrpc.newBlockingStub(core.as(ben.getDeviceToken()));
    PairingOffer second = OFFER.toBuilder().setEnforcerId("gate-2").build();
    String nonce =
        enforcer.initiate(InitiateRequest.newBuilder().setOffer(second).build()).getNonce();
    CompleteRequest request =
        CompleteRequest.newBuilder().setNonce(nonce).setDevice(device("ada")).build();

    assertThat(Refusal.of(() -> bens.completeAsApprover(request)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    CompleteResponse completed = adas.completeAsApprover(request);

    assertThat(completed.getOffer()).isEqualTo(second);
    assertThat(completed.getDeviceToken()).isEmpty();
    assertThat(completed.getRoutingToken()).isNotEqualTo(ada.getRoutingToken());
    assertThat(adas.completeAsApprover(request)).isEqualTo(completed);
    assertThat(status(nonce).getDevice()).isEqualTo(device("ada"));
    assertThat(Refusal.of(() -> complete(nonce, "eve")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
  }

  @Test
  void theDevicesTokenReachesItsOwnPartyAndNothingElse() {
    CompleteResponse ada = complete(resolve(initiate().getCode()), "ada");
    CompleteResponse ben = complete(resolve(initiate().getCode()), "ben");
    RelayClient adas = new RelayClient(core.as(ada.getDeviceToken()));
    relay.submit(routed("r1", ada.getRoutingToken()));
    relay.submit(routed("r2", ben.getRoutingToken()));

    assertThat(RelayClient.ids(adas.requests("ada"))).containsExactly("r1");
    Relayed.assertNotFound(() -> adas.requests("ben"));
    Relayed.assertNotFound(() -> adas.decide(decision("ben", "r2", "n1")));
    adas.decide(decision("ada", "r1", "n1"));
    assertThat(relay.state("r1")).isEqualTo("decided");
    assertThat(Refusal.of(() -> adas.submit(routed("r3", ada.getRoutingToken()))).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }

  @Test
  void aRoutingTokenIsOfOneEnforcer() {
    CompleteResponse ada = complete(resolve(initiate().getCode()), "ada");

    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_POLICY_DENY",
        "unknown_routing_token",
        () ->
            relay.submit(
                artifact(
                    "another-gate",
                    "r1",
                    HASH,
                    UNTIL,
                    envelope -> metadata(envelope).put("routingToken", ada.getRoutingToken()))));
  }

  private static ByteString routed(String request, String token) {
    return artifact(
        "gate", request, HASH, UNTIL, envelope -> metadata(envelope).put("routingToken", token));
  }

  private static ObjectNode metadata(ObjectNode envelope) {
    return (ObjectNode) envelope.get("body").get("metadata");
  }

  @Test
  void aPairingIsCompletedOnceAndItsCodeUsedOnce() {
    InitiateResponse begun = initiate();
    complete(begun.getNonce(), "ada");

    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "AlreadyExistsConflict",
        "completed",
        () -> complete(begun.getNonce(), "ben"));
    Relayed.assertNotFound(() -> resolve(begun.getCode()));
    Relayed.assertNotFound(() -> relay.requests("ben"));
  }

  private PairingServiceBlockingStub phoneWithKey(String idempotencyKey) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), idempotencyKey);
    return phone.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @Test
  void aDeviceWhoseAnswerWasLostGetsItsTokenByTheSameCall() {
    String nonce = initiate().getNonce();
    CompleteRequest request =
        CompleteRequest.newBuilder().setNonce(nonce).setDevice(device("ada")).build();
    CompleteResponse first = phoneWithKey("secret-of-the-phone").complete(request);
    RelayClient adas = new RelayClient(core.as(first.getDeviceToken()));

    clock.pass(Duration.ofMinutes(9));

    assertThat(phoneWithKey("secret-of-the-phone").complete(request)).isEqualTo(first);
    assertThat(adas.requests("ada")).isEmpty();
    assertThat(devicesOf("gate")).hasSize(1);
  }

  @Test
  void onlyTheSameCallIsRepeated() {
    String nonce = initiate().getNonce();
    CompleteRequest request =
        CompleteRequest.newBuilder().setNonce(nonce).setDevice(device("ada")).build();
    var unused = phoneWithKey("secret-of-the-phone").complete(request);
    PairingDevice other = device("ada").toBuilder().setMac("b3RoZXI").build();

    assertCompleted(() -> phoneWithKey("guessed").complete(request));
    assertCompleted(() -> phone.complete(request));
    assertCompleted(
        () ->
            phoneWithKey("secret-of-the-phone")
                .complete(request.toBuilder().setDevice(other).build()));
    relay.revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");
    assertCompleted(() -> phoneWithKey("secret-of-the-phone").complete(request));
  }

  @Test
  void aCompletionIsNotRepeatedOnceThePairingIsOver() {
    CompleteRequest request =
        CompleteRequest.newBuilder()
            .setNonce(initiate().getNonce())
            .setDevice(device("ada"))
            .build();
    var unused = phoneWithKey("secret-of-the-phone").complete(request);

    clock.pass(Duration.ofMinutes(10));

    assertCompleted(() -> phoneWithKey("secret-of-the-phone").complete(request));
  }

  @Test
  void aCompletionWithoutAKeyOfItsOwnIsNotRepeated() {
    CompleteRequest request =
        CompleteRequest.newBuilder()
            .setNonce(initiate().getNonce())
            .setDevice(device("ada"))
            .build();
    var unused = phone.complete(request);

    assertCompleted(() -> phone.complete(request));
  }

  private static void assertCompleted(ThrowingCallable call) {
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "AlreadyExistsConflict", "completed", call);
  }

  @Test
  void anApproverThatIsKnownIsNotTakenOver() {
    relay.approver("ada", "");
    InitiateResponse begun = initiate();

    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "AlreadyExistsConflict",
        "approver_taken",
        () -> complete(begun.getNonce(), "ada"));
    assertThat(complete(begun.getNonce(), "ada-2").getDeviceToken()).startsWith("brk_");
  }

  @Test
  void aRevokedApproversTokenIsOfNoUseAnyMore() {
    CompleteResponse ada = complete(resolve(initiate().getCode()), "ada");
    RelayClient adas = new RelayClient(core.as(ada.getDeviceToken()));
    relay.revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");

    assertThat(Refusal.of(() -> adas.requests("ada")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_UNAUTHENTICATED);
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_POLICY_DENY",
        "no_approver",
        () -> relay.submit(routed("r1", ada.getRoutingToken())));
  }

  @Test
  void aPairingEndsAfterTenMinutesAndLeavesNothing() {
    InitiateResponse begun = initiate();
    complete(initiate().getNonce(), "ada");
    clock.pass(Duration.ofMinutes(10));

    Relayed.assertNotFound(() -> resolve(begun.getCode()));
    Relayed.assertNotFound(() -> complete(begun.getNonce(), "ben"));
    clock.pass(Duration.ofDays(1));
    await().untilAsserted(() -> assertThat(codes()).isZero());
    Relayed.assertNotFound(() -> status(begun.getNonce()));
  }

  private int codes() {
    return store.<Integer>read(
        tr -> tr.getRange(new Rows(KeyLayout.root()).below(SystemSpace.PAIRING), 100).size());
  }

  @Test
  void anEnforcerListsItsDevicesAndAnAdministratorAllOfThem() {
    complete(initiate().getNonce(), "ada");
    complete(initiate().getNonce(), "ben");
    PairingOffer second = OFFER.toBuilder().setEnforcerId("gate-2").build();
    complete(
        enforcer.initiate(InitiateRequest.newBuilder().setOffer(second).build()).getNonce(), "cy");
    relay.revoke(PartyRole.PARTY_ROLE_APPROVER, "ben");
    clock.pass(Duration.ofDays(2));

    List<PairedDevice> own = devicesOf("gate");

    assertThat(own)
        .extracting(PairedDevice::getApproverId, PairedDevice::hasRevokedAt)
        .containsExactlyInAnyOrder(tuple("ada", false), tuple("ben", true));
    assertThat(own)
        .allSatisfy(
            device -> {
              assertThat(device.getEnforcerId()).isEqualTo("gate");
              assertThat(device.getDeviceId()).isEqualTo("device-1");
              assertThat(device.getSigningKey()).isEqualTo("c2lnbg");
              assertThat(device.getPublicKey()).isEqualTo("a3g");
              assertThat(Timestamps.toString(device.getPairedAt()))
                  .isEqualTo("2026-11-25T10:00:00Z");
            });
    assertThat(allDevices())
        .extracting(PairedDevice::getApproverId)
        .containsExactlyInAnyOrder("ada", "ben", "cy");
    PairingServiceBlockingStub eve =
        PairingServiceGrpc.newBlockingStub(
            core.as(core.core().processCredential(Tenants.DEFAULT, "eve", Set.of("*"))));
    Relayed.assertNotFound(
        () ->
            eve.listDevicesOfEnforcer(
                ListDevicesOfEnforcerRequest.newBuilder().setEnforcerId("gate").build()));
  }

  /** Returns the devices of an enforcer, which are read a page of one at a time. */
  private List<PairedDevice> devicesOf(String id) {
    List<PairedDevice> devices = new ArrayList<>();
    ListDevicesOfEnforcerRequest.Builder ask =
        ListDevicesOfEnforcerRequest.newBuilder().setEnforcerId(id).setLimit(1);
    ListDevicesOfEnforcerResponse page = enforcer.listDevicesOfEnforcer(ask.build());
    devices.addAll(page.getDataList());
    while (page.getPage().getHasMore()) {
      page = enforcer.listDevicesOfEnforcer(ask.setCursor(page.getPage().getNextCursor()).build());
      devices.addAll(page.getDataList());
    }
    return devices;
  }

  private List<PairedDevice> allDevices() {
    return RelayAdminServiceGrpc.newBlockingStub(core.of(Tenants.DEFAULT))
        .listDevices(ListDevicesRequest.getDefaultInstance())
        .getDataList();
  }

  @Test
  void thePairingOfAnotherActorsEnforcerIsNotFound() {
    InitiateResponse begun = initiate();
    Channel eve = core.as(core.core().processCredential(Tenants.DEFAULT, "eve", Set.of("*")));
    PairingServiceBlockingStub other = PairingServiceGrpc.newBlockingStub(eve);

    Relayed.assertNotFound(
        () -> other.getPairing(GetPairingRequest.newBuilder().setNonce(begun.getNonce()).build()));
    Relayed.assertNotFound(
        () -> other.initiate(InitiateRequest.newBuilder().setOffer(OFFER).build()));
  }

  @Test
  void wrongCodesOfAnAddressAreLimitedAndThoseOfAGatewayHereAreNot() {
    ResolveRequest wrong = ResolveRequest.newBuilder().setCode("00000000").build();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", core.core().grpcPort()).usePlaintext().build();
    try {
      PairingServiceBlockingStub remote = PairingServiceGrpc.newBlockingStub(channel);
      List<ErrorCode> codes =
          IntStream.range(0, 60)
              .mapToObj(n -> Refusal.of(() -> remote.resolve(wrong)).getCode())
              .distinct()
              .toList();

      assertThat(codes)
          .containsExactly(
              ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, ErrorCode.ERROR_CODE_RATE_LIMITED);
      assertThat(Refusal.of(() -> resolve("00000000")).getCode())
          .as("a gateway of the same process bounds its own clients")
          .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void anEnforcerHasTwentyPairingsOpenAtMost() {
    for (int i = 0; i < 20; i++) {
      initiate();
    }

    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_RATE_LIMITED,
        "HARP_ERR_TRANSPORT",
        "too_many_pairings",
        this::initiate);
  }
}
