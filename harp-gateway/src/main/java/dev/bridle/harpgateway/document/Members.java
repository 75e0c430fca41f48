package dev.bridle.harpgateway.document;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Members of documents that are left out where there is nothing to say. */
final class Members {
  private Members() {}

  /** Puts a text, unless it is empty. */
  static void put(ObjectNode document, String name, String text) {
    if (!text.isEmpty()) {
      document.put(name, text);
    }
  }

  /** Returns a text, or an empty one where there is none. */
  static String text(ObjectNode document, String name) {
    return document.path(name).asText("");
  }
}
