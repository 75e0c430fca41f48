package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.core.integrations.connector.signature.SignatureScheme;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Chooses the headers of a delivery that are stored with it: all but those that hold a credential
 * of the sender, which would lie there for as long as a dead letter does. A signature is none, as
 * it is good for this delivery alone.
 */
final class KeptHeaders {
  /** Parts of names by which senders call what must stay secret, such as X-Gitlab-Token. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "authorization|cookie|token|secret|passw|credential|api[-_]?key|access[-_]?key|jwt");

  private KeptHeaders() {}

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
