package dev.bridle.core.integrations.connector.mapping;

/**
 * Thrown if a connector's mapping can't be applied to a delivery. The message is shown to users.
 */
public final class MappingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MappingException(String message) {
    super(message, null, false, false);
  }
}
