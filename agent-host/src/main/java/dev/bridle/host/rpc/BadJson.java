package dev.bridle.host.rpc;

import com.fasterxml.jackson.core.JsonProcessingException;

/** Bytes that are no JSON which two readers would understand alike. The message quotes no input. */
public final class BadJson extends Exception {
  private static final long serialVersionUID = 1L;

  BadJson(String message) {
    super(message);
  }

  static BadJson of(JsonProcessingException cause) {
    var place = cause.getLocation();
    return new BadJson("No valid JSON at byte " + (place == null ? 0 : place.getByteOffset()));
  }
}
