package dev.bridle.core.work.oauth;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.util.Optional;

/**
 * The URL that this server's tokens name as their issuer and audience: the one under which clients
 * reach the gateway. Known once the gateway listens.
 */
public final class Issuer {
  private volatile Optional<String> url = Optional.empty();

  /** Says under which URL the server is reached. */
  public void reachedAt(String publicUrl) {
    url =
        Optional.of(
            publicUrl.endsWith("/") ? publicUrl.substring(0, publicUrl.length() - 1) : publicUrl);
  }

  /** Returns the URL, once it is known. */
  public Optional<String> url() {
    return url;
  }

  String need() {
    return url.orElseThrow(
        () ->
            ProtocolException.of(
                ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
                "The server does not know yet under which URL it is reached."));
  }
}
