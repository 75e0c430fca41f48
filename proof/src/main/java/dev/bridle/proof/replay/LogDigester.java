package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.hash.Sha256;

/** The running digest of a task's log, and of the numbers of those events that disclose nothing. */
final class LogDigester {
  private final RunningSha256 lines = new RunningSha256();
  private final RunningSha256 withheldNumbers = new RunningSha256();
  private long withheld;

  void add(LogLine line) {
    lines.addLine(line.digested().getBytes(UTF_8));
    if (line.disclosed().isEmpty()) {
      withheld++;
      withheldNumbers.addLine(Long.toString(line.sequence()).getBytes(US_ASCII));
    }
  }

  /** Returns the number of events whose payload was not disclosed. */
  long withheld() {
    return withheld;
  }

  /** Returns the digest of the lines so far: at the end, that of the log. */
  Sha256 soFar() {
    return lines.soFar();
  }

  /** Returns the digest over the numbers of the withheld events, each with a line feed. */
  Sha256 withheldDigest() {
    return withheldNumbers.soFar();
  }
}
