package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.proof.hash.Sha256;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The running digest of a task's log, and of the numbers of those events that disclose nothing. */
final class LogDigester {
  private final MessageDigest lines = sha256();
  private final MessageDigest withheldNumbers = sha256();
  private long withheld;

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  void add(LogLine line) {
    lines.update(line.digested().getBytes(UTF_8));
    lines.update((byte) '\n');
    if (line.disclosed().isEmpty()) {
      withheld++;
      withheldNumbers.update((line.sequence() + "\n").getBytes(US_ASCII));
    }
  }

  /** Returns the number of events whose payload was not disclosed. */
  long withheld() {
    return withheld;
  }

  /** Returns the digest of the lines so far. */
  Sha256 soFar() {
    try {
      return Sha256.ofBytes(((MessageDigest) lines.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the digests of the JDK can be copied", e);
    }
  }

  /** Returns the digest of the log; called once. */
  Sha256 finish() {
    return Sha256.ofBytes(lines.digest());
  }

  /** Returns the digest over the numbers of the withheld events, each with a line feed; once. */
  Sha256 finishWithheld() {
    return Sha256.ofBytes(withheldNumbers.digest());
  }
}
