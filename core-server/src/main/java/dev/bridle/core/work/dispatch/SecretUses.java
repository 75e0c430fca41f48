package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.vault.OpenedSecret;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.core.work.vault.VaultSecrets;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
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
  private final Commands commands;
  private final TaskStores stores;
  private final SessionStore sessions;
  private final VaultSecrets secrets;
  private final Steps steps;

  SecretUses(
      Commands commands,
      TaskStores stores,
      SessionStore sessions,
      VaultSecrets secrets,
      Steps steps) {
    this.commands = commands;
    this.stores = stores;
    this.sessions = sessions;
    this.secrets = secrets;
    this.steps = steps;
  }

  UseSecretResponse use(Caller caller, UseSecretRequest request) {
    return commands.fenced(
        FencedWrite.USE_SECRET,
        caller.tenant(),
        caller.actor(),
        write -> {
          TaskRecord task = stores.tasks().need(write.tr(), caller, request.getTaskId());
          Fences.needHeld(task, caller, request.getFence());
          Session session = sessions.need(write.tr(), caller, task.getTask().getSessionId());
          OpenedSecret opened =
              secrets.open(
                  write.tr(),
                  write.tenant(),
                  task,
                  session,
                  request.getVaultId(),
                  request.getName());
          UsedSecret used =
              UsedSecret.newBuilder()
                  .setVaultId(opened.vault())
                  .setName(opened.name())
                  .setVersion(opened.version())
                  .setFence(request.getFence())
                  .build();
          record(stores.change(write, task), used);
          return UseSecretResponse.newBuilder().setValue(opened.value()).setSecret(used).build();
        });
  }

  private void record(TaskChange change, UsedSecret used) {
    String key = "secret:" + SecretStore.id(used.getVaultId(), used.getName());
    Optional<RecordedStep> known =
        steps.find(change.write().tr(), change.write().tenant(), change.id(), key);
    if (known.filter(step -> !step.hasSecret()).isPresent()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Another step of the task has the step key that the use of the secret is recorded"
                  + " under.")
          .with("step_key", key);
    }
    if (known.filter(step -> step.getSecret().equals(used)).isPresent()) {
      return;
    }
    steps.record(change, RecordedStep.newBuilder().setStepKey(key).setSecret(used).build());
    change.emit(
        EventDraft.of(
            EventKinds.SECRET_USED,
            Payload.of()
                .text("step_key", key)
                .text("vault_id", used.getVaultId())
                .text("name", used.getName())
                .number("version", used.getVersion())));
    change.save();
  }
}
