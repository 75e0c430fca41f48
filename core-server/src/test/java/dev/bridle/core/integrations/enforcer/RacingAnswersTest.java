package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.work.permission.AnswerChannels;
import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.sampling.Sample;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Answers by credentials and by a device, and the device's revocation, at the same moment: one
 * answer counts, and what a revoked device has signed allows nothing.
 */
final class RacingAnswersTest extends AskedTasks {
  /** By what each of them answers. */
  private static final Map<String, ApprovalChannel> CHANNELS =
      Map.of(
          "ada", ApprovalChannel.APPROVAL_CHANNEL_HARP,
          "ben", ApprovalChannel.APPROVAL_CHANNEL_REST,
          "cleo", ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @Test
  void oneOfTheAnswersThatComeAtOnceCounts() {
    race(12);
  }

  @Test
  @Tag("slow")
  void oneOfTheAnswersThatComeAtOnceCountsEachTime() {
    race(Sample.of("races").count(200));
  }

  private void race(int rounds) {
    Phone phone = Phone.of(core, "ada", "ada-0");
    TaskLease lease = begin();
    try {
      for (int round = 0; round < rounds; round++) {
        String step = "step-" + round;
        String command = "make " + round;
        String request = ask(lease, step, command).getRequestId();
        Artifact shown = awaitAsked(phone);
        boolean revokes = round % 3 == 2;
        answerAtOnce(phone, shown, request, revokes);
        await()
            .until(() -> read(request).getStatus() != PermissionStatus.PERMISSION_STATUS_PENDING);
        lease = next(lease.getTask().getId());
        PermissionVerdict verdict = ask(lease, step, command).getVerdict();
        check(read(request), verdict, revokes);
        if (verdict == PermissionVerdict.PERMISSION_VERDICT_WAITING) {
          // Asked again, since what the revoked device has signed does not count.
          var unused = deny("ben", pendingOf(lease.getTask().getId()).getId());
          lease = next(lease.getTask().getId());
        }
        if (revokes) {
          phone = Phone.of(core, "ada", "ada-" + (round + 1));
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void answerAtOnce(Phone phone, Artifact shown, String request, boolean revokes) {
    List<Runnable> all =
        new ArrayList<>(
            List.of(
                () -> phone.decide(shown, Answer.ALLOW),
                () -> approve("ben", request),
                () -> denyByWebSocket("cleo", request)));
    if (revokes) {
      all.add(() -> revoke(phone));
    }
    CyclicBarrier together = new CyclicBarrier(all.size());
    all.stream()
        .map(one -> CompletableFuture.runAsync(() -> at(together, one), threads))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private void denyByWebSocket(String actor, String request) {
    var unused =
        PermissionServiceGrpc.newBlockingStub(AnswerChannels.byWebSocket(as(actor)))
            .respondPermissionRequest(said(request).setApproved(false).build());
  }

  /** Whoever comes too late is refused. */
  private static void at(CyclicBarrier together, Runnable answer) {
    try {
      together.await();
      answer.run();
    } catch (StatusRuntimeException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void revoke(Phone phone) {
    var unused =
        ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
            .revokeApprovalDevice(
                RevokeApprovalDeviceRequest.newBuilder()
                    .setApprovalDeviceId(phone.device().getId())
                    .build());
  }

  private static void check(PermissionRequest decided, PermissionVerdict verdict, boolean revoked) {
    assertThat(decided.getResponse().getAnswersList()).hasSize(1);
    PermissionAnswer answer = decided.getResponse().getAnswers(0);
    boolean signed = answer.getActor().equals("ada");
    // Cleo alone denies, and Ada's device allows as Ben does.
    assertThat(answer.getActor())
        .isIn(answer.getApproved() ? List.of("ada", "ben") : List.of("cleo"));
    assertThat(answer.getChannel())
        .as("the channel of %s", answer.getActor())
        .isEqualTo(CHANNELS.get(answer.getActor()));
    assertThat(answer.hasEvidence()).isEqualTo(signed);
    assertThat(decided.getStatus())
        .isEqualTo(
            answer.getApproved()
                ? PermissionStatus.PERMISSION_STATUS_APPROVED
                : PermissionStatus.PERMISSION_STATUS_DENIED);
    PermissionVerdict expected =
        answer.getApproved()
            ? PermissionVerdict.PERMISSION_VERDICT_ALLOWED
            : PermissionVerdict.PERMISSION_VERDICT_DENIED;
    assertThat(verdict)
        .isEqualTo(signed && revoked ? PermissionVerdict.PERMISSION_VERDICT_WAITING : expected);
  }

  private static Artifact awaitAsked(Phone phone) {
    await().until(() -> !phone.asked().isEmpty());
    return phone.asked().get(0);
  }
}
