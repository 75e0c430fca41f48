package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.artifact.v1.Artifact;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.workspace.v1.WorkspaceFile;
import io.grpc.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The scripts, from a submission to an end. Each asks again for what it was told before. */
enum Scenarios implements Scenario {
  /** Submit, lease, report, complete: each told twice in the end. */
  TASK {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease lease = world.lease("w1");
      assertThat(lease.getTask().getId()).isEqualTo(task.getId());
      assertThat(Steps.beat(world, lease).getStatusesCount()).isEqualTo(1);
      RecordedStep progress = Steps.progress(world, lease, "p");
      RecordedStep artifact = Steps.artifact(world, lease, "a");
      assertThat(Steps.progress(world, lease, "p")).isEqualTo(progress);
      assertThat(Steps.artifact(world, lease, "a")).isEqualTo(artifact);
      Task ended = Steps.complete(world, lease);
      assertThat(Steps.complete(world, lease)).isEqualTo(ended);
      assertThat(Steps.submit(world, "key-1")).as("the answer to a retry").isEqualTo(task);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "vendor.bridle.progress",
              "artifact.created",
              "task.completed");
    }
  },

  /** A worker waits before there is a task, and gets it with the submission. */
  WAITING_WORKER {
    @Override
    public void play(World world) {
      world.want("w1");
      Task task = Steps.submit(world, "key-1");
      assertThat(task.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
      TaskLease lease = world.lease("w1");
      assertThat(lease.getTask().getId()).isEqualTo(task.getId());
      Task ended = Steps.complete(world, lease);
      assertThat(Steps.complete(world, lease)).isEqualTo(ended);
      assertThat(Steps.submit(world, "key-1")).as("the answer to a retry").isEqualTo(task);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "task.completed");
    }
  },

  /** Calls of a worker carry reports that overlap, and each call is made twice. */
  BATCHES {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease asking = world.lease("w1");
      RecordedStep artifact = ReportSteps.artifact(world, asking, "a", "p1", "p2");
      assertThat(ReportSteps.artifact(world, asking, "a", "p1", "p2")).isEqualTo(artifact);
      RecordedStep progress = ReportSteps.progress(world, asking, "p4", "p2", "p3");
      assertThat(ReportSteps.progress(world, asking, "p4", "p2", "p3")).isEqualTo(progress);
      assertThat(ReportSteps.ask(world, asking, "p4", "p5").hasAnswer()).isFalse();
      assertThat(ReportSteps.ask(world, asking, "p4", "p5").hasAnswer()).isFalse();
      var answer = Steps.answer(world, task.getId(), "key-2");
      assertThat(Steps.answer(world, task.getId(), "key-2")).isEqualTo(answer);
      TaskLease lease = world.lease("w1");
      assertThat(ReportSteps.ask(world, lease, "p6").hasAnswer()).isTrue();
      Task ended = ReportSteps.complete(world, lease, "p6", "p1", "p7");
      assertThat(ReportSteps.complete(world, lease, "p6", "p1", "p7")).isEqualTo(ended);
      assertThat(ReportSteps.progressOf(world, task.getId()))
          .containsExactly("p1", "p2", "p3", "p4", "p5", "p6", "p7");
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "artifact.created",
              "task.input_required",
              "user.input_submitted",
              "agent.message",
              "vendor.note",
              "task.completed");
    }
  },

  /** A task is canceled while a worker holds it, and another one before anybody does. */
  CANCEL {
    @Override
    public void play(World world) {
      Task waiting = Steps.submit(world, "key-1");
      Task canceled = Steps.cancel(world, waiting.getId(), "key-2");
      assertThat(canceled.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
      Task held = Steps.submit(world, "key-3");
      TaskLease lease = world.lease("w1");
      Task asked = Steps.cancel(world, held.getId(), "key-4");
      assertThat(asked.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
      Task ended = Steps.acknowledgeCancel(world, lease);
      assertThat(Steps.acknowledgeCancel(world, lease)).isEqualTo(ended);
      assertThat(Steps.cancel(world, waiting.getId(), "key-2")).isEqualTo(canceled);
      assertThat(Steps.cancel(world, held.getId(), "key-4")).isEqualTo(asked);
      world
          .expected()
          .task(
              waiting.getId(),
              TaskStatus.TASK_STATUS_CANCELED,
              "task.submitted",
              "user.cancel_requested",
              "task.canceled");
      world
          .expected()
          .task(
              held.getId(),
              TaskStatus.TASK_STATUS_CANCELED,
              "task.submitted",
              "task.started",
              "user.cancel_requested",
              "task.canceled");
    }
  },

  /** A client loses its answers and sends each submission twice, with its key. */
  RETRY {
    @Override
    public void play(World world) {
      Task first = Steps.submit(world, "key-1");
      assertThat(Steps.submit(world, "key-1")).isEqualTo(first);
      Task second = Steps.submit(world, "key-2");
      assertThat(second.getId()).isNotEqualTo(first.getId());
      assertThat(Steps.submit(world, "key-2")).isEqualTo(second);
      assertThat(Steps.submit(world, "key-1")).isEqualTo(first);
      for (int i = 0; i < 2; i++) {
        assertThat(Steps.complete(world, world.lease("w1")).getStatus())
            .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
      }
      for (Task task : new Task[] {first, second}) {
        world
            .expected()
            .task(
                task.getId(),
                TaskStatus.TASK_STATUS_COMPLETED,
                "task.submitted",
                "task.started",
                "task.completed");
      }
    }
  },

  /** A worker goes quiet; another one ends its task, and the first one comes back too late. */
  EXPIRY {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease lost = world.lease("w1");
      RecordedStep step = Steps.progress(world, lost, "p");
      world.leaseTimePasses();
      world.leaseTimePasses();
      TaskLease lease = world.lease("w2");
      assertThat(lease.getFence()).isGreaterThan(lost.getFence());
      assertThat(lease.getAttempt()).isGreaterThan(1);
      assertThat(Steps.progress(world, lease, "p")).isEqualTo(step);
      assertThatThrownBy(() -> Steps.complete(world, lost)).hasMessageContaining("ABORTED");
      var unused = Steps.complete(world, lease);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "vendor.bridle.progress",
              "task.completed");
    }
  },

  /** A handler asks, a user answers, and the task goes on. */
  QUESTION {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease asking = world.lease("w1");
      assertThat(Steps.ask(world, asking).hasAnswer()).isFalse();
      String message = Steps.answer(world, task.getId(), "key-2");
      TaskLease lease = world.lease("w1");
      assertThat(lease.getTask().getId()).isEqualTo(task.getId());
      assertThat(Steps.ask(world, lease).getAnswer().getParts(0).getText().getText())
          .isEqualTo("forty-two");
      var unused = Steps.complete(world, lease);
      assertThat(Steps.answer(world, task.getId(), "key-2")).isEqualTo(message);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "task.input_required",
              "user.input_submitted",
              "task.status_changed",
              "task.completed");
    }
  },

  /** A handler asks before it acts, a person approves, and the approval is used once. */
  PERMISSION {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      RequestPermissionResponse asked = Steps.may(world, world.lease("w1"), DAY);
      assertThat(asked.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
      PermissionRequest approved = Steps.approve(world, asked.getRequestId(), "this_tool", "key-2");
      TaskLease lease = world.lease("w1");
      RequestPermissionResponse allowed = Steps.may(world, lease, DAY);
      assertThat(allowed.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
      assertThat(allowed.getRequestId()).isEqualTo(asked.getRequestId());
      assertThat(Steps.may(world, lease, DAY)).as("the same call").isEqualTo(allowed);
      assertThat(Steps.approve(world, asked.getRequestId(), "this_tool", "key-2"))
          .isEqualTo(approved);
      var unused = Steps.complete(world, lease);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "tool.approval_required",
              "task.auth_required",
              "user.tool_confirmation",
              "vendor.bridle.permission_granted",
              "tool.approved",
              "task.status_changed",
              "vendor.bridle.permission_used",
              "task.completed");
    }
  },

  /** Nobody answers in time; a second task of the session ends while it waits. */
  PERMISSION_EXPIRY {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      RequestPermissionResponse asked = Steps.may(world, world.lease("w1"), Duration.ofSeconds(5));
      world.leaseTimePasses();
      TaskLease lease = world.lease("w1");
      RequestPermissionResponse expired = Steps.may(world, lease, Duration.ofSeconds(5));
      assertThat(expired.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_EXPIRED);
      assertThat(expired.getRequestId()).isEqualTo(asked.getRequestId());
      var unused = Steps.complete(world, lease);
      Task canceled = Steps.submit(world, "key-2");
      var waits = Steps.may(world, world.lease("w1"), DAY);
      assertThat(waits.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
      assertThat(Steps.cancel(world, canceled.getId(), "key-3").getStatus())
          .isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.auth_required",
              "vendor.bridle.permission_expired",
              "task.status_changed",
              "task.completed");
      world
          .expected()
          .task(
              canceled.getId(),
              TaskStatus.TASK_STATUS_CANCELED,
              "task.auth_required",
              "vendor.bridle.permission_expired",
              "task.canceled");
    }
  },

  /**
   * A handler asks a client to run a tool: a person allows it, one call is answered, the other
   * times out.
   */
  HOST_TOOL {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease first = world.lease("w1");
      assertThat(Steps.hostTool(world, first, "one").getVerdict())
          .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
      Steps.approve(world, Steps.pending(world, task.getId()), "this_tool", "key-2");
      assertThat(Steps.hostTool(world, world.lease("w1"), "one").hasAnswer()).isFalse();
      String message = Steps.hostResult(world, task.getId(), "key-3");
      TaskLease second = world.lease("w1");
      assertThat(Steps.hostTool(world, second, "one").getAnswer().getId()).isEqualTo(message);
      assertThat(Steps.hostTool(world, second, "two").getTimedOut()).isFalse();
      assertThat(Steps.hostResult(world, task.getId(), "key-3")).isEqualTo(message);
      world.leaseTimePasses();
      TaskLease third = world.lease("w1");
      assertThat(Steps.hostTool(world, third, "two").getTimedOut()).isTrue();
      var unused = Steps.complete(world, third);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "tool.approval_required",
              "tool.completed",
              "tool.failed",
              "task.completed");
    }
  },

  /** An attempt fails and is tried again, the next one fails for good; each is told twice. */
  FAILURE {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease first = world.lease("w1");
      assertThat(Steps.fail(world, first, true).getStatus())
          .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
      assertThat(Steps.fail(world, first, true).getStatus())
          .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
      TaskLease second = world.lease("w1");
      assertThat(second.getFence()).isGreaterThan(first.getFence());
      Task ended = Steps.fail(world, second, false);
      assertThat(Steps.fail(world, second, false)).isEqualTo(ended);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_FAILED,
              "task.submitted",
              "task.started",
              "task.failed");
    }
  },

  /** A handler ends with a question after its task's cancellation was asked for. */
  LATE_QUESTION {
    @Override
    public void play(World world) {
      Task task = Steps.submit(world, "key-1");
      TaskLease lease = world.lease("w1");
      var unused = Steps.cancel(world, task.getId(), "key-2");
      assertThat(Steps.ask(world, lease).hasAnswer()).isFalse();
      assertThat(Steps.ask(world, lease).hasAnswer()).as("asked twice").isFalse();
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_CANCELED,
              "task.submitted",
              "task.started",
              "user.cancel_requested",
              "task.canceled");
    }
  },

  /** A secret is set, set anew, and used by the holder of a task, who asks twice. */
  SECRET {
    @Override
    public void play(World world) {
      VaultSecret first = Steps.setSecret(world, "token", "one", "key-1");
      VaultSecret second = Steps.setSecret(world, "token", "two", "key-2");
      assertThat(second.getVersion()).isEqualTo(first.getVersion() + 1);
      assertThat(Steps.setSecret(world, "token", "one", "key-1"))
          .as("the answer to a retry")
          .isEqualTo(first);
      Task task = Steps.submit(world, "key-3");
      TaskLease lease = world.lease("w1");
      assertThat(Steps.useSecret(world, lease, "token").getValue()).isEqualTo("two");
      assertThat(Steps.useSecret(world, lease, "token").getValue()).isEqualTo("two");
      var unused = Steps.complete(world, lease);
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "vendor.bridle.secret_used",
              "task.completed");
    }
  },

  /** A provider delivers, and delivers the same again: it becomes one task. */
  DELIVERY {
    @Override
    public void play(World world) {
      Connector connector = Steps.withPath(world, Steps.connect(world, "key-1"));
      assertThat(Steps.connect(world, "key-1").getId())
          .as("the answer to a retry")
          .isEqualTo(connector.getId());
      String delivery = Steps.deliver(world, connector, "{\"title\":\"one\"}").getDeliveryId();
      IngestResponse again = Steps.deliver(world, connector, "{\"title\":\"one\"}");
      assertThat(again.getDeliveryId()).isEqualTo(delivery);
      assertThat(again.getDuplicate()).isTrue();
      TaskLease lease = world.lease("w1");
      assertThat(lease.getTask().getCreatedBy()).isEqualTo(connector.getId());
      var unused = Steps.complete(world, lease);
      world
          .expected()
          .task(
              lease.getTask().getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "user.message",
              "task.started",
              "task.completed");
    }
  },

  /** A list is polled, and polled again with something new in it: each item becomes one task. */
  POLL {
    @Override
    public void play(World world) {
      world.outside().publish("[{\"id\":1},{\"id\":2}]");
      Connector connector = Steps.poll(world, "key-1");
      assertThat(Steps.poll(world, "key-1")).as("the answer to a retry").isEqualTo(connector);
      assertThat(Steps.polled(world, connector, 2)).containsExactlyInAnyOrder("id:1", "id:2");
      world.outside().publish("[{\"id\":3},{\"id\":2},{\"id\":1}]");
      assertThat(Steps.polled(world, connector, 3))
          .containsExactlyInAnyOrder("id:1", "id:2", "id:3");
      Steps.pollNoMore(world, connector, "key-2");
      for (int i = 0; i < 3; i++) {
        TaskLease lease = world.lease("w1");
        assertThat(lease.getTask().getCreatedBy()).isEqualTo(connector.getId());
        var unused = Steps.complete(world, lease);
        world
            .expected()
            .task(
                lease.getTask().getId(),
                TaskStatus.TASK_STATUS_COMPLETED,
                "task.submitted",
                "user.message",
                "task.started",
                "task.completed");
      }
    }
  },

  /** A schedule runs, gets another time, runs again, and is deleted. */
  SCHEDULE {
    @Override
    public void play(World world) {
      Schedule schedule = Steps.schedule(world, "key-1");
      String first = Steps.run(world, schedule.getId(), "");
      Steps.reschedule(world, schedule.getId(), "key-2");
      String second = Steps.run(world, schedule.getId(), first);
      assertThat(Steps.schedule(world, "key-1")).as("the answer to a retry").isEqualTo(schedule);
      Steps.unschedule(world, schedule.getId(), "key-3");
      for (String task : List.of(first, second)) {
        assertThat(Steps.complete(world, world.lease("w1")).getStatus())
            .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
        world
            .expected()
            .task(
                task,
                TaskStatus.TASK_STATUS_COMPLETED,
                "task.submitted",
                "task.started",
                "task.completed");
      }
    }
  },

  /** Somebody outside hears of a task, each event in its order, until that is no longer wanted. */
  WEBHOOK {
    @Override
    public void play(World world) {
      Webhook webhook = Steps.tellOutside(world, "key-1");
      assertThat(Steps.tellOutside(world, "key-1")).as("the answer to a retry").isEqualTo(webhook);
      Task task = Steps.submit(world, "key-2");
      var unused = Steps.complete(world, world.lease("w1"));
      List<WebhookDelivery> delivered = Steps.delivered(world, webhook.getId(), 2);
      assertThat(delivered)
          .extracting(WebhookDelivery::getEventKind)
          .containsExactlyInAnyOrder("task.submitted", "task.completed");
      String first = Steps.of("task.submitted", delivered).getId();
      String last = Steps.of("task.completed", delivered).getId();
      List<String> told = world.outside().told();
      assertThat(told).as("at least once, and nothing else").contains(first, last);
      assertThat(Set.copyOf(told)).hasSize(2);
      assertThat(told.lastIndexOf(first)).as("in order").isLessThan(told.indexOf(last));
      Steps.tellNoMore(world, webhook.getId(), "key-3");
      world.leaseTimePasses();
      world
          .expected()
          .task(
              task.getId(),
              TaskStatus.TASK_STATUS_COMPLETED,
              "task.submitted",
              "task.started",
              "task.completed");
    }
  },

  /** A file is written, written anew with more, and the first write told again. */
  FILE {
    @Override
    public void play(World world) {
      String content = "x".repeat(2 * BlobStore.CHUNK_BYTES + 1);
      WorkspaceFile first = Steps.write(world, "notes/a", "short", "key-1");
      assertThat(Steps.write(world, "notes/a", content, "key-2").getBytes())
          .isEqualTo(content.length());
      assertThat(Steps.write(world, "notes/a", "short", "key-1")).isEqualTo(first);
      assertThat(Steps.read(world, "notes/a")).isEqualTo(content);
    }
  },

  /** A client registers an artifact and sends its content, more than one transaction takes. */
  UPLOAD {
    @Override
    public void play(World world) {
      byte[] content = Uploading.noise((BlobStore.CHUNKS_AT_ONCE + 2) * BlobStore.CHUNK_BYTES);
      Artifact artifact = Steps.register(world, "key-1");
      Artifact filled = Steps.upload(world, artifact.getId(), content);
      assertThat(filled.getSha256()).isEqualTo(Uploading.sha256(content));
      assertThat(Steps.register(world, "key-1")).isEqualTo(artifact);
      byte[] stored = world.call("download", channel -> downloaded(channel, artifact));
      assertThat(stored).isEqualTo(content);
    }

    private byte[] downloaded(Channel channel, Artifact artifact) {
      return Uploading.downloaded(channel, artifact.getId());
    }
  };

  private static final Duration DAY = Duration.ofDays(1);
}
