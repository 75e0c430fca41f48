package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.core.integrations.connector.signature.SignatureScheme;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Selects the headers of a delivery that are stored with it: all but those that may hold a
 * credential of the sender, which would be kept as long as a dead letter. Signatures are stored,
 * since they are valid for this delivery alone.
 */
final class StoredHeaders {
  /** Matches names of headers that hold secrets, such as X-Gitlab-Token. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "authorization|cookie|token|secret|passw|credential|api[-_]?key|access[-_]?key|jwt");

  private StoredHeaders() {}

  static List<IngressHeader> of(List<IngressHeader> headers, Connector connector) {
    Set<String> ofSignature =
        SignatureScheme.of(connector.getWebhook().getSignature())
            .map(SignatureScheme::headers)
            .orElse(Set.of());
    return headers.stream()
        .filter(
            header -> {
              String name = header.getName().toLowerCase(Locale.ROOT);
              return ofSignature.contains(name) || !CREDENTIAL.matcher(name).find();
            })
        .toList();
  }
}
