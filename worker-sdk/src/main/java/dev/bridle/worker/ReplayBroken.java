package dev.bridle.worker;

/**
 * Thrown in a handler whose replay can't go on: it does not do what was recorded, or what it needs
 * is not in the record. The replay fails with the first one, whether the handler catches it or not.
 */
final class ReplayBroken extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final String DIVERGED = "replay_diverged";
  static final String UNAVAILABLE = "replay_unavailable";

  private final String code;

  /**
   * Creates it.
   *
   * @param code what the replay fails with
   * @param what what differs or is missing, without any content
   */
  ReplayBroken(String code, String what) {
    super(what);
    this.code = code;
  }

  String code() {
    return code;
  }
}
