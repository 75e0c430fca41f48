package dev.bridle.proof.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The published schema {@code receipt-2026-04-25}, and its definitions, each as a check. Formats
 * are asserted. Thread-safe.
 */
public final class ReceiptSchema {
  /** The format's marker: the value of a receipt's member {@code schema}. */
  public static final String MARKER = "receipt-2026-04-25";

  private static final String RESOURCE = MARKER + ".schema.json";
  private static final SchemaCompiler COMPILER = new SchemaCompiler(StrictJson.parse(document()));
  private static final ReceiptSchema RECEIPT = new ReceiptSchema(COMPILER.root());

  private final Rule rule;

  private ReceiptSchema(Rule rule) {
    this.rule = rule;
  }

  /** Returns the schema of a whole receipt. */
  public static ReceiptSchema receipt() {
    return RECEIPT;
  }

  /**
   * Returns the schema of a part of receipts, by the name it has in the document's {@code $defs},
   * such as {@code toolCall} or {@code fileWrite}: for values that will be put into a receipt
   * later.
   *
   * @throws IllegalArgumentException if the document has no such definition
   */
  public static ReceiptSchema definition(String name) {
    return new ReceiptSchema(COMPILER.definition(name));
  }

  /** Returns the first fault of a value that {@link StrictJson} has read; empty if it has none. */
  public Optional<SchemaFault> fault(JsonNode value) {
    Trail trail = new Trail();
    return rule.meets(value, trail) ? Optional.empty() : Optional.of(trail.fault());
  }

  /** Returns the published document as it is shipped with this library. */
  public static byte[] document() {
    try (InputStream in = ReceiptSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + RESOURCE + " is missing");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + RESOURCE + " can't be read", e);
    }
  }
}
