package dev.bridle.core.operations.check;

/**
 * Something that is wrong with stored data.
 *
 * @param kind what is wrong
 * @param tenant whose it is; empty where it belongs to no tenant
 * @param subject the id of what it is about: of a resource where there is one, else the key's items
 * @param sentence what was found, in a sentence
 * @param repairable whether a repair can derive what should be there
 */
public record Finding(
    FaultKind kind, String tenant, String subject, String sentence, boolean repairable) {
  @Override
  public String toString() {
    String whose = tenant.isEmpty() ? "" : tenant + " ";
    return kind.spelling() + " " + whose + subject + ": " + sentence;
  }
}
