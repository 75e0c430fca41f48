package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.notice.NoticeReader;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalDeviceTest;
import dev.bridle.permission.v1.ApprovalDeviceTestServiceGrpc;
import dev.bridle.permission.v1.GetApprovalDeviceTestRequest;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.permission.v1.TestApprovalDeviceRequest;
import java.util.List;

/** Notices to the devices of approvers. See {@link Scenarios}. */
final class NoticeScripts {
  private static final NoticeReader ADAS = reader(RelaySteps.FIRST, 1);
  private static final NoticeReader BENS = reader(RelaySteps.SECOND, 2);

  private NoticeScripts() {}

  private static NoticeReader reader(String approver, long seed) {
    return new NoticeReader(approver, DeviceKeys.create(new KnownRandom(seed)));
  }

  static void notices(World world) {
    RelaySteps.approvers(world);
    String adas = enrol(world, ADAS, "key-1");
    assertThat(waiting(world)).isEmpty();
    String bens = enrol(world, BENS, "key-2");

    JsonNode enrolled = only(world);
    assertThat(ADAS.open(enrolled).orElseThrow().at("/statement/device/id").asText())
        .isEqualTo(bens);
    acknowledge(world, enrolled);
    acknowledge(world, enrolled);
    assertThat(waiting(world)).isEmpty();

    String test = test(world, adas, "key-3").getNoticeId();
    JsonNode sent = only(world);
    assertThat(sent.path("msgId").asText()).isEqualTo(test);
    acknowledge(world, sent);
    assertThat(lastTest(world, adas).hasReceivedAt()).isTrue();
    revoke(world, adas, "key-4");
    assertThat(waiting(world)).isEmpty();
  }

  private static String enrol(World world, NoticeReader device, String key) {
    return world
        .callOnce(
            "enrol",
            key,
            channel ->
                ApprovalDeviceServiceGrpc.newBlockingStub(channel)
                    .createApprovalDevice(device.enrolment().build()))
        .getId();
  }

  private static ApprovalDeviceTest test(World world, String device, String key) {
    return world.callOnce(
        "test",
        key,
        channel ->
            ApprovalDeviceTestServiceGrpc.newBlockingStub(channel)
                .testApprovalDevice(
                    TestApprovalDeviceRequest.newBuilder().setApprovalDeviceId(device).build()));
  }

  private static ApprovalDeviceTest lastTest(World world, String device) {
    return world.call(
        "read test",
        channel ->
            ApprovalDeviceTestServiceGrpc.newBlockingStub(channel)
                .getApprovalDeviceTest(
                    GetApprovalDeviceTestRequest.newBuilder().setApprovalDeviceId(device).build()));
  }

  private static void revoke(World world, String device, String key) {
    var unused =
        world.callOnce(
            "revoke device",
            key,
            channel ->
                ApprovalDeviceServiceGrpc.newBlockingStub(channel)
                    .revokeApprovalDevice(
                        RevokeApprovalDeviceRequest.newBuilder()
                            .setApprovalDeviceId(device)
                            .build()));
  }

  private static List<JsonNode> waiting(World world) {
    return world.call("read inbox", channel -> new RelayClient(channel).notices(RelaySteps.FIRST));
  }

  private static JsonNode only(World world) {
    List<JsonNode> found = waiting(world);
    assertThat(found).as("the notice, once").hasSize(1);
    return found.get(0);
  }

  private static void acknowledge(World world, JsonNode notice) {
    ByteString ack = SampleEnvelopes.ackOfNotice(RelaySteps.FIRST, notice);
    RelaySteps.acknowledge(world, ack);
  }
}
