package dev.bridle.core.work.task;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.core.integrations.connector.SamplePolls;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.persona.SamplePersonas;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.Persona;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PersonaBoundsTest {
  @TempDir Path directory;
  private TestCore core;
  private Channel client;
  private String careful;
  private String free;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    client =
        core.as(
            "client",
            List.of(
                "sessions:write",
                "tasks:write",
                "tasks:read",
                "schedules:write",
                "connectors:write"),
            List.of());
    careful = persona(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL);
    free = persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aTaskRunsWithNoMoreAutonomyThanItsSessionsPersona() {
    String session = session(careful);

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED, "persona_id", () -> submit(client, session, free));
    assertThat(
            TaskServiceGrpc.newBlockingStub(core.owner())
                .listTasks(ListTasksRequest.getDefaultInstance())
                .getDataList())
        .isEmpty();
  }

  @Test
  void aTaskMayRunWithLessAutonomyThanItsSession() {
    assertThat(submit(client, session(free), careful).getPersonaId()).isEqualTo(careful);
    assertThat(submit(client, session(free), free).getPersonaId()).isEqualTo(free);
  }

  @Test
  void whoMayChangePersonasMayGiveATaskMore() {
    Channel admin =
        core.as("admin", List.of("tasks:write", "tasks:read", "personas:write"), List.of());

    assertThat(submit(admin, session(careful), free).getPersonaId()).isEqualTo(free);
  }

  @Test
  void aConnectorGivesItsTasksNoMoreAutonomyThanTheirSessionHas() {
    CreateConnectorRequest wanted =
        SamplePolls.described(SamplePolls.list("https://example.org/news"))
            .setTargetSessionId(session(careful))
            .setTargetPersonaId(free)
            .build();

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "target_persona_id",
        () -> ConnectorServiceGrpc.newBlockingStub(client).createConnector(wanted));
    assertThat(
            ConnectorServiceGrpc.newBlockingStub(core.owner())
                .createConnector(wanted)
                .getTargetPersonaId())
        .isEqualTo(free);
  }

  @Test
  void aScheduleGivesItsTasksNoMoreAutonomyThanTheirSessionHas() {
    CreateScheduleRequest wanted =
        CreateScheduleRequest.newBuilder()
            .setWorkspaceId("default")
            .setCron("0 3 * * *")
            .setTimeZone("UTC")
            .setText("Go on.")
            .setTargetSessionId(session(careful))
            .setTargetPersonaId(free)
            .build();

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "target_persona_id",
        () -> ScheduleServiceGrpc.newBlockingStub(client).createSchedule(wanted));
    assertThat(
            ScheduleServiceGrpc.newBlockingStub(core.owner())
                .createSchedule(wanted)
                .getTargetPersonaId())
        .isEqualTo(free);
  }

  @Test
  void moreThanALimitIsAHigherTierOrAWiderListOfToolsOrCapabilities() {
    Persona limit =
        Persona.newBuilder()
            .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_SUGGEST)
            .addTools("read")
            .addTools("list")
            .addCapabilities("command")
            .build();

    assertThat(PersonaBounds.exceeds(limit, limit)).isFalse();
    assertThat(PersonaBounds.exceeds(limit.toBuilder().clearTools().build(), limit)).isTrue();
    assertThat(PersonaBounds.exceeds(limit.toBuilder().addTools("write").build(), limit)).isTrue();
    assertThat(
            PersonaBounds.exceeds(limit.toBuilder().clearTools().addTools("read").build(), limit))
        .isFalse();
    assertThat(PersonaBounds.exceeds(limit.toBuilder().clearCapabilities().build(), limit))
        .isTrue();
    assertThat(PersonaBounds.exceeds(limit.toBuilder().addCapabilities("secrets").build(), limit))
        .isTrue();
    for (AutonomyTier tier : AutonomyTier.values()) {
      if (tier != AutonomyTier.UNRECOGNIZED) {
        assertThat(PersonaBounds.exceeds(limit.toBuilder().setAutonomyTier(tier).build(), limit))
            .as("%s", tier)
            .isEqualTo(
                tier != AutonomyTier.AUTONOMY_TIER_SHADOW
                    && tier != AutonomyTier.AUTONOMY_TIER_SUGGEST);
      }
    }
  }

  private String persona(AutonomyTier tier) {
    return SamplePersonas.made(core.owner(), tier);
  }

  private String session(String persona) {
    return SamplePersonas.session(core.owner(), persona);
  }

  private static Task submit(Channel caller, String session, String persona) {
    return TaskServiceGrpc.newBlockingStub(caller)
        .submitSessionTask(TestCore.submission(session).toBuilder().setPersonaId(persona).build());
  }
}
