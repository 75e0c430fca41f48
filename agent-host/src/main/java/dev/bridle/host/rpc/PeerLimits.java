package dev.bridle.host.rpc;

import java.time.Duration;

/**
 * What a peer holds at most.
 *
 * @param lineBytes the longest line in either direction, up to 64 MiB; a longer one that arrives is
 *     discarded
 * @param incomingMessages how many messages wait for the handler, before the reader stops reading
 * @param incomingBytes how many bytes of them
 * @param incomingStall how long the reader waits for the handler before the peer is closed
 * @param outgoingMessages how many messages wait for the other side to read them, before sending
 *     fails
 * @param outgoingBytes how many bytes of them
 * @param calls how many calls may be open at a time
 * @param noiseBytes how much of what is no message is kept for diagnosis
 */
public record PeerLimits(
    int lineBytes,
    int incomingMessages,
    int incomingBytes,
    Duration incomingStall,
    int outgoingMessages,
    int outgoingBytes,
    int calls,
    int noiseBytes) {
  static final int MOST_LINE_BYTES = 64 << 20;

  /** 16 MiB a line, 1,024 messages or 32 MiB each way, 256 calls, 16 KiB of noise. */
  public static final PeerLimits DEFAULT =
      new PeerLimits(
          16 << 20, 1024, 32 << 20, Duration.ofMinutes(10), 1024, 32 << 20, 256, 16 << 10);

  /** Checks that every limit lets something pass. */
  public PeerLimits {
    positive("lineBytes", lineBytes);
    positive("incomingMessages", incomingMessages);
    positive("incomingBytes", incomingBytes);
    positive("outgoingMessages", outgoingMessages);
    positive("outgoingBytes", outgoingBytes);
    positive("calls", calls);
    positive("noiseBytes", noiseBytes);
    if (lineBytes > MOST_LINE_BYTES) {
      throw new IllegalArgumentException(
          "lineBytes is " + lineBytes + ", expected at most " + MOST_LINE_BYTES);
    }
    if (incomingStall.isNegative() || incomingStall.isZero()) {
      throw new IllegalArgumentException(
          "incomingStall is " + incomingStall + ", expected a positive time");
    }
  }

  private static void positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", expected at least 1");
    }
  }
}
