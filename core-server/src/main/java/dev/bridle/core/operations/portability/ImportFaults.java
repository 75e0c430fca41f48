package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.proof.verify.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What keeps a file from being verified: where it contradicts itself, keys of which nothing says
 * whose they are, and that no known key has signed it as a whole. Each refuses the file, unless it
 * is to be loaded unverified. Not thread-safe.
 */
final class ImportFaults {
  private static final int MOST_LISTED = 10;

  /** How many keys are listed at most. */
  private static final int MOST_KEYS = 1000;

  private final boolean unverified;
  private final List<String> listed = new ArrayList<>();
  private final Set<String> unconfirmed = new TreeSet<>();
  private long count;
  private long unsigned;
  private long unproven;
  private String firstUnproven = "";
  private long doubtful;
  private String firstDoubtful = "";
  private boolean isSetBack;
  private Optional<SignedFile> signed = Optional.empty();
  private String whyUnsigned = "";

  /**
   * Begins with none.
   *
   * @param unverified whether the file is loaded with all that is found
   */
  ImportFaults(boolean unverified) {
    this.unverified = unverified;
  }

  /**
   * A contradiction was found.
   *
   * @throws ProtocolException if that refuses the file
   */
  void found(String sentence) {
    if (!unverified) {
      throw refused(
          Verdict.INVALID, "The file can't be imported: " + sentence + ". --unverified takes it.");
    }
    count++;
    if (listed.size() < MOST_LISTED) {
      listed.add(sentence);
    }
  }

  /**
   * A key that is trusted has signed the file as a whole.
   *
   * @param keyId its id
   * @param installation for which installation
   * @param at when; RFC 3339
   */
  record SignedFile(String keyId, String installation, String at) {}

  /** The file is what its server has sent, with whatever that lacks. */
  void signed(SignedFile by) {
    signed = Optional.of(by);
  }

  /** Nothing shows that the file is what its server has sent. */
  void notSigned(String why) {
    whyUnsigned = why;
  }

  /**
   * A receipt shows not by itself that it is older than a compromise of its key.
   *
   * @param id its id
   */
  void doubtful(String id) {
    if (doubtful == 0) {
      firstDoubtful = id;
    }
    doubtful++;
    if (unverified) {
      found("others may have signed the receipt " + id + ", whose key is compromised");
    }
  }

  /**
   * A key that nobody has confirmed has signed the file or a receipt.
   *
   * @param isOfThis whether what it has signed names this installation as its issuer
   */
  void unconfirmed(String keyId, boolean isOfThis) {
    isSetBack |= isOfThis;
    if (unconfirmed.size() < MOST_KEYS) {
      unconfirmed.add(keyId);
    }
  }

  /** A receipt has no signature. */
  void unsigned() {
    unsigned++;
  }

  /** Nothing shows that a task is what it was: its receipt is not there, or some of its events. */
  void unproven(String taskId) {
    if (unproven == 0) {
      firstUnproven = taskId;
    }
    unproven++;
  }

  /** Ends the check. Refuses a file of which something is of unknown origin. */
  void end() {
    if (!unverified && !unconfirmed.isEmpty()) {
      throw refused(
          Verdict.CONSISTENT,
          "Nothing was imported: the file agrees with itself, but it is signed by "
              + (unconfirmed.size() == 1 ? "a key" : unconfirmed.size() + " keys")
              + " that nothing here confirms: "
              + String.join(", ", unconfirmed)
              + ". Keep the keys of the server that it came from, with 'bridle receipt keys --pin"
              + " FILE', and import with --keys FILE. --unverified takes the file without."
              + (isSetBack
                  ? " It names this server as the issuer, which lacks the key: this server may have"
                      + " been set back to before it had that. Keys that were kept then are given"
                      + " with --keys, too."
                  : ""));
    }
    if (!unverified && doubtful > 0) {
      throw refused(
          Verdict.CONSISTENT,
          "Nothing was imported: the file agrees with itself, but the keys of "
              + doubtful
              + " of its receipts, such as "
              + firstDoubtful
              + ", are compromised, and their issuer has not signed the file with a sound one: others"
              + " may have made them. --unverified takes it.");
    }
    if (unverified || signed.isPresent()) {
      return;
    }
    if (unsigned > 0) {
      throw refused(
          Verdict.CONSISTENT,
          "Nothing was imported: the file agrees with itself, but nobody has signed "
              + unsigned
              + " of its receipts, so nothing shows where they come from. --unverified takes it.");
    }
    if (unproven > 0) {
      throw refused(
          Verdict.CONSISTENT,
          "Nothing was imported: the file agrees with itself, but nothing proves "
              + unproven
              + " of its tasks, such as "
              + firstUnproven
              + ": it lacks their receipts, or events that those are about. --unverified takes"
              + " it.");
    }
    throw refused(
        Verdict.CONSISTENT,
        "Nothing was imported: the file agrees with itself, but "
            + whyUnsigned
            + ", so nothing shows that it is what was exported. Export it again, or take it as it"
            + " is with --unverified.");
  }

  /** The import was begun before anything showed that the file is what its server has sent. */
  void begunUnverified() {
    signed = Optional.empty();
    found("its import was begun unverified, and goes on so");
  }

  /** Returns the refusal of a file that a key of another installation has signed. */
  static ProtocolException signedByKeyOfAnother(String keyId, String source) {
    return refused(
        Verdict.CONSISTENT,
        "Nothing was imported: the file agrees with itself, but " + ofAnother(keyId, source) + ".");
  }

  /** Returns why a file is not what its source has sent. */
  static String ofAnother(String keyId, String source) {
    return "the key "
        + keyId
        + " that has signed it is of another installation than "
        + source
        + ", which the file names as its source";
  }

  /** Returns whether anything keeps the file from being verified. */
  boolean any() {
    return count > 0 || signed.isEmpty() || !unconfirmed.isEmpty();
  }

  /** Returns who has signed the file as a whole; empty if nobody who is trusted has. */
  Optional<SignedFile> signed() {
    return signed;
  }

  /** Returns the first contradictions. */
  List<String> listed() {
    return List.copyOf(listed);
  }

  /** Returns how many contradictions there are. */
  long count() {
    return count;
  }

  /** Returns how many receipts nobody has signed. */
  long unsignedReceipts() {
    return unsigned;
  }

  /** Returns how many tasks nothing proves. */
  long unprovenTasks() {
    return unproven;
  }

  /** Returns the ids of keys that have signed and that nobody has confirmed. */
  Set<String> unconfirmedKeys() {
    return Set.copyOf(unconfirmed);
  }

  private static ProtocolException refused(Verdict verdict, String message) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_POLICY_VIOLATION, message)
        .with("verdict", verdict.spelling());
  }
}
