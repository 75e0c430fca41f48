package dev.bridle.benchmarks.flood;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a stream of HTTP/2 sends before the zeros of a body that does not end.
 *
 * @param headers the block of its headers
 * @param start the first bytes of its body
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record StreamOpening(byte[] headers, byte[] start) {
  /** The longest message that a server takes. */
  private static final int MESSAGE = 4 << 20;

  /** A session to be created over REST. */
  static StreamOpening rest(Optional<String> authorization) {
    HpackText block =
        request("/v1/sessions", "application/json")
            .add("harn-agents-protocol-version", Opening.VERSION);
    authorization.ifPresent(value -> block.add("authorization", value));
    return new StreamOpening(block.bytes(), new byte[0]);
  }

  /** A message of the greatest length to a method of gRPC, of which the last byte is missing. */
  static StreamOpening grpc(String method, Optional<String> authorization) {
    HpackText block = request("/" + method, "application/grpc").add("te", "trailers");
    authorization.ifPresent(value -> block.add("authorization", value));
    byte[] prefix = ByteBuffer.allocate(5).put((byte) 0).putInt(MESSAGE).array();
    return new StreamOpening(block.bytes(), prefix);
  }

  private static HpackText request(String path, String contentType) {
    return new HpackText()
        .add(":method", "POST")
        .add(":scheme", "http")
        .add(":path", path)
        .add(":authority", "localhost")
        .add("content-type", contentType);
  }
}
