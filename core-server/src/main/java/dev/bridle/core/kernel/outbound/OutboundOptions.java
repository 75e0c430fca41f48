package dev.bridle.core.kernel.outbound;

import java.time.Duration;
import java.util.List;

/**
 * Options of outbound calls.
 *
 * @param allowed address ranges that are allowed in addition to public ones
 * @param connectTimeout the connect timeout
 * @param totalTimeout how long a call may take, from name resolution to the end of the response
 * @param maxRequestBytes the largest request body, in bytes
 * @param maxAnswerBytes how many bytes of a response body are read
 * @param maxCalls how many calls may be in flight at once
 * @param names resolves hosts
 */
public record OutboundOptions(
    List<AddressRange> allowed,
    Duration connectTimeout,
    Duration totalTimeout,
    int maxRequestBytes,
    int maxAnswerBytes,
    int maxCalls,
    NameResolver names) {
  /** The defaults: public addresses only. */
  public static final OutboundOptions DEFAULT =
      new OutboundOptions(
          List.of(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          4 << 20,
          64 << 10,
          128,
          NameResolver.SYSTEM);

  /** Copies the ranges. */
  public OutboundOptions {
    allowed = List.copyOf(allowed);
  }

  /** Returns these options with other allowed ranges. */
  public OutboundOptions withAllowed(List<AddressRange> ranges) {
    return new OutboundOptions(
        ranges, connectTimeout, totalTimeout, maxRequestBytes, maxAnswerBytes, maxCalls, names);
  }

  /** Returns these options with other timeouts. */
  public OutboundOptions withTimeouts(Duration connect, Duration total) {
    return new OutboundOptions(
        allowed, connect, total, maxRequestBytes, maxAnswerBytes, maxCalls, names);
  }

  /** Returns these options with another limit of concurrent calls. */
  public OutboundOptions withMaxCalls(int calls) {
    return new OutboundOptions(
        allowed, connectTimeout, totalTimeout, maxRequestBytes, maxAnswerBytes, calls, names);
  }

  /** Returns these options with another name resolver. */
  public OutboundOptions withNames(NameResolver resolver) {
    return new OutboundOptions(
        allowed, connectTimeout, totalTimeout, maxRequestBytes, maxAnswerBytes, maxCalls, resolver);
  }
}
