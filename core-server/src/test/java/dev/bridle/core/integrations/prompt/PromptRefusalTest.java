package dev.bridle.core.integrations.prompt;

import static dev.bridle.core.integrations.prompt.SamplePrompts.hashed;
import static dev.bridle.core.integrations.prompt.SamplePrompts.prompt;
import static dev.bridle.core.integrations.prompt.SamplePrompts.send;
import static dev.bridle.core.integrations.prompt.SamplePrompts.sendRaw;
import static dev.bridle.core.integrations.prompt.SamplePrompts.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.relay.v1.CreateHarpRepoRequest;
import dev.bridle.relay.v1.DeleteHarpRepoRequest;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.relay.v1.HarpRepoServiceGrpc;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Prompts that go nowhere, and why. */
final class PromptRefusalTest extends PromptedCore {
  @Test
  void aRequestIdBelongsToOnePromptOfItsActor() {
    SamplePrompts.map(ada, session);
    send(ada, said("r1"));

    refused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_HASH_MISMATCH",
        "another_hash",
        () -> send(ada, prompt("r1", "Something else", clock.instant())));
    Channel ben = keyOf("default", "ben", "tasks:write");
    assertThat(status(send(ben, prompt("r1", "Something else", clock.instant()))))
        .isEqualTo("queued");
    assertThat(tasks()).hasSize(2);
  }

  @Test
  void whatLeadsToNoOpenSessionIsRejectedAndLeavesNothing() {
    rejected("unmapped", send(ada, said("r1")));
    HarpRepo repo =
        HarpRepoServiceGrpc.newBlockingStub(ada)
            .createHarpRepo(SamplePrompts.mapping("").toBuilder().clearSessionId().build());
    rejected("no_session", send(ada, said("r1")));
    ObjectNode elsewhere = said("r1");
    elsewhere.put("repoRef", "repo:acme/others");
    rejected("unmapped", send(ada, elsewhere));
    ObjectNode nothing = said("r1");
    nothing.remove("repoRef");
    rejected("unmapped", send(ada, nothing));
    rejected("unknown_session", send(ada, said("r1").put("sessionId", "session_unknown")));
    close(session);
    rejected("closed", send(ada, said("r1").put("sessionId", session)));
    assertThat(tasks()).isEmpty();

    String open = session("default");
    assertThat(status(send(ada, said("r1").put("sessionId", open)))).isEqualTo("queued");
    var unused =
        HarpRepoServiceGrpc.newBlockingStub(ada)
            .deleteHarpRepo(DeleteHarpRepoRequest.newBuilder().setHarpRepoId(repo.getId()).build());
    rejected("unmapped", send(ada, said("r2").put("sessionId", open)));
    assertThat(status(send(ada, said("r1").put("sessionId", open))))
        .as("what was accepted stays so")
        .isEqualTo("queued");
  }

  @Test
  void aSessionIsReachedByTheWorkspaceOfItsRepositoryOnly() {
    String shop =
        WorkspaceServiceGrpc.newBlockingStub(ada)
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder()
                    .setName("shop")
                    .setRoot("workspace://shop")
                    .build())
            .getId();
    String shopSession = session(shop);
    SamplePrompts.map(ada, session);

    rejected("unmapped", send(ada, said("r1").put("sessionId", shopSession)));
    Channel clerk = keyOf("default", "clerk", "tasks:write", shop);
    rejected("unmapped", send(clerk, said("r2")));
    rejected("unmapped", send(clerk, said("r3").put("sessionId", session)));

    var unused =
        HarpRepoServiceGrpc.newBlockingStub(ada)
            .createHarpRepo(
                CreateHarpRepoRequest.newBuilder()
                    .setWorkspaceId(shop)
                    .setRepoRef(SamplePrompts.REPO)
                    .setSessionId(shopSession)
                    .build());
    rejected("ambiguous", send(ada, said("r4")));
    assertThat(
            send(ada, said("r5").put("sessionId", shopSession)).at("/details/sessionId").asText())
        .isEqualTo(shopSession);
    assertThat(send(clerk, said("r6")).at("/details/sessionId").asText()).isEqualTo(shopSession);
    rejected("unmapped", send(keyOf("other", "ada", "*"), said("r7")));
  }

  @Test
  void whatIsNoPromptIsRefusedWithHarpsCode() {
    SamplePrompts.map(ada, session);
    ErrorCode violation = ErrorCode.ERROR_CODE_POLICY_VIOLATION;
    ErrorCode invalid = ErrorCode.ERROR_CODE_INVALID_REQUEST;
    for (String target : List.of("composer", "tool", "other", "elsewhere")) {
      refused(
          violation,
          "HARP_PROMPT_ERR_TARGET_UNSUPPORTED",
          target.equals("elsewhere") ? "unknown_target" : "unsupported_target",
          () -> send(ada, said("r1").put("target", target)));
    }
    refused(
        violation,
        "HARP_ERR_HASH_MISMATCH",
        "hash",
        () -> sendRaw(ada, hashed(said("r1")).put("text", "Something else")));
    refused(
        invalid, "HARP_ERR_TRANSPORT", "schema", () -> send(ada, said("r1").put("more", "than")));
    refused(
        invalid,
        "HARP_ERR_CANONICALIZATION",
        "canonical",
        () -> sendRaw(ada, said("r1").putNull("metadata").put("promptHash", "0".repeat(64))));
    refused(
        invalid,
        "HARP_ERR_TRANSPORT",
        "created_in_the_future",
        () -> send(ada, prompt("r1", "Later", clock.instant().plusSeconds(120))));
    refused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "HARP_PROMPT_ERR_TOO_LARGE",
        "too_large",
        () -> send(ada, prompt("r1", "x".repeat(256_000), clock.instant())));
    refused(
        invalid,
        "HARP_ERR_TRANSPORT",
        "schema",
        () -> sendRaw(ada, envelope("prompt.send", "r2", hashed(said("r1")))));
    refused(
        invalid,
        "HARP_ERR_UNSUPPORTED",
        "type",
        () -> sendRaw(ada, envelope("artifact.submit", "r1", hashed(said("r1")))));
    assertThat(tasks()).isEmpty();
  }

  @Test
  void asManyAsAllowedAreAcceptedInAMinuteAndRepeatsDoNotCount() {
    SamplePrompts.map(ada, session);
    for (int i = 0; i < PromptRates.MAX_PER_SESSION; i++) {
      send(ada, said("r" + i));
    }
    ThrowingCallable more = () -> send(ada, said("more"));

    refused(
        ErrorCode.ERROR_CODE_RATE_LIMITED,
        "HARP_PROMPT_ERR_RATE_LIMIT",
        "too_many_of_session",
        more);
    assertThat(Refusal.of(more).getRetryAfterSeconds()).isEqualTo(35);
    assertThat(status(send(ada, said("r0")))).as("a repeat").isEqualTo("queued");
    String other = session("default");
    for (int i = 0; i < PromptRates.MAX_PER_ACTOR - PromptRates.MAX_PER_SESSION; i++) {
      send(ada, said("s" + i).put("sessionId", other));
    }
    refused(
        ErrorCode.ERROR_CODE_RATE_LIMITED,
        "HARP_PROMPT_ERR_RATE_LIMIT",
        "too_many_of_actor",
        () -> send(ada, said("more").put("sessionId", session("default"))));

    clock.pass(Duration.ofSeconds(35));
    assertThat(status(send(ada, said("more")))).isEqualTo("queued");
  }

  @Test
  void theScopeIsNeeded() {
    SamplePrompts.map(ada, session);
    ErrorDetail detail =
        Refusal.of(() -> send(keyOf("default", "reader", "tasks:read"), said("r1")));

    assertThat(detail.getCode()).isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }
}
