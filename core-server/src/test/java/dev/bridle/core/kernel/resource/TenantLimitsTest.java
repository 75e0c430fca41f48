package dev.bridle.core.kernel.resource;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.schedule.SampleSchedules;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.schedule.v1.DeleteScheduleRequest;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TenantLimitsTest {
  @TempDir Path directory;
  private TestCore core;

  @BeforeEach
  void start() {
    core =
        TestCore.start(
            directory,
            options ->
                options
                    .withLimits(new TenantLimits(2, 3, 2, 2, 3, 2, 2))
                    .withOutbound(
                        OutboundOptions.DEFAULT.withAllowed(
                            List.of(AddressRange.parse("127.0.0.1")))));
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aTenantHasNoMoreConnectorsThanItMay() {
    String vault = SampleConnectors.vault(core.owner());
    String first = SampleConnectors.made(core.owner(), SampleConnectors.described(vault)).getId();
    SampleConnectors.made(core.owner(), SampleConnectors.described(vault));

    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "",
        () -> SampleConnectors.made(core.owner(), SampleConnectors.described(vault)));

    var unused =
        ConnectorServiceGrpc.newBlockingStub(core.owner())
            .deleteConnector(DeleteConnectorRequest.newBuilder().setConnectorId(first).build());
    assertThat(SampleConnectors.made(core.owner(), SampleConnectors.described(vault)).getId())
        .isNotEmpty();
  }

  @Test
  void aTenantHasNoMoreWebhooksThanItMay() {
    String first = webhook();
    webhook();

    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", this::webhook);

    var unused =
        WebhookServiceGrpc.newBlockingStub(core.owner())
            .deleteWebhook(DeleteWebhookRequest.newBuilder().setWebhookId(first).build());
    assertThat(webhook()).isNotEmpty();
  }

  @Test
  void aTenantHasNoMoreWorkspacesThanItMay() {
    workspace(core.owner()); // Besides the tenant's first one.
    workspace(core.owner());

    assertThatThrownBy(() -> workspace(core.owner())).hasMessageContaining("raise the limit");
    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> workspace(core.owner()));
  }

  @Test
  void aTenantHasNoMorePersonasThanItMay() {
    persona();
    persona();

    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", this::persona);
  }

  @Test
  void aTenantHasNoMoreVaultsThanItMay() {
    var unused = SampleConnectors.vault(core.owner());
    unused = SampleConnectors.vault(core.owner());

    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> SampleConnectors.vault(core.owner()));
  }

  @Test
  void ofManyWhoMakeTheLastWorkspaceAtOnceOneDoes() throws Exception {
    assertThat(accepted(this::hasMadeAWorkspace)).isEqualTo(2);
  }

  @Test
  void ofManyWhoMakeTheLastScheduleAtOnceOneDoes() throws Exception {
    String first = SampleSchedules.made(core.owner(), SampleSchedules.cron("0 3 * * *")).getId();
    var unused =
        ScheduleServiceGrpc.newBlockingStub(core.owner())
            .deleteSchedule(DeleteScheduleRequest.newBuilder().setScheduleId(first).build());

    assertThat(accepted(this::schedule)).isEqualTo(3);
  }

  /** Makes eight at once, and returns how many were made. */
  private static int accepted(Callable<Boolean> making) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Boolean>> made = threads.invokeAll(Collections.nCopies(8, making));
    int accepted = 0;
    for (Future<Boolean> one : made) {
      accepted += one.get() ? 1 : 0;
    }
    threads.shutdown();
    return accepted;
  }

  @Test
  void aTenantHoldsNoMoreEventStreamsThanItMayAndOthersHoldTheirs() {
    Context.CancellableContext reading = Context.current().withCancellation();
    reading.run(
        () -> {
          open(core.owner());
          open(core.owner());
        });
    await().until(() -> core.core().openStreams() == 2);

    assertThat(stream(core.owner()).join()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    reading.cancel(null);
    await().until(() -> core.core().openStreams() == 0);

    Channel other = core.as(core.core().processCredential("other", "ada", Set.of("*")));
    Context.CancellableContext again = Context.current().withCancellation();
    again.run(
        () -> {
          open(core.owner());
          open(core.owner());
          open(other);
        });
    await().until(() -> core.core().openStreams() == 3);
    again.cancel(null);
    await().until(() -> core.core().openStreams() == 0);
  }

  @Test
  void aLimitIsAtLeastOne() {
    assertThatThrownBy(() -> new TenantLimits(1, 0, 1, 1, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max schedules is 0, expected 1 or more");
    assertThatThrownBy(() -> new TenantLimits(1, 1, 10_001, 1, 1, 1, 1))
        .hasMessage("max webhooks is 10001, expected 1 to 10000");
  }

  private static void workspace(Channel caller) {
    var unused =
        WorkspaceServiceGrpc.newBlockingStub(caller)
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder()
                    .setName("one more")
                    .setRoot("workspace://more")
                    .build());
  }

  private boolean hasMadeAWorkspace() {
    try {
      workspace(core.owner());
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private void persona() {
    var unused =
        PersonaServiceGrpc.newBlockingStub(core.owner())
            .createPersona(SharedResources.aPersona().build());
  }

  private boolean schedule() {
    try {
      return !SampleSchedules.made(core.owner(), SampleSchedules.cron("0 3 * * *"))
          .getId()
          .isEmpty();
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private String webhook() {
    return WebhookServiceGrpc.newBlockingStub(core.owner())
        .createWebhook(
            CreateWebhookRequest.newBuilder()
                .setWorkspaceId("default")
                .setUrl("http://127.0.0.1:9999/hook")
                .addEventKinds("task.completed")
                .build())
        .getId();
  }

  private static void open(Channel caller) {
    var unused = stream(caller);
  }

  /** Opens a stream of all events; the result is how it ended. */
  private static CompletableFuture<Status.Code> stream(Channel caller) {
    CompletableFuture<Status.Code> ended = new CompletableFuture<>();
    EventServiceGrpc.newStub(caller)
        .streamEvents(
            StreamEventsRequest.getDefaultInstance(),
            new StreamObserver<EventFrame>() {
              @Override
              public void onNext(EventFrame frame) {}

              @Override
              public void onError(Throwable failure) {
                ended.complete(Status.fromThrowable(failure).getCode());
              }

              @Override
              public void onCompleted() {
                ended.complete(Status.Code.OK);
              }
            });
    return ended;
  }
}
