package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ReceiptSigner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** A task with a bit of everything: its log, and the receipt that its server has issued. */
public final class SampleTask {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String ARTIFACT_HASH =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  private final List<Event> events;
  private final int listedWrites;

  /** An event, whose number, time and salt follow from its place. */
  public record Event(String kind, String actor, String payload) {}

  private SampleTask(List<Event> events, int listedWrites) {
    this.events = List.copyOf(events);
    this.listedWrites = listedWrites;
  }

  /** Returns the task. */
  public static SampleTask completed() {
    return of(events());
  }

  /** Returns a task with other events, and the receipt that a server would have made of them. */
  public static SampleTask of(List<Event> events) {
    return new SampleTask(events, Integer.MAX_VALUE);
  }

  /** Returns the task with a receipt that lists only the first file writes. */
  public static SampleTask listing(int writes, List<Event> events) {
    return new SampleTask(events, writes);
  }

  /** Returns the task's events, which may be changed. */
  public static List<Event> events() {
    String commitment = Sha256.of("an answer of a model".getBytes(US_ASCII)).toString();
    List<Event> events = new ArrayList<>();
    add(events, "task.submitted", "'status':'SUBMITTED','input':{'text':'Tidy up.'}");
    add(events, "task.started", "'attempt':1,'status':'WORKING','previous_status':'SUBMITTED'");
    add(
        events,
        "vendor.bridle.dependency_recorded",
        "'key':'llm:main:1','commitment':'" + commitment + "','size':20,'kind':'llm'");
    add(events, "vendor.bridle.file_written", "'operation':'create','path':'notes.md'");
    add(events, "vendor.bridle.command_run", "'command':'make','exit_code':0,'status':'succeeded'");
    add(events, "task.auth_required", "'status':'AUTH_REQUIRED','previous_status':'WORKING'");
    add(events, "tool.approved", "'permission_request_id':'permission_1','decided_by':'ada'");
    add(events, "task.status_changed", "'status':'WORKING','previous_status':'AUTH_REQUIRED'");
    add(events, "vendor.bridle.permission_used", "'permission_request_id':'permission_1'");
    add(events, "tool.requested", "'tool_call_id':'call_1','name':'lookup','mediated_by':'host'");
    add(events, "task.input_required", "'status':'INPUT_REQUIRED','previous_status':'WORKING'");
    add(events, "tool.completed", "'tool_call_id':'call_1','name':'lookup','mediated_by':'host'");
    add(events, "task.status_changed", "'status':'WORKING','previous_status':'INPUT_REQUIRED'");
    add(
        events,
        "vendor.bridle.network_egress",
        "'bytes_sent':10,'destination':'api.example.com','purpose':'ask for the rates'");
    add(
        events,
        "artifact.created",
        "'artifact_id':'artifact_1','kind':'file','sha256':'" + ARTIFACT_HASH + "','size':5");
    add(events, "agent.message", "'message_id':'message_1','role':'agent'");
    add(
        events,
        "task.completed",
        "'summary':'done','status':'COMPLETED','previous_status':'WORKING'");
    return events;
  }

  private static void add(List<Event> events, String kind, String members) {
    events.add(event(kind, members));
  }

  /** Returns an event of the task's agent; apostrophes stand for quotation marks. */
  public static Event event(String kind, String members) {
    return new Event(kind, "agent", "{" + members.replace('\'', '"') + "}");
  }

  /** Returns the lines of the log, without line feeds. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      ObjectNode line = line(i);
      line.put("payload", events.get(i).payload());
      line.put("salt", HexFormat.of().formatHex(salt(i)));
      lines.add(text(line));
    }
    return lines;
  }

  /** Returns a line without its payload, as if that was erased. */
  public static String withheld(String line) {
    ObjectNode json = (ObjectNode) StrictJson.parse(line.getBytes(UTF_8));
    json.remove(List.of("payload", "salt"));
    return text(json);
  }

  private ObjectNode line(int number) {
    Event event = events.get(number);
    return NODES
        .objectNode()
        .put("actor", event.actor())
        .put("commitment", commitment(number))
        .put("created_at", time(number).toString().replace("Z", ".000Z"))
        .put("event", event.kind())
        .put("sequence", number);
  }

  private String commitment(int number) {
    return Sha256.of(salt(number), new byte[1], events.get(number).payload().getBytes(UTF_8))
        .toString();
  }

  private static byte[] salt(int number) {
    return Arrays.copyOf(Sha256.of(("salt " + number).getBytes(US_ASCII)).bytes(), 16);
  }

  private static Instant time(int number) {
    return Instant.ofEpochSecond(SampleKeys.START + 86_400 + number);
  }

  /** Returns the receipt before it is signed, which may be changed. */
  public ObjectNode draft() {
    String end = time(events.size() - 1).toString();
    ObjectNode receipt = SampleReceipts.plain(new Random(1)).task("session_replay");
    receipt.put("issued_at", end);
    receipt.putObject("chain").putNull("previous_receipt_hash");
    ObjectNode ids = receipt.putObject("identifiers");
    ids.put("tenant_id", "default").put("workspace_ref", "default");
    ids.put("session_id", "session_replay").put("task_id", "task_00000");
    receipt
        .putObject("lifecycle")
        .put("created_at", time(0).toString())
        .put("started_at", time(1).toString())
        .put("completed_at", end)
        .put("final_state", finalState())
        .putNull("failure");
    receipt.putArray("redactions");
    approval(receipt);
    List<String> writes = writes();
    ObjectNode effects = receipt.putObject("side_effects");
    effects.putArray("a2a_handoffs");
    return completed(receipt, effects, writes);
  }

  private ObjectNode completed(ObjectNode receipt, ObjectNode effects, List<String> writes) {
    effects.putArray("fs_writes");
    writes.stream()
        .limit(listedWrites)
        .forEach(write -> effects.withArray("fs_writes").add(json(write)));
    String egress = "{'bytes_sent':10,'destination':'api.example.com','purpose':'redacted'}";
    String command =
        "{'call_id':'step_1','input_hash':'"
            + commitment("vendor.bridle.command_run")
            + "','status':'succeeded','tool':'command'}";
    String lookup =
        "{'call_id':'call_1','input_hash':'"
            + commitment("tool.requested")
            + "','output_hash':'"
            + commitment("tool.completed")
            + "','status':'succeeded','tool':'lookup'}";
    effects.putArray("network_egress").add(json(egress));
    effects.putArray("tool_calls").add(json(command)).add(json(lookup));
    receipt
        .putArray("final_artifacts")
        .add(
            json(
                "{'artifact_id':'artifact_1','kind':'file','sha256':'sha256:"
                    + ARTIFACT_HASH
                    + "'}"));
    String answer =
        "{'id':'llm:main:1','kind':'llm_provider_response','metadata':{'commitment':'"
            + Sha256.of("an answer of a model".getBytes(US_ASCII))
            + "','sequence':2,'size':20}}";
    ObjectNode input = receipt.putObject("replay_input").put("determinism", "byte_deterministic");
    ObjectNode log = NODES.objectNode().put("events", events.size()).put("sha256", digest());
    ObjectNode material = input.putArray("materials").addObject();
    material
        .put("kind", "event_log")
        .put("id", "task_00000")
        .put("uri", "/v1/tasks/task_00000/log")
        .put("sha256", digest())
        .putObject("metadata")
        .put("events", events.size());
    input.withArray("materials").add(json(answer));
    ObjectNode metadata = receipt.putObject("metadata");
    metadata.set("bridle.log", log);
    metadata
        .putObject("bridle.totals")
        .put("events", events.size())
        .put("messages", count("agent.message"))
        .put("artifacts", count("artifact.created"))
        .put("dependencies", count("vendor.bridle.dependency_recorded"));
    ObjectNode lists = metadata.putObject("bridle.lists");
    lists.putObject("approval").put("count", 1).put("listed", 1);
    lists.putObject("artifact").put("count", 1).put("listed", 1);
    list(lists, "file_write", writes);
    list(lists, "network_egress", List.of(egress));
    list(lists, "tool_call", List.of(command, lookup));
    list(lists, "material", List.of(answer));
    metadata.putArray("bridle.not_reported");
    return receipt;
  }

  private void approval(ObjectNode receipt) {
    int at = find("tool.approved");
    receipt
        .putArray("approvals")
        .addObject()
        .put("approval_id", "permission_1")
        .put("actor", "ada")
        .put("action", "command")
        .put("decision", "approved")
        .put("decided_at", time(Math.max(0, at)).toString())
        .put("evidence_hash", commitment("tool.approved"));
  }

  private List<String> writes() {
    return events.stream()
        .filter(event -> event.kind().equals("vendor.bridle.file_written"))
        .map(Event::payload)
        .toList();
  }

  private void list(ObjectNode lists, String name, List<String> parts) {
    StringBuilder all = new StringBuilder();
    parts.forEach(part -> all.append(part.replace('\'', '"')).append('\n'));
    int listed = name.equals("file_write") ? Math.min(listedWrites, parts.size()) : parts.size();
    lists
        .putObject(name)
        .put("count", parts.size())
        .put("listed", listed)
        .put("sha256", Sha256.of(all.toString().getBytes(UTF_8)).toString());
  }

  private String finalState() {
    return switch (events.get(events.size() - 1).kind()) {
      case "task.failed" -> "FAILED";
      case "task.canceled" -> "CANCELED";
      default -> "SUCCEEDED";
    };
  }

  private String digest() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < events.size(); i++) {
      all.append(text(line(i))).append('\n');
    }
    return Sha256.of(all.toString().getBytes(UTF_8)).toString();
  }

  private long count(String kind) {
    return events.stream().filter(event -> event.kind().equals(kind)).count();
  }

  private int find(String kind) {
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).kind().equals(kind)) {
        return i;
      }
    }
    return -1;
  }

  private String commitment(String kind) {
    int at = find(kind);
    return at < 0 ? "sha256:" + "0".repeat(64) : commitment(at);
  }

  /** Returns a draft signed by the current key. */
  public static Receipt signed(ObjectNode draft) {
    return Receipt.parse(new ReceiptSigner(SampleKeys.CURRENT).sign(draft).bytes());
  }

  private static JsonNode json(String text) {
    return StrictJson.parse(text.replace('\'', '"').getBytes(UTF_8));
  }

  private static String text(JsonNode json) {
    return new String(CanonicalJson.bytes(json), UTF_8);
  }
}
