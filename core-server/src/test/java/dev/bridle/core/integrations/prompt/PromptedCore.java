package dev.bridle.core.integrations.prompt;

import static dev.bridle.core.integrations.prompt.SamplePrompts.prompt;
import static dev.bridle.core.integrations.prompt.SamplePrompts.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.Refusal;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A core whose clock is set, with a session, and what is sent to it. */
abstract class PromptedCore {
  @TempDir private Path directory;
  protected final SetClock clock = new SetClock("2026-11-21T10:00:25Z");
  private KeyValueStore store;
  protected CoreOver core;
  protected Channel ada;
  protected String session;

  @BeforeEach
  final void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    ada = core.of("default");
    session = session("default");
  }

  @AfterEach
  final void stop() {
    core.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  protected final String session(String workspace) {
    return SessionServiceGrpc.newBlockingStub(ada)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
        .getId();
  }

  protected final void close(String closed) {
    var unused =
        SessionServiceGrpc.newBlockingStub(ada)
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(closed).build());
  }

  protected final ObjectNode said(String request) {
    return prompt(request, "Please summarize the plan: " + request, clock.instant());
  }

  protected final List<Task> tasks() {
    return TaskServiceGrpc.newBlockingStub(ada)
        .listTasks(ListTasksRequest.newBuilder().setLimit(200).build())
        .getDataList();
  }

  protected static String text(Task task) {
    return task.getInput().getMessage().getParts(0).getText().getText();
  }

  protected final Channel keyOf(String tenant, String actor, String scope, String... workspaces) {
    return core.as(
        AdminServiceGrpc.newBlockingStub(core.operator())
            .createApiKey(
                CreateApiKeyRequest.newBuilder()
                    .setTenantId(tenant)
                    .setActor(actor)
                    .addScopes(scope)
                    .addAllWorkspaceIds(List.of(workspaces))
                    .build())
            .getSecret());
  }

  protected static void refused(ErrorCode code, String harp, String reason, ThrowingCallable call) {
    ErrorDetail detail = Refusal.of(call);
    assertThat(detail.getCode()).as(detail.toString()).isEqualTo(code);
    assertThat(detail.getDetails().toStringUtf8())
        .contains("\"harp_code\":\"" + harp + "\"", "\"reason\":\"" + reason + "\"");
  }

  protected static void rejected(String reason, JsonNode ack) {
    assertThat(status(ack)).isEqualTo("rejected");
    assertThat(ack.at("/details/reason").asText()).isEqualTo(reason);
  }

  protected final ObjectNode envelope(String type, String request, ObjectNode body) {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", type)
            .put("requestId", request)
            .put("createdAt", clock.instant().toString());
    envelope.putObject("sender").put("approverId", "phone");
    return envelope.set("body", body);
  }
}
