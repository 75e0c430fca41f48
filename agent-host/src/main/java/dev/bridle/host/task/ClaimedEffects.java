package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.HarnMembers;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.v1.CallStatus;
import dev.bridle.worker.v1.FileOperation;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an ended tool call of an agent has done and given back, as far as the agent says so: its
 * claims, which nobody has checked. Not for calls that the host has served ({@link ServedCalls}),
 * since the host reports those itself.
 */
final class ClaimedEffects {
  /** Begins the names of an agent's own tools, so that none is taken for one of the host. */
  private static final String CLAIMED = "agent:";

  private static final int MAX_FILES = 16;
  private static final int MAX_PATH = 4096;
  private static final int MAX_COMMAND = 16 << 10;
  private static final int MAX_NAME = 255;
  private static final int MAX_SERVER = 64;

  /** What a tool gave back is kept up to this length; its hash always is. */
  private static final int MAX_RETURN = 8 << 10;

  private ClaimedEffects() {}

  /**
   * What a tool call gave back, to be recorded.
   *
   * @param kind begins the step's key, such as {@code host:tool}
   * @param inputHash the hash of what it was called with; empty if it is unknown
   * @param value what is recorded
   */
  record Returned(String kind, String inputHash, ObjectNode value) {}

  /** Returns the side effects of an ended call. */
  static List<SideEffect> of(ToolCall call) {
    boolean done = call.status().equals("completed");
    List<SideEffect> effects = new ArrayList<>();
    switch (call.kind()) {
      case "edit", "delete", "move" -> {
        if (done) {
          effects.addAll(files(call));
        }
      }
      case "execute" -> command(call, status(call)).ifPresent(effects::add);
      case "fetch" -> {
        if (done) {
          egress(call).ifPresent(effects::add);
        }
      }
      default -> {}
    }
    if (effects.isEmpty()) {
      effects.add(
          SideEffect.toolCall(
              CLAIMED + KeptText.of(toolName(call), MAX_NAME - CLAIMED.length()),
              KeptText.of(call.id(), MAX_NAME),
              status(call),
              hash(call.rawInput()),
              hash(output(call))));
    }
    return effects;
  }

  /** Returns what an ended call gave back; empty if the agent does not say. */
  static Optional<Returned> returned(ToolCall call) {
    RawJson output = output(call);
    if (!output.isPresent()) {
      return Optional.empty();
    }
    ObjectNode value =
        JsonNodeFactory.instance
            .objectNode()
            .put("tool_call_id", KeptText.of(call.id(), MAX_NAME))
            .put("tool_name", KeptText.of(toolName(call), MAX_NAME))
            .put("status", KeptText.of(call.status(), MAX_NAME))
            .put("sha256", hash(output));
    KeptText.json(output, MAX_RETURN)
        .ifPresentOrElse(
            kept -> value.set("output", kept), () -> value.put("bytes", output.length()));
    String server = executor(call).path("serverName").asText("");
    String kind =
        server.isEmpty()
            ? "host:tool"
            : "mcp:" + KeptText.of(server, MAX_SERVER).replaceAll("[^A-Za-z0-9_.-]", "_");
    return Optional.of(new Returned(kind, hash(call.rawInput()), value));
  }

  private static List<SideEffect> files(ToolCall call) {
    List<SideEffect> files = new ArrayList<>();
    for (FileChange change : FileChange.of(call)) {
      if (isPath(change.path()) && files.size() < MAX_FILES) {
        // The texts may be parts of the file, so that their hashes would be no file's.
        FileOperation operation =
            change.oldText().isPresent()
                ? FileOperation.FILE_OPERATION_MODIFY
                : FileOperation.FILE_OPERATION_CREATE;
        files.add(SideEffect.fileWrite(change.path(), operation, "", ""));
      }
    }
    if (files.isEmpty() && call.kind().equals("delete")) {
      for (JsonNode place : call.locations()) {
        String path = place.path("path").asText("");
        if (isPath(path) && files.size() < MAX_FILES) {
          files.add(SideEffect.fileWrite(path, FileOperation.FILE_OPERATION_DELETE, "", ""));
        }
      }
    }
    return files;
  }

  private static boolean isPath(String path) {
    return !path.isEmpty() && KeptText.of(path, MAX_PATH).equals(path);
  }

  private static Optional<SideEffect> command(ToolCall call, CallStatus status) {
    String command = call.rawInput().jsonIfReadable().path("command").asText("");
    return command.isBlank()
        ? Optional.empty()
        : Optional.of(SideEffect.command(KeptText.of(command, MAX_COMMAND), status));
  }

  /** Paths and queries of addresses may hold secrets: only the host is kept. */
  private static Optional<SideEffect> egress(ToolCall call) {
    try {
      String host = URI.create(call.rawInput().jsonIfReadable().path("url").asText("")).getHost();
      return host == null || host.isEmpty()
          ? Optional.empty()
          : Optional.of(
              SideEffect.networkEgress(KeptText.of(host, MAX_NAME), "fetched by the agent"));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the agent says that a call was one of the host's own tools. */
  static boolean isClaimedOfHost(ToolCall call) {
    JsonNode executor = executor(call);
    return executor.asText("").equals("host_bridge")
        || executor.path("kind").asText("").equals("host_bridge");
  }

  private static JsonNode executor(ToolCall call) {
    return HarnMembers.of(call).json("executor");
  }

  /** Runtimes of Harn name the tool; others say only of what kind it is. */
  static String toolName(ToolCall call) {
    String name = HarnMembers.of(call).text("toolName");
    if (!name.isBlank()) {
      return name;
    }
    return call.kind().isBlank() ? "tool" : call.kind();
  }

  private static RawJson output(ToolCall call) {
    return call.rawOutput().isPresent()
        ? call.rawOutput()
        : call.members().getOrDefault("content", RawJson.absent());
  }

  private static CallStatus status(ToolCall call) {
    return call.status().equals("completed")
        ? CallStatus.CALL_STATUS_SUCCEEDED
        : CallStatus.CALL_STATUS_FAILED;
  }

  private static String hash(RawJson raw) {
    if (!raw.isPresent()) {
      return "";
    }
    return Sha256.PREFIX + Sha256.hex(raw.toString());
  }
}
