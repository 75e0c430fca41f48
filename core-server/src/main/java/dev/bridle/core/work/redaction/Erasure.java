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

/** Erases what a plan names, in one transaction: nobody can read it once that has committed. */
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
    ErasedContent erased = new ErasedContent(redactionId);
    List<Target> done = new ArrayList<>();
    for (Target target : plan.targets()) {
      boolean before =
          redactions.resource(write.tr(), write.tenant(), target.object(), target.id()).isPresent();
      if (!before && erase(write, plan, target, erased)) {
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
    plan.steps().forEach(step -> step(write, step, erased));
    return done;
  }

  private boolean erase(Write write, RedactionPlan plan, Target target, ErasedContent erased) {
    String id = target.id();
    return switch (target.object()) {
      case RedactionStore.EVENT -> event(write, id, erased.redactionId());
      case RedactionStore.MESSAGE -> message(write, plan, id, erased);
      case RedactionStore.ARTIFACT -> artifact(write, plan, id, erased);
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

  private boolean message(Write write, RedactionPlan plan, String id, ErasedContent erased) {
    RecordStore<Message> messages = MessageStore.MESSAGE.store(context.layout());
    Optional<Message> before = messages.get(write.tr(), write.tenant(), id);
    if (before.isEmpty()) {
      return false;
    }
    if (!before.get().hasCopyOf()) {
      boolean planned =
          Copies.of(write.tr(), context, write.tenant(), id).stream()
              .allMatch(copy -> plan.contains(RedactionStore.MESSAGE, copy));
      if (!planned) {
        throw new RedactionPlan.Outdated(); // Its session was forked meanwhile.
      }
    }
    messages.update(write.tr(), write.tenant(), id, before.get(), erased.of(before.get()));
    return true;
  }

  private boolean artifact(Write write, RedactionPlan plan, String id, ErasedContent erased) {
    RecordStore<ArtifactRecord> artifacts = ArtifactStore.ARTIFACT.store(context.layout());
    Optional<ArtifactRecord> found = artifacts.get(write.tr(), write.tenant(), id);
    if (found.isEmpty()) {
      return false;
    }
    ArtifactRecord before = found.get();
    if (!before.equals(plan.artifacts().get(id))) {
      throw new RedactionPlan.Outdated(); // Its content was uploaded meanwhile.
    }
    OptionalLong size =
        before.getBlobId().isEmpty() ? OptionalLong.empty() : OptionalLong.of(before.getSize());
    artifacts.update(
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

  private void step(Write write, Step step, ErasedContent erased) {
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
