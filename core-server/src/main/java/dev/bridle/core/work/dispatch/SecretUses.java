package dev.bridle.core.work.dispatch;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.report.Materials;
import dev.bridle.core.work.report.ReportBatch;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.vault.OpenedSecret;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.core.work.vault.VaultSecrets;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.UsedSecret;
import java.util.Optional;

/**
 * Serves secrets to workers, and records each use by name: once per lease and version, however
 * often the worker asks.
 */
final class SecretUses {
  private final LeaseCalls calls;
  private final SessionStore sessions;
  private final VaultSecrets secrets;
  private final Steps steps;
  private final ReplayedCalls replayed;

  SecretUses(
      LeaseCalls calls,
      SessionStore sessions,
      VaultSecrets secrets,
      Steps steps,
      ReplayedCalls replayed) {
    this.replayed = replayed;
    this.calls = calls;
    this.sessions = sessions;
    this.secrets = secrets;
    this.steps = steps;
  }

  UseSecretResponse use(Caller caller, UseSecretRequest request) {
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.USE_SECRET,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList()),
        batch -> {
          Fences.needHeld(batch.before(), caller, request.getFence());
          Write write = batch.change().write();
          boolean isReplay = HandlerReplays.is(batch.before());
          TaskRecord task =
              isReplay
                  ? replayed.origin().of(write.tr(), write.tenant(), batch.before())
                  : batch.before();
          Session session = sessions.need(write.tr(), caller, task.getTask().getSessionId());
          OpenedSecret opened =
              secrets.open(
                  write.tr(),
                  write.tenant(),
                  task,
                  session,
                  request.getVaultId(),
                  request.getName());
          if (isReplay) {
            replayed.needSame(batch.change(), opened, key(opened.vault(), opened.name()));
          }
          UsedSecret used =
              UsedSecret.newBuilder()
                  .setVaultId(opened.vault())
                  .setName(opened.name())
                  .setVersion(opened.version())
                  .setFence(request.getFence())
                  .build();
          record(batch, used, opened.value(), request.getParentStepKey());
          return UseSecretResponse.newBuilder().setValue(opened.value()).setSecret(used).build();
        });
  }

  private static String key(String vault, String name) {
    return "secret:" + SecretStore.id(vault, name);
  }

  private void record(ReportBatch batch, UsedSecret used, String value, String parent) {
    TaskChange change = batch.change();
    String key = key(used.getVaultId(), used.getName());
    Optional<StepRecord> known =
        steps.findRecord(change.write().tr(), change.write().tenant(), change.id(), key);
    if (known.filter(record -> !record.getStep().hasSecret()).isPresent()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Another step of the task has the step key that the use of the secret is recorded"
                  + " under.")
          .with("step_key", key);
    }
    if (known.filter(record -> record.getStep().getSecret().equals(used)).isPresent()) {
      batch.saveIfApplied();
      return;
    }
    ByteString salt =
        known
            .filter(record -> record.getStep().getSecret().getVersion() == used.getVersion())
            .map(StepRecord::getSalt)
            .filter(kept -> !kept.isEmpty())
            .orElseGet(() -> ByteString.copyFrom(change.write().salt(Commitment.SALT_BYTES)));
    ByteString commitment = Commitment.of(salt.toByteArray(), ByteString.copyFromUtf8(value));
    StepRecord.Builder step = StepRecord.newBuilder();
    // A replay says of a secret that replaces another one whose place it takes.
    known.filter(StepRecord::hasReplaced).map(StepRecord::getReplaced).ifPresent(step::setReplaced);
    steps.record(
        change,
        step.setStep(
                RecordedStep.newBuilder().setStepKey(key).setSecret(used).setParentStepKey(parent))
            .setSalt(salt)
            .setCommitment(commitment)
            .setKind(DependencyKind.DEPENDENCY_KIND_SECRET)
            .setSequence(change.record().getNextSequence())
            .setFence(used.getFence())
            .build());
    change.emit(
        EventDraft.of(
            EventKinds.SECRET_USED,
            Payload.of()
                .text("step_key", key)
                .text("vault_id", used.getVaultId())
                .text("name", used.getName())
                .number("version", used.getVersion())
                .text("commitment", Commitment.spell(commitment))));
    Materials.add(change, key, used, commitment);
    change.save();
  }
}
