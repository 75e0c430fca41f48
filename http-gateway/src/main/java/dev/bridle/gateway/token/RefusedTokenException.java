package dev.bridle.gateway.token;

/** Ends a token request with an OAuth error. */
final class RefusedTokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient TokenError error;

  RefusedTokenException(TokenError error) {
    super(error.cause().message(), null, false, false);
    this.error = error;
  }

  TokenError error() {
    return error;
  }
}
