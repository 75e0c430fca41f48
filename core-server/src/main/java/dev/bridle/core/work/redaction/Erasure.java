package dev.bridle.core.work.redaction;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.redaction.RedactionPlan.Step;
import dev.bridle.core.work.redaction.RedactionPlan.Target;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.StepStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Erases resources and steps: nobody can read them once the transaction has committed. */
final class Erasure {
  private final CoreContext context;
  private final TaskStore tasks;
  private final RedactionStore redactions;
  private final PermissionStore permissions;
  private final StepStore steps;
  private final BlobStore blobs;

  Erasure(CoreContext context, RedactionStore redactions) {
    this.context = context;
    this.tasks = new TaskStore(context.layout());
    this.redactions = redactions;
    this.permissions = new PermissionStore(context.layout());
    this.steps = new StepStore(context.layout());
    this.blobs = new BlobStore(context.layout());
  }

  /**
   * Erases what was not erased before. Returns that, without what no longer exists.
   *
   * @throws RedactionPlan.Outdated if copies or content were added since the plan was made
   */
  List<Target> apply(Write write, RedactionPlan plan, String redactionId) {
    plan.targets().stream()
        .filter(target -> !isErased(write, target))
        .forEach(target -> verify(write, plan, target));
    List<Target> done = apply(write, plan.targets(), redactionId);
    ErasedContent erased = new ErasedContent(redactionId);
    plan.steps().forEach(step -> step(write, step, erased));
    return done.stream()
        .filter(target -> !target.object().equals(RedactionStore.WHOLE_TASK))
        .toList();
  }

  /** Erases what was not erased before. Returns that, without what no longer exists. */
  List<Target> apply(Write write, List<Target> targets, String redactionId) {
    ErasedContent erased = new ErasedContent(redactionId);
    List<Target> done = new ArrayList<>();
    for (Target target : targets) {
      if (!isErased(write, target) && erase(write, target, erased)) {
        redactions.insert(
            write.tr(),
            write.tenant(),
            RedactedResourceRecord.newBuilder()
                .setObject(target.object())
                .setId(target.id())
                .setRedactionId(redactionId)
                .setStream(target.stream())
                .setTaskId(target.task())
                .build(),
            write.order());
        done.add(target);
      }
    }
    return done;
  }

  private boolean isErased(Write write, Target target) {
    return redactions
        .resource(write.tr(), write.tenant(), target.object(), target.id())
        .isPresent();
  }

  /** Checks that nothing was added to the content of a target since the plan was made. */
  private void verify(Write write, RedactionPlan plan, Target target) {
    String id = target.id();
    boolean planned =
        switch (target.object()) {
          case RedactionStore.MESSAGE ->
              messages()
                  .get(write.tr(), write.tenant(), id)
                  .map(message -> message.hasCopyOf() || copiesArePlanned(write, plan, id))
                  .orElse(true);
          case RedactionStore.ARTIFACT ->
              artifacts()
                  .get(write.tr(), write.tenant(), id)
                  .map(artifact -> artifact.equals(plan.artifacts().get(id)))
                  .orElse(true);
          default -> true;
        };
    if (!planned) {
      // Its session was forked meanwhile, or its content uploaded.
      throw new RedactionPlan.Outdated();
    }
  }

  private boolean copiesArePlanned(Write write, RedactionPlan plan, String original) {
    return plan.erasesLater(RedactionStore.MESSAGE, original)
        || Copies.of(write.tr(), context, write.tenant(), original).stream()
            .allMatch(copy -> plan.contains(RedactionStore.MESSAGE, copy.id()));
  }

  private RecordStore<Message> messages() {
    return MessageStore.MESSAGE.store(context.layout());
  }

  private RecordStore<ArtifactRecord> artifacts() {
    return ArtifactStore.ARTIFACT.store(context.layout());
  }

  private boolean erase(Write write, Target target, ErasedContent erased) {
    String id = target.id();
    return switch (target.object()) {
      case RedactionStore.WHOLE_TASK -> true; // Its parts are targets of their own.
      case RedactionStore.EVENT -> event(write, id, erased.redactionId());
      case RedactionStore.MESSAGE -> message(write, id, erased);
      case RedactionStore.ARTIFACT -> artifact(write, id, erased);
      case RedactionStore.TASK -> submission(write, id, erased);
      case RedactionStore.OUTCOME -> end(write, id, target.task(), erased);
      case RedactionStore.PERMISSION_REQUEST -> permission(write, id, erased);
      case RedactionStore.PERMISSION_GRANT -> grant(write, id, erased);
      default -> throw new IllegalStateException("no content is that of a " + target.object());
    };
  }

  private boolean event(Write write, String id, String redactionId) {
    return EventId.parse(id)
        .flatMap(known -> context.log().find(write.tr(), write.tenant(), known))
        .map(
            stored -> {
              var event = ErasedPayload.of(TaskContent.event(stored), redactionId);
              context.log().replace(write.tr(), write.tenant(), stored, event.toByteArray());
              return true;
            })
        .orElse(false);
  }

  private boolean message(Write write, String id, ErasedContent erased) {
    Optional<Message> before = messages().get(write.tr(), write.tenant(), id);
    before.ifPresent(
        message -> messages().update(write.tr(), write.tenant(), id, message, erased.of(message)));
    return before.isPresent();
  }

  private boolean artifact(Write write, String id, ErasedContent erased) {
    Optional<ArtifactRecord> found = artifacts().get(write.tr(), write.tenant(), id);
    if (found.isEmpty()) {
      return false;
    }
    ArtifactRecord before = found.get();
    OptionalLong size =
        before.getBlobId().isEmpty() ? OptionalLong.empty() : OptionalLong.of(before.getSize());
    artifacts()
        .update(
            write.tr(),
            write.tenant(),
            id,
            before,
            ArtifactRecord.newBuilder().setArtifact(erased.of(before.getArtifact(), size)).build());
    if (!before.getBlobId().isEmpty()) {
      blobs.delete(write.tr(), write.tenant(), before.getBlobId());
    }
    return true;
  }

  private boolean submission(Write write, String id, ErasedContent erased) {
    var inputs = TaskStore.TASK_INPUT.store(context.layout());
    inputs
        .get(write.tr(), write.tenant(), id)
        .ifPresent(input -> inputs.update(write.tr(), write.tenant(), id, input, erased.of(input)));
    return task(
        write, id, task -> task.toBuilder().setTask(erased.submission(task.getTask())).build());
  }

  private boolean end(Write write, String outcomeId, String taskId, ErasedContent erased) {
    var outcomes = OutcomeStore.OUTCOME.store(context.layout());
    outcomes
        .get(write.tr(), write.tenant(), outcomeId)
        .ifPresent(
            before ->
                outcomes.update(
                    write.tr(),
                    write.tenant(),
                    outcomeId,
                    before,
                    before.toBuilder().setOutcome(erased.of(before.getOutcome())).build()));
    return task(
        write,
        taskId,
        task -> task.toBuilder().setTask(erased.end(task.getTask())).clearCancelReason().build());
  }

  private boolean task(Write write, String id, UnaryOperator<TaskRecord> erasure) {
    return tasks
        .find(write.tr(), write.tenant(), id)
        .map(
            before -> {
              tasks.redact(
                  write.tr(), write.tenant(), before, erasure.apply(before), write.nowMillis());
              return true;
            })
        .orElse(false);
  }

  private boolean permission(Write write, String id, ErasedContent erased) {
    return permissions
        .find(write.tr(), write.tenant(), id)
        .map(
            before -> {
              permissions.redact(write, before, erased.of(before.getRequest()));
              return true;
            })
        .orElse(false);
  }

  private boolean grant(Write write, String id, ErasedContent erased) {
    GrantStore grants = new GrantStore(context.layout());
    return GrantStore.PERMISSION_GRANT
        .store(context.layout())
        .get(write.tr(), write.tenant(), id)
        .map(
            before -> {
              var after = before.toBuilder().setGrant(erased.of(before.getGrant())).build();
              grants.update(write, before, after);
              return true;
            })
        .orElse(false);
  }

  /** Erases the content of a step. */
  void step(Write write, Step step, ErasedContent erased) {
    steps
        .find(write.tr(), write.tenant(), step.task(), step.key())
        .ifPresent(
            before ->
                steps.record(
                    write.tr(),
                    write.tenant(),
                    step.task(),
                    step.key(),
                    erased.of(TaskContent.stepRecord(before)).toByteArray()));
  }
}
