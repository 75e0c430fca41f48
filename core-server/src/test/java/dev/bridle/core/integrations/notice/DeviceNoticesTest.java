package dev.bridle.core.integrations.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.core.integrations.relay.ApproverNotices;
import dev.bridle.core.integrations.relay.OpenChannel;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalDeviceTest;
import dev.bridle.permission.v1.ApprovalDeviceTestServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.permission.v1.GetApprovalDeviceTestRequest;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.permission.v1.TestApprovalDeviceRequest;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import io.grpc.Channel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices get notices that the server signs: of each new device, and as a test. */
final class DeviceNoticesTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String OTHER = "other";

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-25T10:00:00Z");
  private KeyValueStore store;
  private CoreOver core;
  private Channel owner;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    owner = core.of(Tenants.DEFAULT);
  }

  @AfterEach
  void stop() {
    core.close();
    StoredData.assertSound(store);
    store.close();
  }

  /** A device that is enrolled, and its inbox. */
  private final class Device {
    private final String approver;
    private final NoticeReader reader;
    private final RelayClient relay;
    private final Channel caller;
    private final ApprovalDevice enrolled;

    Device(String tenant, String approver, String name) {
      this(core.of(tenant), approver, name);
    }

    Device(Channel caller, String approver, String name) {
      this.approver = approver;
      this.caller = caller;
      this.reader = new NoticeReader(approver, DeviceKeys.create(RANDOM));
      this.relay = new RelayClient(caller);
      relay.approver(approver, "");
      CreateApprovalDeviceRequest.Builder request = reader.enrolment();
      if (!name.isEmpty()) {
        request.setName(name);
      }
      this.enrolled =
          ApprovalDeviceServiceGrpc.newBlockingStub(caller).createApprovalDevice(request.build());
    }

    List<JsonNode> notices() {
      return relay.notices(approver).stream()
          .filter(one -> reader.open(one).isPresent())
          .map(one -> reader.verified(one, keys()))
          .toList();
    }

    void acknowledge(JsonNode sealed) {
      var unused = relay.acknowledge(SampleEnvelopes.ackOfNotice(approver, sealed));
    }

    JsonNode onlySealed() {
      assertThat(relay.notices(approver)).hasSize(1);
      return relay.notices(approver).get(0);
    }

    ApprovalDeviceTest test() {
      return ApprovalDeviceTestServiceGrpc.newBlockingStub(caller)
          .testApprovalDevice(
              TestApprovalDeviceRequest.newBuilder().setApprovalDeviceId(enrolled.getId()).build());
    }

    ApprovalDeviceTest lastTest() {
      return lastTest(caller);
    }

    ApprovalDeviceTest lastTest(Channel by) {
      return ApprovalDeviceTestServiceGrpc.newBlockingStub(by)
          .getApprovalDeviceTest(
              GetApprovalDeviceTestRequest.newBuilder()
                  .setApprovalDeviceId(enrolled.getId())
                  .build());
    }

    void revoke() {
      var unused =
          ApprovalDeviceServiceGrpc.newBlockingStub(caller)
              .revokeApprovalDevice(
                  RevokeApprovalDeviceRequest.newBuilder()
                      .setApprovalDeviceId(enrolled.getId())
                      .build());
    }
  }

  private KeySet keys() {
    return KeySet.parse(
        ReceiptServiceGrpc.newBlockingStub(owner)
            .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
            .getDocument()
            .toByteArray());
  }

  private Device device(String approver, String name) {
    return new Device(owner, approver, name);
  }

  @Test
  void eachOtherDeviceGetsANoticeOfANewOneAndThatOneNone() {
    Device first = device("first", "Ada's phone");
    Device second = device("second", "Ben's phone");
    assertThat(first.notices()).hasSize(1);
    Device third = device("third", "");

    assertThat(first.notices()).hasSize(2);
    assertThat(third.notices()).isEmpty();
    JsonNode notice = first.notices().get(0);
    assertThat(notice.get("format").textValue()).isEqualTo("bridle-notice-1");
    assertThat(notice.get("kind").textValue()).isEqualTo("device_enrolled");
    assertThat(notice.get("tenant_id").textValue()).isEqualTo(Tenants.DEFAULT);
    assertThat(notice.get("approver_id").textValue()).isEqualTo("first");
    assertThat(notice.get("at").textValue()).isEqualTo("2026-11-25T10:00:00Z");
    assertThat(notice.at("/device/id").textValue()).isEqualTo(second.enrolled.getId());
    assertThat(notice.at("/device/name").textValue()).isEqualTo("Ben's phone");
    assertThat(notice.at("/device/principal").textValue()).isEqualTo("person of second");
    assertThat(notice.at("/device/fingerprint").textValue())
        .isEqualTo(
            Sha256.of(Base64Url.decode(second.enrolled.getSigningKey()).orElseThrow()).toString());
    assertThat(second.notices())
        .singleElement()
        .satisfies(
            of -> assertThat(of.at("/device/id").textValue()).isEqualTo(third.enrolled.getId()));
    assertThat(first.notices()).extracting(of -> of.get("notice_id")).doesNotHaveDuplicates();
  }

  @Test
  void theRelayShowsNeitherKindNorNames() {
    Device first = device("first", "Ada's phone");
    Device second = device("second", "Ben's phone");

    assertThat(first.onlySealed().toString())
        .doesNotContain("Ben", "second", "device_enrolled", "statement");
    assertThat(second.reader.open(first.onlySealed())).isEmpty();
  }

  @Test
  void devicesOfOneApproverGetTheirOwn() {
    Device first = device("shared", "one");
    Device second = device("shared", "two");

    assertThat(first.notices()).hasSize(1);
    assertThat(second.notices()).isEmpty();
    assertThat(first.relay.notices("shared")).hasSize(1);
  }

  @Test
  void aDeviceOfAnotherTenantGetsNoneAndIsNotSeen() {
    var unusedKey =
        AdminServiceGrpc.newBlockingStub(core.operator())
            .createApiKey(
                CreateApiKeyRequest.newBuilder().setTenantId(OTHER).setActor("ada").build());
    Device there = new Device(OTHER, "there", "their phone");
    Device here = device("here", "our phone");
    Device later = device("later", "our other phone");

    assertThat(there.relay.notices("there")).isEmpty();
    assertThat(here.notices()).hasSize(1);
    Channel others = core.of(OTHER);
    assertThat(Refusal.of(() -> new RelayClient(others).notices("here")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(Refusal.of(() -> here.lastTest(others)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    JsonNode sealed = here.onlySealed();
    assertThat(Refusal.of(() -> there.acknowledge(sealed)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(Refusal.of(() -> later.acknowledge(sealed)).getCode())
        .as("another approver's")
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(here.notices()).hasSize(1);
  }

  @Test
  void onlyWhoActsAsTheApproverReadsAndAcknowledges() {
    Device first = device("first", "");
    var unusedDevice = device("second", "");
    RelayClient stranger = new RelayClient(core.approver(Tenants.DEFAULT));

    assertThat(Refusal.of(() -> stranger.notices("first")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    JsonNode sealed = first.onlySealed();
    assertThat(
            Refusal.of(() -> stranger.acknowledge(SampleEnvelopes.ackOfNotice("first", sealed)))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(first.notices()).hasSize(1);
  }

  @Test
  void aNoticeWaitsUntilItIsAcknowledgedWhichMayBeRepeated() {
    Device first = device("first", "");
    var unusedDevice = device("second", "");
    JsonNode sealed = first.onlySealed();
    assertThat(first.onlySealed()).isEqualTo(sealed);

    first.acknowledge(sealed);
    first.acknowledge(sealed);

    assertThat(first.notices()).isEmpty();
  }

  @Test
  void anEnrolmentThatIsRepeatedOrRefusedNotifiesOnce() {
    Device first = device("first", "");
    CreateApprovalDeviceRequest second =
        new NoticeReader("second", DeviceKeys.create(RANDOM)).enrolment().build();
    for (int times = 0; times < 3; times++) {
      var unused =
          ApprovalDeviceServiceGrpc.newBlockingStub(core.withKey(Tenants.DEFAULT, "key-1"))
              .createApprovalDevice(second);
    }
    assertThat(
            Refusal.of(
                    () ->
                        ApprovalDeviceServiceGrpc.newBlockingStub(owner)
                            .createApprovalDevice(second))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);

    assertThat(first.notices()).hasSize(1);
  }

  @Test
  void theNewestNoticesAreKept() {
    Device first = device("first", "");
    for (int i = 0; i < ApproverNotices.MOST + 3; i++) {
      var unusedDevice = device("later-" + i, "phone " + i);
    }

    List<JsonNode> kept = first.notices();
    assertThat(kept).hasSize(ApproverNotices.MOST);
    assertThat(kept.get(0).at("/device/name").textValue()).isEqualTo("phone 3");
    first.acknowledge(first.relay.notices("first").get(5));
    var unusedDevice = device("last", "the last phone");
    assertThat(first.notices())
        .as("what was received goes first")
        .hasSize(ApproverNotices.MOST)
        .extracting(of -> of.at("/device/name").textValue())
        .startsWith("phone 3")
        .endsWith("the last phone");
  }

  @Test
  void aRemovedDeviceGetsNoneAndIsNotTested() {
    Device first = device("first", "");
    Device second = device("second", "");
    first.revoke();
    var unusedDevice = device("third", "");

    assertThat(first.relay.notices("first")).isEmpty();
    assertThat(second.notices()).hasSize(1);
    ErrorDetail refused = Refusal.of(first::test);
    assertThat(refused.getCode()).isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    assertThat(refused.getMessage()).contains("was removed at");
  }

  @Test
  void aTestIsReceivedOnceItIsAcknowledged() {
    Device phone = device("first", "");
    assertThat(phone.lastTest().hasSentAt()).isFalse();
    assertThat(phone.lastTest().hasLastSeenAt()).isFalse();

    ApprovalDeviceTest sent = phone.test();

    assertThat(Timestamps.toString(sent.getSentAt())).isEqualTo("2026-11-25T10:00:00Z");
    assertThat(sent.hasReceivedAt()).isFalse();
    assertThat(sent.getConnected()).isFalse();
    assertThat(phone.notices())
        .singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.get("kind").textValue()).isEqualTo("test");
              assertThat(notice.get("approver_id").textValue()).isEqualTo("first");
              assertThat(notice.get("notice_id").textValue()).isEqualTo(sent.getNoticeId());
              assertThat(notice.has("device")).isFalse();
            });
    clock.pass(Duration.ofSeconds(3));
    phone.acknowledge(phone.onlySealed());
    assertThat(Timestamps.toString(phone.lastTest().getReceivedAt()))
        .isEqualTo("2026-11-25T10:00:03Z");
    assertThat(phone.notices()).isEmpty();
  }

  @Test
  void aTestTakesThePlaceOfTheLastOneAndAFewAMinuteAreSent() {
    Device phone = device("first", "");
    String first = phone.test().getNoticeId();
    for (int i = 1; i < DeviceNotices.TESTS_PER_MINUTE; i++) {
      clock.pass(Duration.ofSeconds(1));
      var unused = phone.test();
    }
    assertThat(phone.notices())
        .singleElement()
        .satisfies(of -> assertThat(of.get("notice_id").textValue()).isNotEqualTo(first));

    ErrorDetail refused = Refusal.of(phone::test);

    assertThat(refused.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RATE_LIMITED);
    assertThat(refused.getRetryAfterSeconds()).isEqualTo(57);
    clock.pass(Duration.ofSeconds(57));
    assertThat(phone.test().getNoticeId()).isNotEqualTo(first);
  }

  @Test
  void anOpenChannelIsWokenForANoticeAndShowsThatTheDeviceIsThere() {
    Device phone = device("first", "");
    try (OpenChannel channel = OpenChannel.of(owner, PartyRole.PARTY_ROLE_APPROVER, "first")) {
      await().until(() -> phone.lastTest().getConnected());
      assertThat(channel.wakes()).isZero();

      assertThat(phone.test().getConnected()).isTrue();

      await().until(() -> channel.wakes() == 1);
      assertThat(channel.envelopes()).isEmpty();
      phone.acknowledge(phone.onlySealed());
      var unusedDevice = device("second", "");
      await().until(() -> channel.wakes() == 2);
    }
    await().until(() -> !phone.lastTest().getConnected());
    assertThat(phone.lastTest().hasLastSeenAt()).isTrue();
  }

  @Test
  void aChannelThatOpensWhileANoticeWaitsIsWoken() {
    Device phone = device("first", "");
    var unused = phone.test();

    try (OpenChannel channel = OpenChannel.of(owner, PartyRole.PARTY_ROLE_APPROVER, "first")) {
      await().until(() -> channel.wakes() == 1);
    }
  }

  @Test
  void aDeviceThatNobodyCanReadTheInboxOfIsNotTested() {
    ApprovalDevice device =
        ApprovalDeviceServiceGrpc.newBlockingStub(owner)
            .createApprovalDevice(
                new NoticeReader("nobody", DeviceKeys.create(RANDOM)).enrolment().build());

    assertThat(
            Refusal.of(
                    () ->
                        ApprovalDeviceTestServiceGrpc.newBlockingStub(owner)
                            .testApprovalDevice(
                                TestApprovalDeviceRequest.newBuilder()
                                    .setApprovalDeviceId(device.getId())
                                    .build()))
                .getMessage())
        .contains("Nobody is the approver 'nobody'");
  }

  @Test
  void whoMayOnlyReadDoesNotTest() {
    Device phone = device("first", "");
    Channel reader =
        core.as(core.core().processCredential(Tenants.DEFAULT, "ben", Set.of("policies:read")));

    assertThat(phone.lastTest(reader).getApprovalDeviceId()).isEqualTo(phone.enrolled.getId());
    assertThat(
            Refusal.of(
                    () ->
                        ApprovalDeviceTestServiceGrpc.newBlockingStub(reader)
                            .testApprovalDevice(
                                TestApprovalDeviceRequest.newBuilder()
                                    .setApprovalDeviceId(phone.enrolled.getId())
                                    .build()))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }

  @Test
  void aServerThatSignsNothingSendsNothingAndSaysSo() {
    core.close();
    core = CoreOver.start(store, clock, options -> options.withAccess(AccessOptions.NONE));
    owner = core.of(Tenants.DEFAULT);
    Device first = device("first", "");
    var unusedDevice = device("second", "");

    assertThat(first.relay.notices("first")).isEmpty();
    assertThat(Refusal.of(first::test).getMessage()).contains("signs nothing");
  }
}
