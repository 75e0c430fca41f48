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
 * What must not be told of a request: what it is signed with, and the parts of its URL that whoever
 * knows them may post to. Many servers repeat the URL where they refuse it.
 */
final class WebhookSecrets {
  private static final String HIDDEN = "[hidden]";

  /** Shorter parts of URLs are words. */
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

  /** Returns a text without them. */
  String hiddenIn(String text) {
    String told = text;
    for (String secret : secrets) {
      told = told.replace(secret, HIDDEN);
    }
    return told;
  }

  @Override
  public String toString() {
    return "WebhookSecrets[" + secrets.size() + "]";
  }
}
