package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/** Cuts members out of JSON as the bytes that they are, so that they are passed on unchanged. */
final class RawJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private RawJson() {}

  /**
   * Returns the bytes of a member of the outermost object that is itself an object.
   *
   * @param json a document that is known to be a JSON object
   */
  static Optional<byte[]> member(byte[] json, String name) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = parser.currentName().equals(name);
        parser.nextToken();
        int begin = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        if (wanted && parser.currentToken() == JsonToken.END_OBJECT) {
          int end = (int) parser.currentTokenLocation().getByteOffset() + 1;
          return Optional.of(Arrays.copyOfRange(json, begin, end));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("a document was read before, and can't be read now", e);
    }
  }
}
