package dev.bridle.worker;

import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import java.util.regex.Pattern;

/**
 * What an agent declares about its handler, for the receipts of its tasks.
 *
 * @param name the name, 1 to 128 printable ASCII characters
 * @param version the version; empty if it has none
 * @param buildDigest `sha256:` and 64 lower-case hexadecimal digits of the build that runs; empty
 *     if it is unknown
 * @param recorded whether all that decides on its runs is the task's input and what it records
 * @param reportsSideEffects whether it reports all of its side effects, so that none reported means
 *     none made
 */
public record HandlerFacts(
    String name, String version, String buildDigest, boolean recorded, boolean reportsSideEffects) {
  private static final Pattern NAME = Pattern.compile("[\\x20-\\x7e]{1,128}");
  private static final Pattern VERSION = Pattern.compile("[\\x20-\\x7e]{0,128}");
  private static final Pattern DIGEST = Pattern.compile("(sha256:[0-9a-f]{64})?");

  /** Checks the values' forms. */
  public HandlerFacts {
    check("name", NAME, name);
    check("version", VERSION, version);
    check("buildDigest", DIGEST, buildDigest);
  }

  private static void check(String what, Pattern form, String value) {
    if (!form.matcher(value).matches()) {
      throw new IllegalArgumentException(
          what + " is `" + value + "`, expected to match " + form.pattern());
    }
  }

  /** Returns the facts of a handler of which only name and version are known. */
  public static HandlerFacts of(String name, String version) {
    return new HandlerFacts(name, version, "", false, false);
  }

  /** Returns these facts with the digest of the build that runs. */
  public HandlerFacts withBuildDigest(String digest) {
    return new HandlerFacts(name, version, digest, recorded, reportsSideEffects);
  }

  /**
   * Returns these facts of a handler that records as steps all that its runs depend on besides the
   * input, so that a replay makes the same.
   */
  public HandlerFacts withAllRecorded() {
    return new HandlerFacts(name, version, buildDigest, true, reportsSideEffects);
  }

  /** Returns these facts of a handler that reports all of its side effects. */
  public HandlerFacts withAllSideEffectsReported() {
    return new HandlerFacts(name, version, buildDigest, recorded, true);
  }

  HandlerInfo info() {
    return HandlerInfo.newBuilder()
        .setName(name)
        .setVersion(version)
        .setBuildDigest(buildDigest)
        .setDeterminism(
            recorded
                ? HandlerDeterminism.HANDLER_DETERMINISM_RECORDED
                : HandlerDeterminism.HANDLER_DETERMINISM_PARTIAL)
        .setReportsSideEffects(reportsSideEffects)
        .build();
  }
}
