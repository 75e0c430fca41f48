package dev.bridle.core.integrations.connector.signature;

import dev.bridle.connector.v1.DedupePolicy;
import dev.bridle.connector.v1.WebhookSignature;
import java.util.Arrays;
import java.util.Locale;

/** The conventions of known providers: signature, delivery id and event kind. */
public enum Preset {
  /** GitHub's webhooks. */
  GITHUB(
      signature().setHeader("x-hub-signature-256").setPrefix("sha256=").setSigned("{body}"),
      named().setHeader("x-github-delivery"),
      "{header:x-github-event}"),
  /** Slack's Events API. */
  SLACK(
      signature()
          .setHeader("x-slack-signature")
          .setPrefix("v0=")
          .setTimestampHeader("x-slack-request-timestamp")
          .setSigned("v0:{timestamp}:{body}"),
      named().setPointer("/event_id"),
      "{/event/type?}"),
  /** Stripe's events. */
  STRIPE(list("stripe-signature"), named().setPointer("/id"), "{/type}"),
  /** The webhooks of this server and of others that speak its protocol. */
  BRIDLE(list("x-harn-signature"), named().setHeader("x-bridle-delivery"), "{/event/event?}"),
  /** As the connector configures. */
  CUSTOM(signature(), named(), "delivery"),
  /** Deliveries are not signed. */
  NONE(signature(), named(), "delivery");

  private final WebhookSignature signature;
  private final DedupePolicy dedupe;
  private final String eventKind;

  Preset(WebhookSignature.Builder signature, DedupePolicy.Builder dedupe, String eventKind) {
    this.signature = signature.build();
    this.dedupe = dedupe.build();
    this.eventKind = eventKind;
  }

  /** Returns the preset of a signature, whose name is already validated. */
  public static Preset of(WebhookSignature given) {
    return Arrays.stream(values())
        .filter(preset -> preset.spelling().equals(given.getPreset()))
        .findFirst()
        .orElse(CUSTOM);
  }

  /** Returns a signature with the preset's values for absent members. */
  WebhookSignature complete(WebhookSignature given) {
    return signature.toBuilder().mergeFrom(given).build();
  }

  /** Returns how the provider identifies a delivery. */
  public DedupePolicy dedupe() {
    return dedupe;
  }

  /** Returns the template of the event kind. */
  public String eventKind() {
    return eventKind;
  }

  /** Returns the name as requests spell it. */
  private String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static WebhookSignature.Builder list(String header) {
    return signature()
        .setHeader(header)
        .setSignatureKey("v1")
        .setTimestampKey("t")
        .setSigned("{timestamp}.{body}");
  }

  private static DedupePolicy.Builder named() {
    return DedupePolicy.newBuilder();
  }

  private static WebhookSignature.Builder signature() {
    return WebhookSignature.newBuilder().setEncoding("hex").setToleranceSeconds(300);
  }
}
