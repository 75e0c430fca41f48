package dev.bridle.core.api.event;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.receipt.StoredReceipts;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ReadTaskLogRequest;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a reader recomputes of a receipt from the log of its task. */
class TaskLogTest extends LeasedTasks {
  private static final Set<String> HASHED =
      Set.of("actor", "commitment", "created_at", "event", "sequence");

  @Test
  void theLinesHaveTheDigestOfTheReceiptAndThePayloadsTheirCommitments() throws Exception {
    String task = completedTask();

    List<ObjectNode> lines = lines(task);

    ByteArrayOutputStream hashed = new ByteArrayOutputStream();
    for (ObjectNode line : lines) {
      byte[] salt = HexFormat.of().parseHex(line.path("salt").asText());
      byte[] payload = line.path("payload").asText().getBytes(StandardCharsets.UTF_8);
      assertThat(Sha256.of(salt, new byte[1], payload).toString())
          .isEqualTo(line.path("commitment").asText());
      hashed.write(CanonicalJson.bytes(line.deepCopy().retain(HASHED)));
      hashed.write('\n');
    }
    JsonNode log = new StoredReceipts(core).of(task).metadata("bridle.log").orElseThrow();
    assertThat(lines).hasSize(log.path("events").asInt());
    assertThat(Sha256.of(hashed.toByteArray()).toString()).isEqualTo(log.path("sha256").asText());
  }

  @Test
  void theLogOfATaskThatTheCallerDoesNotReachIsNotThere() {
    String task = completedTask();
    String elsewhere =
        WorkspaceServiceGrpc.newBlockingStub(core.owner())
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("elsewhere").setRoot("stored:").build())
            .getId();
    var stranger =
        EventServiceGrpc.newBlockingStub(
            core.as("stranger", List.of("events:read"), List.of(elsewhere)));

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () ->
            stranger
                .readTaskLog(ReadTaskLogRequest.newBuilder().setTaskId(task).build())
                .hasNext());
  }

  private String completedTask() {
    var unused = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    complete(lease, "done");
    return lease.getTask().getId();
  }

  private List<ObjectNode> lines(String task) {
    List<ObjectNode> lines = new ArrayList<>();
    ByteString all = ByteString.EMPTY;
    var pieces = core.events().readTaskLog(ReadTaskLogRequest.newBuilder().setTaskId(task).build());
    while (pieces.hasNext()) {
      all = all.concat(pieces.next().getData());
    }
    all.toStringUtf8()
        .lines()
        .forEach(
            line ->
                lines.add((ObjectNode) StrictJson.parse(line.getBytes(StandardCharsets.UTF_8))));
    return lines;
  }
}
