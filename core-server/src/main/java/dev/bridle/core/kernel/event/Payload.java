package dev.bridle.core.kernel.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Builds the JSON payload of an event, member by member. */
public final class Payload {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final JsonGenerator out;
  private boolean leavesOut;

  private Payload() {
    try {
      this.out = FACTORY.createGenerator(bytes);
      out.writeStartObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates an empty payload. */
  public static Payload of() {
    return new Payload();
  }

  /** Marks the payload as the public projection of content that is not public as a whole. */
  public Payload leavingOut() {
    leavesOut = true;
    return this;
  }

  /** Returns whether the payload leaves out content that is not public. */
  boolean leavesOut() {
    return leavesOut;
  }

  /** Adds a text, unless it is empty. */
  public Payload text(String name, String value) {
    return value.isEmpty() ? this : write(() -> out.writeStringField(name, value));
  }

  /** Adds a text even if it is empty; {@code null} if it is absent. */
  public Payload anyText(String name, Optional<String> value) {
    return write(() -> out.writeStringField(name, value.orElse(null)));
  }

  /** Adds a list of texts, unless it is empty. */
  public Payload texts(String name, List<String> values) {
    return values.isEmpty()
        ? this
        : write(
            () -> {
              out.writeFieldName(name);
              out.writeArray(values.toArray(String[]::new), 0, values.size());
            });
  }

  /** Adds a number. */
  public Payload number(String name, long value) {
    return write(() -> out.writeNumberField(name, value));
  }

  /** Adds a fraction. */
  public Payload fraction(String name, double value) {
    return write(() -> out.writeNumberField(name, value));
  }

  /** Adds a boolean. */
  public Payload flag(String name, boolean value) {
    return write(() -> out.writeBooleanField(name, value));
  }

  /** Adds JSON as it is, unless it is empty. */
  public Payload json(String name, ByteString value) {
    return value.isEmpty()
        ? this
        : write(
            () -> {
              out.writeFieldName(name);
              out.writeRawValue(value.toString(StandardCharsets.UTF_8));
            });
  }

  /** Closes the payload and returns the object. */
  public ByteString json() {
    write(
        () -> {
          out.writeEndObject();
          out.close();
        });
    return ByteString.copyFrom(bytes.toByteArray());
  }

  private Payload write(Step step) {
    try {
      step.run();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Step {
    void run() throws IOException;
  }
}
