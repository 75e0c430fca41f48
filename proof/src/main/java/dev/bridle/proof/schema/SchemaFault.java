package dev.bridle.proof.schema;

/**
 * The first place at which a value does not meet its schema.
 *
 * @param pointer to the value at fault (RFC 6901); empty for the whole
 * @param expected what the schema asks for there
 */
public record SchemaFault(String pointer, String expected) {
  @Override
  public String toString() {
    return (pointer.isEmpty() ? "The receipt" : pointer) + ": " + expected;
  }
}
