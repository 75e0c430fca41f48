package dev.bridle.gateway.kit.call;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;

/**
 * The method of the core that serves a request.
 *
 * @param method the method
 * @param open whether it needs no credentials
 * @param command whether it takes the headers {@code Idempotency-Key} and {@code traceparent}
 * @param label the path's template in logs, which contains no value of the request
 * @param frame whether frames of a WebSocket call it
 */
public record Target(
    MethodDescriptor<Message, Message> method,
    boolean open,
    boolean command,
    String label,
    boolean frame) {

  /** Creates the target of a request. */
  public Target(
      MethodDescriptor<Message, Message> method, boolean open, boolean command, String label) {
    this(method, open, command, label, false);
  }

  /** Returns the target as frames of a WebSocket call it. */
  public Target ofFrames() {
    return new Target(method, open, command, label, true);
  }
}
