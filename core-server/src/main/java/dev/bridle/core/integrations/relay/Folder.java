package dev.bridle.core.integrations.relay;

/** The folders of a party's mailbox. Numbers are stored: one is never changed or reused. */
public enum Folder {
  /** Requests of an enforcer that nobody has decided. */
  PENDING(0),
  /** What waits for the party: approval requests, or decisions. */
  INBOX(1),
  /** Requests that an approver has not decided in time. */
  EXPIRED(2);

  private final int number;

  Folder(int number) {
    this.number = number;
  }

  /** Returns the number in keys. */
  public int number() {
    return number;
  }
}
