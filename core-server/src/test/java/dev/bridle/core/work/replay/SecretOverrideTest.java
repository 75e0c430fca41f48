package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.ReplayedPath;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Overrides of secrets, which a request names by their hash alone. */
class SecretOverrideTest extends OverriddenTasks {
  private static final String OLD = "swordfish-7";
  private static final String NEW = "swordfish-8";

  @Test
  void aReplayUsesTheSecretThatTheVaultHasNowIfItHasTheHash() {
    String vault = vault(OLD);
    Task source = used();
    SampleVaults.put(core.owner(), vault, "token", NEW);
    Task replay = replay(source, with("secret:token", hash(NEW)));

    assertThat(replay.getReplay().getOverrideKeysList()).containsExactly(key(vault));
    TaskLease lease = lease(replays, replay);
    assertThat(list(lease).getReplayed(0).getOverridden()).isTrue();
    assertThat(use(lease)).isEqualTo(NEW);
    assertThat(use(lease)).as("again").isEqualTo(NEW);
    took(lease, ReplayedPath.newBuilder().addUsed(key(vault)));
    complete(lease, "done");
    assertThat(ended(replay).getStatus()).isEqualTo(source.getStatus());

    assertThat(payloads(replay, "replay.event_replayed"))
        .singleElement()
        .satisfies(
            payload ->
                assertThat(payload)
                    .contains("\"change\":\"overridden\"", "\"kind\":\"secret_value\"")
                    .contains("before_sha256", "after_sha256")
                    .doesNotContain(NEW, OLD, Sha256.of(bytes(NEW)).toString()));
    assertThat(kinds(replay)).containsOnlyOnce("vendor.bridle.secret_used");
  }

  @Test
  void aSecretWithAnotherHashIsRefused() {
    String vault = vault(OLD);
    Task source = used();
    TaskLease lease = lease(replays, replay(source, with("secret:token", hash(NEW))));

    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> use(lease));
    SampleVaults.put(core.owner(), vault, "token", NEW);
    assertThat(use(lease)).isEqualTo(NEW);
    SampleVaults.put(core.owner(), vault, "token", OLD);
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> use(lease));
  }

  @Test
  void aReplayOfSuchAReplayUsesThatSecretAgain() {
    String vault = vault(OLD);
    Task source = used();
    SampleVaults.put(core.owner(), vault, "token", NEW);
    Task replay = replay(source, with(key(vault), hash(NEW)));
    TaskLease first = lease(replays, replay);
    assertThat(use(first)).isEqualTo(NEW);
    took(first, ReplayedPath.newBuilder().addUsed(key(vault)));
    complete(first, "done");
    Task ended = ended(replay);

    Task again = replay(ended);

    assertThat(again.getReplay().getOverrideKeysList()).containsExactly(key(vault));
    TaskLease second = lease(replays, again);
    assertThat(use(second)).isEqualTo(NEW);
    took(second, ReplayedPath.newBuilder().addUsed(key(vault)));
    complete(second, "done");
    assertThat(payloads(ended(again), "replay.event_replayed"))
        .as("the same delta")
        .isEqualTo(payloads(ended, "replay.event_replayed"));
  }

  @Test
  void aShortNameHasToBeThatOfOneSecretAlone() {
    List<String> vaults = List.of(vault(OLD), vault(OLD));
    useVaults(vaults);
    Task task = task();
    TaskLease lease = lease(writer);
    vaults.forEach(vault -> assertThat(use(lease, vault)).isEqualTo(OLD));
    complete(lease, "done");
    Task source = core.task(task.getId());

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () -> replay(source, with("secret:token", hash(NEW))));
    assertThat(
            replay(source, with(key(vaults.get(1)), hash(NEW))).getReplay().getOverrideKeysList())
        .containsExactly(key(vaults.get(1)));
  }

  @Test
  void whatIsNoHashOfASecretIsRefusedByItsName() {
    String vault = vault(OLD);
    Task source = used();
    String member = "override[secret:token].";

    assertUnsupported(
        member + "value",
        () ->
            replay(
                source,
                with("secret:token", hash(NEW).setValue(ByteString.copyFromUtf8("\"x\"")))));
    assertUnsupported(
        member + "artifact_id",
        () -> replay(source, with("secret:token", hash(NEW).setArtifactId("artifact_1"))));
    assertInvalid(member + "sha256", source, "secret:token", hash(NEW).clearSha256());
    assertInvalid(
        member + "kind",
        source,
        "secret:token",
        hash(NEW).setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_HOST_FACT));
    assertInvalid("override[llm:1].kind", source, "llm:1", hash(NEW));
    assertInvalid(
        member + "visibility",
        source,
        "secret:token",
        hash(NEW).setVisibility(Visibility.VISIBILITY_PUBLIC));
    assertInvalid(member + "event_id", source, "secret:token", hash(NEW).setEventId("event_1"));
    assertInvalid("override", source, "secret:other", hash(NEW));
    assertInvalid("override", source, "secret:" + vault + "/other", hash(NEW));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () ->
            replay(
                source,
                with("secret:token", hash(NEW)).putOverride(key(vault), hash(NEW).build())));
  }

  @Test
  void aHashIsNotTriedOutByWhoCanNotSetSecrets() {
    var vault = vault(OLD);
    Task source = used();
    var other = core.as(core.core().processCredential("default", "ada", Set.of("tasks:write")));

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () ->
            ReplayServiceGrpc.newBlockingStub(other)
                .replayTask(with(key(vault), hash(NEW)).setTaskId(source.getId()).build()));
  }

  private void assertInvalid(
      String param, Task source, String key, ReplayOverride.Builder override) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, param, () -> replay(source, with(key, override)));
  }

  private static ReplayOverride.Builder hash(String secret) {
    return ReplayOverride.newBuilder()
        .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_SECRET_VALUE)
        .setSha256(Sha256.of(bytes(secret)).toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String key(String vault) {
    return "secret:" + vault + "/token";
  }

  /** Makes a vault with a secret, and a session that has it. */
  private String vault(String secret) {
    String vault = SampleVaults.made(core.owner(), "default").getId();
    SampleVaults.put(core.owner(), vault, "token", secret);
    useVaults(List.of(vault));
    return vault;
  }

  /** Runs a task that uses the secret. */
  private Task used() {
    Task task = task();
    TaskLease lease = lease(writer);
    assertThat(use(lease)).isEqualTo(OLD);
    complete(lease, "done");
    return core.task(task.getId());
  }

  private String use(TaskLease lease, String vault) {
    return core.workers()
        .useSecret(
            UseSecretRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setVaultId(vault)
                .setName("token")
                .build())
        .getValue();
  }
}
