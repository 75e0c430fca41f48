package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * An agent that asks before it does what it is prompted with, and loads its session, whose history
 * it repeats: as many updates before it answers as its folder's file {@code before} says, the
 * others after the next prompt. It says its words in pieces, and repeats them whole.
 */
public final class RepeatingAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern PIECES = Pattern.compile("(?<= )");

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private Path folder = Path.of("");
  private List<String> unrepeated = List.of();

  private RepeatingAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    new RepeatingAgent().serve();
  }

  private void serve() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode message = MAPPER.readTree(line);
      String result =
          switch (message.path("method").asText()) {
            case "initialize" -> "{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}";
            case "session/new" -> {
              folder = Path.of(message.at("/params/cwd").asText());
              yield "{'sessionId':'s'}";
            }
            case "session/load" -> {
              folder = Path.of(message.at("/params/cwd").asText());
              load();
              yield "{}";
            }
            case "session/prompt" -> {
              turn(message.at("/params/prompt/0/text").asText());
              yield "{'stopReason':'end_turn'}";
            }
            default -> "{}";
          };
      if (message.has("id") && message.has("method")) {
        ObjectNode answer = MAPPER.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", message.get("id"));
        out.println(answer.set("result", json(result)).toString());
      }
    }
  }

  private void load() throws IOException {
    List<String> all = Files.readAllLines(folder.resolve("history"));
    String before = Files.readString(folder.resolve("before")).strip();
    int count = Math.min(all.size(), Integer.parseInt(before));
    all.subList(0, count).forEach(this::send);
    unrepeated = all.subList(count, all.size());
  }

  private void turn(String prompt) throws IOException {
    unrepeated.forEach(this::send);
    unrepeated = List.of();
    String id = "call-" + UUID.randomUUID();
    keep(words("user_message_chunk", prompt));
    sayInPieces("I am going to " + prompt + ".");
    say(call(id, "pending"));
    ObjectNode params = (ObjectNode) json("{'sessionId':'s'}");
    params.putObject("toolCall").put("toolCallId", id).put("title", prompt).put("kind", "execute");
    params.withObject("/toolCall/rawInput").put("command", prompt);
    params.set("options", json("[{'optionId':'yes','name':'Yes','kind':'allow_once'}]"));
    ObjectNode request = (ObjectNode) json("{'jsonrpc':'2.0','id':'ask'}");
    request.put("method", "session/request_permission");
    out.println(request.set("params", params).toString());
    String answer = in.readLine(); // Whatever it is, each test allows it.
    Files.writeString(folder.resolve("answers"), answer + "\n", StandardOpenOption.CREATE);
    say(call(id, "completed"));
    sayInPieces("That is done.");
  }

  private void sayInPieces(String words) throws IOException {
    PIECES
        .splitAsStream(words)
        .forEach(piece -> send(words("agent_message_chunk", piece).toString()));
    keep(words("agent_message_chunk", words));
  }

  private void say(ObjectNode update) throws IOException {
    send(update.toString());
    keep(update);
  }

  private void keep(ObjectNode update) throws IOException {
    Files.writeString(
        folder.resolve("history"),
        update + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static ObjectNode words(String variant, String words) {
    ObjectNode update = MAPPER.createObjectNode().put("sessionUpdate", variant);
    update.putObject("content").put("type", "text").put("text", words);
    return update;
  }

  private static ObjectNode call(String id, String status) {
    return MAPPER
        .createObjectNode()
        .put("sessionUpdate", status.equals("pending") ? "tool_call" : "tool_call_update")
        .put("toolCallId", id)
        .put("kind", "execute")
        .put("status", status);
  }

  private void send(String update) {
    out.println(
        "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":"
            + update
            + "}}");
  }

  private static JsonNode json(String text) throws IOException {
    return MAPPER.readTree(text.replace('\'', '"'));
  }
}
