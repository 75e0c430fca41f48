package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import java.util.Set;

/** Tasks that others begin or hear of. See {@link Scenarios}. */
final class IntegrationScripts {
  private IntegrationScripts() {}

  static void delivery(World world) {
    Connector connector = ConnectorSteps.withPath(world, ConnectorSteps.connect(world, "key-1"));
    assertThat(ConnectorSteps.connect(world, "key-1").getId())
        .as("the answer to a retry")
        .isEqualTo(connector.getId());
    String delivery =
        ConnectorSteps.deliver(world, connector, "{\"title\":\"one\"}").getDeliveryId();
    IngestResponse again = ConnectorSteps.deliver(world, connector, "{\"title\":\"one\"}");
    assertThat(again.getDeliveryId()).isEqualTo(delivery);
    assertThat(again.getDuplicate()).isTrue();
    TaskLease lease = world.lease("w1");
    assertThat(lease.getTask().getCreatedBy()).isEqualTo(connector.getId());
    var unused = TaskSteps.complete(world, lease);
    world.expected().completed(lease.getTask().getId(), "user.message");
  }

  static void poll(World world) {
    world.outside().publish("[{\"id\":1},{\"id\":2}]");
    Connector connector = ConnectorSteps.poll(world, "key-1");
    assertThat(ConnectorSteps.poll(world, "key-1"))
        .as("the answer to a retry")
        .isEqualTo(connector);
    assertThat(ConnectorSteps.polled(world, connector, 2))
        .containsExactlyInAnyOrder("id:1", "id:2");
    world.outside().publish("[{\"id\":3},{\"id\":2},{\"id\":1}]");
    assertThat(ConnectorSteps.polled(world, connector, 3))
        .containsExactlyInAnyOrder("id:1", "id:2", "id:3");
    ConnectorSteps.pollNoMore(world, connector, "key-2");
    for (int i = 0; i < 3; i++) {
      TaskLease lease = world.lease("w1");
      assertThat(lease.getTask().getCreatedBy()).isEqualTo(connector.getId());
      var unused = TaskSteps.complete(world, lease);
      world.expected().completed(lease.getTask().getId(), "user.message");
    }
  }

  static void schedule(World world) {
    Schedule schedule = ScheduleSteps.schedule(world, "key-1");
    String first = ScheduleSteps.run(world, schedule.getId(), "");
    ScheduleSteps.reschedule(world, schedule.getId(), "key-2");
    String second = ScheduleSteps.run(world, schedule.getId(), first);
    assertThat(ScheduleSteps.schedule(world, "key-1"))
        .as("the answer to a retry")
        .isEqualTo(schedule);
    ScheduleSteps.unschedule(world, schedule.getId(), "key-3");
    for (String task : List.of(first, second)) {
      assertThat(TaskSteps.complete(world, world.lease("w1")).getStatus())
          .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
      world.expected().completed(task);
    }
  }

  static void webhook(World world) {
    Webhook webhook = WebhookSteps.tellOutside(world, "key-1");
    assertThat(WebhookSteps.tellOutside(world, "key-1"))
        .as("the answer to a retry")
        .isEqualTo(webhook);
    Task task = TaskSteps.submit(world, "key-2");
    var unused = TaskSteps.complete(world, world.lease("w1"));
    List<WebhookDelivery> delivered = WebhookSteps.delivered(world, webhook.getId(), 2);
    assertThat(delivered)
        .extracting(WebhookDelivery::getEventKind)
        .containsExactlyInAnyOrder("task.submitted", "task.completed");
    String first = WebhookSteps.of("task.submitted", delivered).getId();
    String last = WebhookSteps.of("task.completed", delivered).getId();
    List<String> told = world.outside().told();
    assertThat(told).as("at least once, and nothing else").contains(first, last);
    assertThat(Set.copyOf(told)).hasSize(2);
    assertThat(told.lastIndexOf(first)).as("in order").isLessThan(told.indexOf(last));
    WebhookSteps.tellNoMore(world, webhook.getId(), "key-3");
    world.leaseTimePasses();
    world.expected().completed(task.getId());
  }
}
