package dev.bridle.core.operations.check.finding;

/**
 * A confirmed fault in stored data.
 *
 * @param kind the kind of fault
 * @param tenant its tenant; empty if it belongs to none
 * @param subject the id of the faulty resource, or else the items of the key
 * @param sentence a description in one sentence
 * @param repairable whether a repair can derive the correct data
 */
public record Finding(
    FaultKind kind, String tenant, String subject, String sentence, boolean repairable) {
  @Override
  public String toString() {
    String whose = tenant.isEmpty() ? "" : tenant + " ";
    return kind.spelling() + " " + whose + subject + ": " + sentence;
  }
}
