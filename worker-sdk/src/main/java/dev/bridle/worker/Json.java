package dev.bridle.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;

/** Encodes and decodes JSON in bytes fields: UTF-8, with exact numbers. */
final class Json {
  static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Json() {}

  static ByteString bytes(JsonNode value) {
    try {
      return ByteString.copyFrom(MAPPER.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the value can't be written as JSON", e);
    }
  }

  static JsonNode read(ByteString bytes) {
    try {
      return MAPPER.readTree(bytes.newInput());
    } catch (IOException e) {
      throw new IllegalArgumentException("the core's response contains invalid JSON", e);
    }
  }
}
