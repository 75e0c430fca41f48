package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.enforcer.remote.RelayTarget;
import dev.bridle.core.integrations.enforcer.remote.RelayTargets;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.event.v1.Event;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.worker.v1.TaskLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Devices are asked over relays elsewhere, which may refuse, be slow, or not be there. */
final class RemoteRelayTest extends AskedTasks {
  /** More than such a relay has threads. */
  private static final int MANY = 20;

  private OddServer server;

  @Override
  protected CoreOptions core(CoreOptions options) {
    try {
      server = OddServer.answering(accepting());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return options.withHarpRelays(
        new RelayTargets(List.of(target("home", "default"), target("others", "acme"))));
  }

  /** Returns what takes all requests, and has no decisions. */
  private static OddServer.Answerer accepting() {
    return (request, out) ->
        OddServer.status(request.head().startsWith("GET ") ? 204 : 202).answer(request, out);
  }

  private RelayTarget target(String name, String tenant) {
    return new RelayTarget(
        name,
        RelayTarget.url("http://127.0.0.1:" + server.port()),
        RelayTarget.DEFAULT_ENFORCER,
        () -> "the-secret",
        Optional.empty(),
        Set.of(tenant));
  }

  @AfterEach
  void stopServer() throws IOException {
    server.close();
  }

  private ApprovalDevice enrol(String principal, String relay) {
    DeviceKeys keys = DeviceKeys.create(new SecureRandom());
    return ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
        .createApprovalDevice(
            Phone.enrolment(keys, principal, principal + "-far").setRelay(relay).build());
  }

  private void answers(int status, String code, String reason) {
    String body =
        """
        {"msgType":"error","body":{"code":"%s","message":"m","details":{"reason":"%s"}}}
        """
            .formatted(code, reason);
    server.answer(
        (request, out) ->
            OddServer.write(
                out,
                String.format(
                    Locale.ROOT,
                    "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s",
                    status,
                    body.length(),
                    body)));
  }

  private List<String> undelivered(TaskLease lease) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals("vendor.bridle.decision_undelivered"))
        .map(Event::getPayload)
        .map(payload -> payload.toStringUtf8())
        .toList();
  }

  private long submissions() {
    return server.received().stream()
        .filter(request -> request.head().startsWith("POST /v1/artifacts "))
        .count();
  }

  @Test
  void aDeviceIsEnrolledOnlyWithARelayThatItsTenantMayUse() {
    assertThat(enrol("ada", "home").getRelay()).isEqualTo("home");
    for (String name : List.of("unknown", "others")) {
      assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "relay", () -> enrol("ben", name));
    }
  }

  @Test
  void theRequestOfADeviceGoesToItsRelayAlone() {
    var unused = enrol("ada", "home");
    Phone near = Phone.of(core, "ben", "ben-near");
    String request = ask(begin(), "1", "make deploy").getRequestId();

    await().until(() -> submissions() == 1);
    await().until(() -> near.asked().size() == 1);

    assertThat(server.received().get(0).header("authorization")).isEqualTo("Bearer the-secret");
    assertThat(server.received().get(0).body())
        .contains("\"enforcerId\":\"bridle-server\"", "\"approverId\":\"ada-far\"")
        .doesNotContain("make deploy", near.asked().get(0).requestId());
    near.decide(near.asked().get(0), Answer.ALLOW);
    await().until(() -> read(request).getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED);
    await()
        .until(
            () -> server.received().stream().anyMatch(sent -> sent.head().contains("/withdraw ")));
  }

  @Test
  void aRelayThatRefusesIsNamedInTheEventsOnceAndAnotherApproverAnswers() {
    answers(422, "HARP_ERR_POLICY_DENY", "no_approver");
    ApprovalDevice device = enrol("ada", "home");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();

    await().until(() -> !undelivered(lease).isEmpty());

    assertThat(undelivered(lease))
        .singleElement()
        .asString()
        .contains(
            device.getId(),
            request,
            "\"relay\":\"home\"",
            "\"code\":\"HARP_ERR_POLICY_DENY\"",
            "The relay 'home' has answered with status 422, no_approver.")
        .doesNotContain("the-secret");
    assertThat(approve("ben", request).getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  @Test
  void whatARelayWillNeverTakeIsNotSentAgain() {
    answers(400, "HARP_ERR_TRANSPORT", "schema");
    var unused = enrol("ada", "home");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();
    await().until(() -> !undelivered(lease).isEmpty());

    var unusedAnswer = approve("ben", request);

    // Nothing is withdrawn, since the relay never had it.
    Phone near = Phone.of(core, "ben", "ben-near");
    TaskLease again = next(lease.getTask().getId());
    var unusedAsked = ask(again, "2", "make test");
    await().until(() -> near.asked().size() == 1);
    await().until(() -> submissions() == 2);
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void aRelayThatIsBackIsAskedAgainWithoutAnEvent() {
    answers(503, "HARP_ERR_TRANSPORT", "unavailable");
    var unused = enrol("ada", "home");
    TaskLease lease = begin();
    var unusedAsked = ask(lease, "1", "make deploy");
    await().until(() -> submissions() > 0); // A second call may follow at once.

    server.answer(accepting());

    await()
        .until(
            () ->
                server.received().stream()
                    .anyMatch(request -> request.head().contains("/wait?timeout=")));
    assertThat(undelivered(lease)).isEmpty();
  }

  @Test
  void aRelayThatHasLostARequestIsSentItAgain() {
    String unknown = "{\"msgType\":\"error\",\"body\":{\"code\":\"HARP_ERR_TRANSPORT\"}}";
    server.answer(
        (request, out) -> {
          boolean isLost = request.head().startsWith("GET ") && submissions() < 2;
          String head = isLost ? "404 Gone" : request.head().startsWith("GET ") ? "204 X" : "202 X";
          String body = isLost ? unknown : "";
          OddServer.write(
              out,
              String.format(
                  Locale.ROOT,
                  "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s",
                  head,
                  body.length(),
                  body));
        });
    var unused = enrol("ada", "home");
    TaskLease lease = begin();
    var unusedAsked = ask(lease, "1", "make deploy");

    await().until(() -> submissions() == 2);

    assertThat(undelivered(lease)).isEmpty();
  }

  @Test
  void aRelayThatLosesARequestAgainAndAgainIsInTheEventsAndNotAskedAllTheTime() {
    String unknown = "{\"msgType\":\"error\",\"body\":{\"code\":\"HARP_ERR_TRANSPORT\"}}";
    server.answer(
        (request, out) -> {
          boolean isWait = request.head().startsWith("GET ");
          OddServer.write(
              out,
              String.format(
                  Locale.ROOT,
                  "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s",
                  isWait ? "404 X" : "202 X",
                  isWait ? unknown.length() : 0,
                  isWait ? unknown : ""));
        });
    var unused = enrol("ada", "home");
    TaskLease lease = begin();
    var unusedAsked = ask(lease, "1", "make deploy");

    await().until(() -> !undelivered(lease).isEmpty());

    assertThat(submissions()).isEqualTo(2);
    assertThat(undelivered(lease)).singleElement().asString().contains("does not know the request");
  }

  @Test
  void aRelayThatNeverAnswersHoldsUpNoOther() {
    server.answer(OddServer.hanging());
    var unused = enrol("ada", "home");
    for (int i = 0; i < MANY; i++) {
      worker.want(1);
      core.submit(session);
      var unusedAsked = ask(worker.lease(), "1", "make " + i);
    }
    await().until(() -> submissions() >= 2);
    Phone near = Phone.of(core, "ben", "ben-near");
    worker.want(1);
    core.submit(session);

    String request = ask(worker.lease(), "1", "make deploy").getRequestId();

    await().until(() -> near.asked().size() == 1);
    near.decide(near.asked().get(0), Answer.ALLOW);
    await().until(() -> read(request).getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED);
  }
}
