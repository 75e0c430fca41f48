package dev.bridle.harpgateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Documents of HARP's published gateway vectors, by the names that they have in the resource. */
public final class PublishedVectors {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private PublishedVectors() {}

  /** Returns a document. */
  public static JsonNode get(String name) {
    try (InputStream in = PublishedVectors.class.getResourceAsStream("/gateway-vectors.txt")) {
      String line =
          new String(in.readAllBytes(), UTF_8)
              .lines()
              .filter(each -> each.split(" ", 3)[1].equals(name))
              .findFirst()
              .orElseThrow();
      return MAPPER.readTree(line.split(" ", 3)[2]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
