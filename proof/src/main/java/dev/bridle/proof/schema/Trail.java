package dev.bridle.proof.schema;

/** Collects the fault of a failed check: what was expected, and the path, from the inside out. */
final class Trail {
  private final StringBuilder pointer = new StringBuilder();
  private String expected = "";

  /** Notes what a value should have been, and returns false. */
  boolean expected(String what) {
    expected = what;
    return false;
  }

  /** Adds the step that led to the value at fault, and returns false. */
  boolean below(String name) {
    pointer.insert(0, "/" + name.replace("~", "~0").replace("/", "~1"));
    return false;
  }

  SchemaFault fault() {
    return new SchemaFault(pointer.toString(), expected);
  }
}
