package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent as a program of its own. It asks before it writes its file, starts a far child, and dies
 * in its first turn after the permission; loaded again, it repeats its history and goes on.
 */
final class ForgetfulAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private ForgetfulAgent(Path file) {
    this.file = file;
  }

  public static void main(String[] args) throws Exception {
    System.out.println("Forgetful agent, starting");
    System.err.println("a line for the log");
    new ForgetfulAgent(Path.of(args[0])).serve();
  }

  private void serve() throws Exception {
    String line = in.readLine();
    while (line != null) {
      JsonNode message = MAPPER.readTree(line);
      String id = message.path("id").toString();
      switch (message.path("method").asText()) {
        case "initialize" ->
            result(id, "{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}");
        case "session/new" -> result(id, "{'sessionId':'s'}");
        case "session/load" -> {
          say("old words");
          result(id, "{}");
          for (int i = 0; i < 5; i++) {
            say("older words");
            LockSupport.parkNanos(20_000_000); // It goes on with its history for a while.
          }
        }
        case "session/prompt" -> turn(id);
        default -> {}
      }
      line = in.readLine();
    }
  }

  private void turn(String id) throws Exception {
    say("I ");
    say("would ");
    say("write.");
    send(
        "{'jsonrpc':'2.0','id':'ask','method':'session/request_permission','params':"
            + "{'sessionId':'s','toolCall':{'toolCallId':'w','rawInput':{'path':'f'}},'options':"
            + "[{'optionId':'go','name':'Go','kind':'allow_once'}]}}");
    JsonNode answer = MAPPER.readTree(in.readLine());
    if (!answer.at("/result/outcome/optionId").asText().equals("go")) {
      result(id, "{'stopReason':'refusal'}");
      return;
    }
    if (!Files.exists(file)) {
      Files.writeString(file, "written");
      new ProcessBuilder("setsid", "sleep", "300")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      Runtime.getRuntime().halt(3);
    }
    result(id, "{'stopReason':'end_turn'}");
  }

  private static void say(String words) throws IOException {
    send(
        "{'jsonrpc':'2.0','method':'session/update','params':{'sessionId':'s','update':"
            + "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':'"
            + words
            + "'}}}}");
  }

  private static void result(String id, String result) throws IOException {
    send("{'jsonrpc':'2.0','id':" + id + ",'result':" + result + "}");
  }

  private static void send(String line) throws IOException {
    System.out.write((line.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }
}
