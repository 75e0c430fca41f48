package dev.bridle.core.kernel.outbound;

import java.time.Duration;
import java.util.List;

/**
 * How the server calls out.
 *
 * @param allowed ranges of addresses that are called beside public ones
 * @param connectTimeout how long a connection may take to be there
 * @param totalTimeout how long a call may take, from looking up the name to the answer's end
 * @param maxRequestBytes the largest body that is sent
 * @param maxAnswerBytes how much of an answer's body is read
 * @param maxCalls how many calls are under way at once
 * @param names looks up hosts
 */
public record OutboundOptions(
    List<AddressRange> allowed,
    Duration connectTimeout,
    Duration totalTimeout,
    int maxRequestBytes,
    int maxAnswerBytes,
    int maxCalls,
    NameResolver names) {
  /** Public addresses alone. */
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

  /** Returns these options with other ranges beside public addresses. */
  public OutboundOptions withAllowed(List<AddressRange> ranges) {
    return new OutboundOptions(
        ranges, connectTimeout, totalTimeout, maxRequestBytes, maxAnswerBytes, maxCalls, names);
  }

  /** Returns these options with other patience. */
  public OutboundOptions withTimeouts(Duration connect, Duration total) {
    return new OutboundOptions(
        allowed, connect, total, maxRequestBytes, maxAnswerBytes, maxCalls, names);
  }

  /** Returns these options with another bound of calls at once. */
  public OutboundOptions withMaxCalls(int calls) {
    return new OutboundOptions(
        allowed, connectTimeout, totalTimeout, maxRequestBytes, maxAnswerBytes, calls, names);
  }

  /** Returns these options with hosts looked up otherwise. */
  public OutboundOptions withNames(NameResolver resolver) {
    return new OutboundOptions(
        allowed, connectTimeout, totalTimeout, maxRequestBytes, maxAnswerBytes, maxCalls, resolver);
  }
}
