package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.outbound.OutboundUrl;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookPreset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The secrets of a request: the signing secret, and the parts of the URL that act as credentials.
 * They are redacted from responses, since many servers repeat the URL in errors.
 */
final class WebhookSecrets {
  private static final String HIDDEN = "[hidden]";

  /** Shorter parts of URLs are taken for words. */
  private static final int SHORTEST_PART = 8;

  private final List<String> secrets;

  private WebhookSecrets(List<String> secrets) {
    this.secrets = List.copyOf(secrets);
  }

  static WebhookSecrets of(Webhook webhook, Optional<String> signedWith) {
    OutboundUrl url = OutboundUrl.parse(webhook.getUrl());
    List<String> secrets = new ArrayList<>();
    signedWith.filter(secret -> !secret.isEmpty()).ifPresent(secrets::add);
    if (webhook.getPreset() == WebhookPreset.WEBHOOK_PRESET_NTFY) {
      WebhookBody.topic(url).ifPresent(secrets::add);
    }
    Stream.concat(Stream.of(url.path()), Stream.of(url.path().split("[/?&=]", -1)))
        .filter(part -> part.length() >= SHORTEST_PART)
        .forEach(secrets::add);
    secrets.sort(Comparator.comparing(String::length).reversed());
    return new WebhookSecrets(secrets);
  }

  /** Returns a text with the secrets redacted. */
  String redact(String text) {
    String redacted = text;
    for (String secret : secrets) {
      redacted = redacted.replace(secret, HIDDEN);
    }
    return redacted;
  }

  @Override
  public String toString() {
    return "WebhookSecrets[" + secrets.size() + "]";
  }
}
