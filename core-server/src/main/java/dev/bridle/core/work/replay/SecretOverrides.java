package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.task.Steps;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.ReplacedValue;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.UsedSecret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Overrides of secrets: a replay uses what the vault has now, if that has the given hash. No value
 * of a secret is in a request, and no plain hash of one is stored: a commitment of the hash is,
 * under the salt of the recorded use.
 */
public final class SecretOverrides {
  /** What the keys of secrets begin with. */
  static final String PREFIX = "secret:";

  /** A hash that is given can be tried out, which only those may do who can set secrets. */
  private static final String SET = "vaults:write";

  private final Steps steps;

  SecretOverrides(Steps steps) {
    this.steps = steps;
  }

  /** Returns whether an override is one of a secret, by its key or by its kind. */
  static boolean is(String key, ReplayOverride override) {
    return key.startsWith(PREFIX)
        || override.getKind() == ReplayOverrideKind.REPLAY_OVERRIDE_KIND_SECRET_VALUE;
  }

  /**
   * Returns whether a secret is the one that an override allows.
   *
   * @param replacing the replay's own step
   * @param used the step of its origin
   */
  public static boolean replaces(StepRecord replacing, StepRecord used, String value) {
    Sha256 hash = Sha256.of(value.getBytes(StandardCharsets.UTF_8));
    return !used.getSalt().isEmpty()
        && replacing.getReplaced().getAfter().equals(commitment(used, hash));
  }

  private static ByteString commitment(StepRecord used, Sha256 hash) {
    return Commitment.of(used.getSalt().toByteArray(), ByteString.copyFrom(hash.bytes()));
  }

  /**
   * Returns the step of a replay that replaces a secret.
   *
   * @param key {@code secret:VAULT/NAME}, or {@code secret:NAME} where the task has used one such
   * @param event returns the id of the event that has recorded a step of the origin
   */
  StepRecord replaced(
      Write write,
      TaskRecord origin,
      String key,
      ReplayOverride override,
      BiFunction<String, StepRecord, String> event) {
    Sha256 hash = checked(key, override);
    StepRecord used = used(write, origin, key);
    return StepRecord.newBuilder()
        .setStep(
            RecordedStep.newBuilder()
                .setStepKey(used.getStep().getStepKey())
                .setSecret(
                    UsedSecret.newBuilder()
                        .setVaultId(used.getStep().getSecret().getVaultId())
                        .setName(used.getStep().getSecret().getName())))
        .setSalt(ByteString.copyFrom(write.salt(Commitment.SALT_BYTES)))
        .setVisibility(Visibility.VISIBILITY_RECEIPT_ONLY)
        .setKind(used.getKind())
        .setReplaced(
            ReplacedValue.newBuilder()
                .setKind(override.getKind())
                .setEventId(event.apply(key, used))
                .setBefore(used.getCommitment())
                .setAfter(commitment(used, hash))
                .setReason(override.getReason()))
        .build();
  }

  private static Sha256 checked(String key, ReplayOverride override) {
    if (override.getKind() != ReplayOverrideKind.REPLAY_OVERRIDE_KIND_SECRET_VALUE
        || !key.startsWith(PREFIX)) {
      throw ProtocolException.invalid(
          OverrideRules.member(key, "kind"),
          "must be `secret_value` for a key that begins with `" + PREFIX + "`, and for no other");
    }
    if (!override.getValue().isEmpty() || override.hasArtifactId()) {
      throw ProtocolException.unsupported(
          OverrideRules.member(key, override.hasArtifactId() ? "artifact_id" : "value"),
          "a request is no place for a secret; set it in its vault, and give its `sha256`");
    }
    if (override.hasTarget() && !isTarget(key, override.getTarget())) {
      throw ProtocolException.invalid(
          OverrideRules.member(key, "target"), "must be the key, or what follows the prefix in it");
    }
    if (override.getVisibility() != Visibility.VISIBILITY_UNSPECIFIED
        && override.getVisibility() != Visibility.VISIBILITY_RECEIPT_ONLY) {
      throw ProtocolException.invalid(
          OverrideRules.member(key, "visibility"), "must be `receipt_only` for a secret");
    }
    if (!Caller.current().holds(SET)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The credential lacks the scope to set secrets, which their overrides need.")
          .with("required_scope", SET);
    }
    return Optional.of(override.getSha256())
        .filter(given -> !given.isEmpty())
        .flatMap(Sha256::parse)
        .orElseThrow(
            () ->
                ProtocolException.invalid(
                    OverrideRules.member(key, "sha256"),
                    "must be the SHA-256 of the secret that the vault has now"));
  }

  private static boolean isTarget(String key, String target) {
    return OverrideRules.names(key, target) || key.endsWith("/" + target);
  }

  private StepRecord used(Write write, TaskRecord origin, String key) {
    List<StepRecord> found =
        key.contains("/")
            ? steps
                .findRecord(write.tr(), write.tenant(), origin.getTask().getId(), key)
                .filter(record -> record.getStep().hasSecret())
                .stream()
                .toList()
            : named(write, origin, key.substring(PREFIX.length()));
    if (found.size() > 1) {
      throw ProtocolException.invalid(
          "override",
          "names `"
              + key
              + "`, and the task has used several such secrets: "
              + String.join(
                  ", ", found.stream().map(record -> record.getStep().getStepKey()).toList()));
    }
    return found.stream()
        .filter(record -> !record.getSalt().isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                ProtocolException.invalid(
                    "override", "names `" + key + "`, and the task has used no such secret"));
  }

  /** Returns the uses of secrets of a name, whatever their vaults. */
  private List<StepRecord> named(Write write, TaskRecord origin, String name) {
    List<StepRecord> found = new ArrayList<>();
    String after = PREFIX;
    boolean goesOn = true;
    while (goesOn) {
      Steps.Page page = steps.page(write.tr(), write.tenant(), origin.getTask().getId(), after);
      for (StepRecord record : page.records()) {
        after = record.getStep().getStepKey();
        if (record.getStep().hasSecret() && record.getStep().getSecret().getName().equals(name)) {
          found.add(record);
        }
      }
      goesOn = page.hasMore() && after.startsWith(PREFIX);
    }
    return found;
  }
}
