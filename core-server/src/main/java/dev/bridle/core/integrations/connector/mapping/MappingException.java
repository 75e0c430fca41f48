package dev.bridle.core.integrations.connector.mapping;

/** A delivery can't become what its connector's mapping says. The message is for people. */
public final class MappingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MappingException(String message) {
    super(message, null, false, false);
  }
}
