package dev.bridle.core.operations.portability.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The JSON of headers, unit ends and trailers. */
final class FileJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private FileJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static byte[] bytes(JsonNode object) {
    try {
      return MAPPER.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parses what a server has sent. */
  static JsonNode parse(byte[] json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new DamagedFileException("what its server has signed is no JSON");
    }
  }

  static JsonNode parse(Block block, String what) {
    try {
      return MAPPER.readTree(block.content());
    } catch (IOException e) {
      // A parser's text may quote the file, or its own settings.
      throw new DamagedFileException("the " + what + " at byte " + block.begin() + " is no JSON");
    }
  }
}
