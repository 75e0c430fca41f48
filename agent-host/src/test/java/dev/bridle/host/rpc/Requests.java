package dev.bridle.host.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.function.Consumer;

/** Makes requests of another side that is not there. */
public final class Requests {
  private Requests() {}

  /**
   * Returns a request.
   *
   * @param answers takes the line that answers it, by the thread that answers
   */
  public static IncomingRequest of(
      String id, String method, JsonNode params, Consumer<byte[]> answers) {
    return new IncomingRequest(
        new Message.Request(
            RawJson.of(TextNode.valueOf(id)), method, RawJson.of(params), RawJson.absent()),
        answers);
  }
}
