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
import java.util.Map;
import java.util.TreeMap;

/**
 * An agent with logins, modes and options, which answers each prompt with what is set. Where its
 * folder has a file {@code locked} it opens no session before a login, and where it has one {@code
 * locked-later}, it answers no prompt.
 */
public final class ChoosyAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final Map<String, String> set = new TreeMap<>();

  private ChoosyAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    new ChoosyAgent().serve();
  }

  private void serve() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode message = MAPPER.readTree(line);
      ObjectNode answer = MAPPER.createObjectNode().put("jsonrpc", "2.0");
      answer.set("id", message.get("id"));
      if (answer(message.path("method").asText(), message.path("params"), answer)) {
        out.println(answer);
      }
    }
  }

  private boolean answer(String method, JsonNode params, ObjectNode answer) throws IOException {
    switch (method) {
      case "initialize" ->
          answer.set(
              "result",
              json(
                  "{'protocolVersion':1,'agentInfo':{'name':'Choosy','version':'1'},"
                      + "'agentCapabilities':{},'authMethods':[{'id':'key','name':'API key',"
                      + "'description':'Set KEY'},{'id':'broken','name':'Broken'}]}"));
      case "authenticate" -> {
        if (params.path("methodId").asText().equals("broken")) {
          fail(answer, -32603, "nobody is at home");
        } else {
          set.put("login", params.path("methodId").asText());
          answer.putObject("result");
        }
      }
      case "session/new" -> {
        if (isLocked("locked")) {
          fail(answer, -32000, "Authentication required");
        } else {
          ObjectNode result =
              json(
                  "{'sessionId':'s-1','modes':{'currentModeId':'ask',"
                      + "'availableModes':[{'id':'ask','name':'Ask'},{'id':'plan','name':'Plan'}]}}");
          answer.set("result", result.setAll(options()));
        }
      }
      case "session/set_mode" -> {
        set.put("mode", params.path("modeId").asText());
        answer.putObject("result");
      }
      case "session/set_config_option" -> {
        set.put(params.path("configId").asText(), params.path("value").asText());
        answer.set("result", options());
      }
      case "session/prompt" -> {
        if (isLocked("locked-later")) {
          fail(answer, -32000, "Authentication required");
        } else {
          say("set: " + set);
          answer.putObject("result").put("stopReason", "end_turn");
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean isLocked(String file) {
    return Files.exists(Path.of(file)) && !set.containsKey("login");
  }

  private static ObjectNode options() throws IOException {
    return json(
        "{'configOptions':[{'id':'model','name':'Model','category':'model','type':'select',"
            + "'currentValue':'big','options':[{'value':'big','name':'Big'},"
            + "{'value':'small','name':'Small'}]},"
            + "{'id':'web','name':'Web','type':'boolean','currentValue':false}]}");
  }

  private static ObjectNode json(String text) throws IOException {
    return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
  }

  private static void fail(ObjectNode answer, int code, String why) {
    answer.putObject("error").put("code", code).put("message", why);
  }

  private void say(String text) {
    ObjectNode message =
        MAPPER.createObjectNode().put("jsonrpc", "2.0").put("method", "session/update");
    ObjectNode update = message.putObject("params").put("sessionId", "s-1").putObject("update");
    update
        .put("sessionUpdate", "agent_message_chunk")
        .putObject("content")
        .put("type", "text")
        .put("text", text);
    out.println(message);
  }
}
