package dev.bridle.host.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A request of the other side, to be answered once by any thread. Later answers do nothing. */
public final class IncomingRequest {
  private final Message.Request message;
  private final Consumer<byte[]> sender;
  private final AtomicBoolean answered = new AtomicBoolean();

  IncomingRequest(Message.Request message, Consumer<byte[]> sender) {
    this.message = message;
    this.sender = sender;
  }

  /** The id as the other side spelled it: a string or an integer. */
  public RawJson id() {
    return message.id();
  }

  /** The method's name. */
  public String method() {
    return message.method();
  }

  /** The parameters, or absent. */
  public RawJson params() {
    return message.params();
  }

  /** The whole message as it arrived. */
  public RawJson whole() {
    return message.whole();
  }

  /** Answers with a result; false if it was answered before. */
  public boolean respond(JsonNode result) {
    return answer("result", Json.bytes(result));
  }

  /** Answers with an error; false if it was answered before. */
  public boolean fail(RpcError error) {
    return answer("error", bytes(error));
  }

  private boolean answer(String member, byte[] value) {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    sender.accept(answer(message.id().bytes(), member, value));
    return true;
  }

  /** The id goes back as it was spelled, which a tree would not keep. */
  static byte[] answer(byte[] id, String member, byte[] value) {
    byte[] head = "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(StandardCharsets.US_ASCII);
    byte[] middle = (",\"" + member + "\":").getBytes(StandardCharsets.US_ASCII);
    byte[] line = new byte[head.length + id.length + middle.length + value.length + 1];
    System.arraycopy(head, 0, line, 0, head.length);
    System.arraycopy(id, 0, line, head.length, id.length);
    System.arraycopy(middle, 0, line, head.length + id.length, middle.length);
    System.arraycopy(value, 0, line, head.length + id.length + middle.length, value.length);
    line[line.length - 1] = '}';
    return line;
  }

  static byte[] bytes(RpcError error) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("code", error.code()).put("message", error.message());
    try {
      if (error.data().isPresent()) {
        json.set("data", error.data().json());
      }
    } catch (BadJson e) {
      json.put("data", e.getMessage());
    }
    return Json.bytes(json);
  }
}
