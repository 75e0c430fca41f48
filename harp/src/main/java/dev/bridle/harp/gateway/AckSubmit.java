package dev.bridle.harp.gateway;

import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;

/**
 * The body by which a party says that a message has arrived, so that it is not sent again.
 *
 * @param messageId the message
 * @param processed whether it was also acted upon
 */
public record AckSubmit(String messageId, boolean processed) {
  private static final Shape SHAPE =
      Shape.of("The body")
          .texts(true, "msgId")
          .word(true, "status", HarpErrorCode.TRANSPORT, "received", "processed")
          .times(true, "ackAt");

  /**
   * Reads the body of an envelope.
   *
   * @throws HarpException {@code TRANSPORT} if it is not what its schema says
   */
  public static AckSubmit of(GatewayEnvelope envelope) throws HarpException {
    var body = envelope.body();
    SHAPE.check(body);
    return new AckSubmit(
        body.get("msgId").textValue(), body.get("status").textValue().equals("processed"));
  }
}
