package dev.bridle.core.integrations.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.Event;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.Webhook;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WebhookFilterTest {
  private static final Webhook ALL = Webhook.newBuilder().setWorkspaceId("w").build();
  private static final Event ASKED =
      Event.newBuilder()
          .setEvent("task.input_required")
          .setWorkspaceId("w")
          .setTaskId("task_1")
          .setPayload(
              ByteString.copyFromUtf8(
                  "{\"a\":{\"status\":\"FAILED\"},\"status\":\"INPUT_REQUIRED\"}"))
          .build();

  @Test
  void onlyEventsOfItsWorkspaceAreSent() {
    assertThat(wants(ALL, ASKED)).isTrue();
    assertThat(wants(ALL, ASKED.toBuilder().setWorkspaceId("other").build())).isFalse();
    assertThat(wants(ALL, ASKED.toBuilder().clearWorkspaceId().build())).isFalse();
  }

  @Test
  void kindsAreNamedWholeOrByTheirBeginning() {
    assertThat(wants(ALL.toBuilder().addEventKinds("task.*").build(), ASKED)).isTrue();
    assertThat(wants(ALL.toBuilder().addEventKinds("*").build(), ASKED)).isTrue();
    assertThat(wants(ALL.toBuilder().addEventKinds("task").build(), ASKED)).isFalse();
    assertThat(
            wants(
                ALL.toBuilder().addEventKinds("session.*").addEventKinds(ASKED.getEvent()).build(),
                ASKED))
        .isTrue();
  }

  @Test
  void aStatusIsTheOneThatTheEventTells() {
    Webhook asks =
        ALL.toBuilder()
            .addTaskStatuses(TaskStatus.TASK_STATUS_INPUT_REQUIRED)
            .addTaskStatuses(TaskStatus.TASK_STATUS_AUTH_REQUIRED)
            .build();
    Webhook failures = ALL.toBuilder().addTaskStatuses(TaskStatus.TASK_STATUS_FAILED).build();

    assertThat(wants(asks, ASKED)).isTrue();
    assertThat(wants(failures, ASKED)).isFalse();
    assertThat(wants(asks, ASKED.toBuilder().setEvent("agent.message").build())).isFalse();
    assertThat(wants(asks, ASKED.toBuilder().setPayload(ByteString.copyFromUtf8("{}")).build()))
        .isFalse();
  }

  @Test
  void aPersonaIsThatOfTheEventsTask() {
    Webhook ofPersona = ALL.toBuilder().setPersonaId("persona_1").build();

    assertThat(WebhookFilter.matches(ofPersona, ASKED, task -> Optional.of("persona_1"))).isTrue();
    assertThat(WebhookFilter.matches(ofPersona, ASKED, task -> Optional.of("persona_2"))).isFalse();
    assertThat(WebhookFilter.matches(ofPersona, ASKED, task -> Optional.empty())).isFalse();
    assertThat(
            WebhookFilter.matches(
                ofPersona, ASKED.toBuilder().clearTaskId().build(), task -> Optional.of("x")))
        .isFalse();
  }

  @Test
  void eventsOfReplaysAreNotSentAgain() {
    assertThat(wants(ALL, ASKED.toBuilder().setReplayed(true).build())).isFalse();
  }

  private static boolean wants(Webhook webhook, Event event) {
    return WebhookFilter.matches(webhook, event, task -> Optional.empty());
  }
}
