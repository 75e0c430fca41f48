package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.qr.QrCode;
import dev.bridle.cli.rest.RestClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A pairing of a phone that has begun at a server. Its text has no secret. */
public final class PhonePairing {
  private static final String PAIRINGS = "/v1/approval-device-pairings";
  private static final long POLL_MILLIS = 1000;

  private final RestClient client;
  private final JsonNode begun;

  private PhonePairing(RestClient client, JsonNode begun) {
    this.client = client;
    this.begun = begun;
  }

  /**
   * Begins a pairing.
   *
   * @param principal whose answers the phone's will be
   * @param name the phone's name, for lists
   */
  public static PhonePairing begin(RestClient client, String principal, Optional<String> name) {
    ObjectNode ask = JsonLines.object().put("principal", principal);
    name.ifPresent(text -> ask.put("name", text));
    return new PhonePairing(client, client.post(PAIRINGS, ask, UUID.randomUUID().toString()));
  }

  /** Returns the link, which has the secret. */
  public String url() {
    return begun.path("url").asText();
  }

  /** Returns the code that a person types into the page instead. */
  String code() {
    return begun.path("code").asText();
  }

  String expiresAt() {
    return begun.path("expires_at").asText();
  }

  /**
   * Returns what a person reads.
   *
   * @param qr whether with the QR code, which a terminal shows
   */
  public List<String> lines(boolean qr) {
    List<String> lines = new ArrayList<>();
    if (qr) {
      lines.addAll(QrCode.of(url()).lines());
    }
    lines.add(
        qr ? "Scan this with the phone's camera. Or open on the phone:" : "Open on the phone:");
    lines.add("  " + url());
    lines.add("Or open " + url().substring(0, url().indexOf('#')) + " there and type  " + code());
    lines.add("The link counts for one phone, until " + expiresAt() + ".");
    if (url().startsWith("http:")) {
      lines.add(
          "It opens in browsers of this machine only; 'bridle phone setup --help' says how a phone"
              + " gets here.");
    }
    return lines;
  }

  /**
   * Waits for a phone.
   *
   * @param most for so long at most
   * @return the pairing, which is completed, or to be confirmed
   * @throws CommandFailed if none came in time
   */
  public JsonNode await(Duration most) {
    Instant asked = Instant.now().plus(most);
    Instant expires = Instant.parse(expiresAt());
    Instant end = asked.isBefore(expires) ? asked : expires;
    JsonNode now = client.get(path());
    while (status(now).equals("pending")) {
      if (!Instant.now().isBefore(end)) {
        throw tooLate();
      }
      pause();
      now = client.get(path());
    }
    return switch (status(now)) {
      case "confirm", "completed" -> now;
      case "expired" -> throw tooLate();
      default ->
          throw new CommandFailed(
              ExitCodes.FAILED, "The server says of the pairing what is unknown here: " + now);
    };
  }

  /** Returns whether the phone's short code is to be typed. */
  public static boolean isToConfirm(JsonNode pairing) {
    return status(pairing).equals("confirm");
  }

  /** Confirms the phone that shows a short code. */
  public JsonNode confirm(String shortCode) {
    return client.post(
        path() + "/confirm",
        JsonLines.object().put("short_code", shortCode),
        UUID.randomUUID().toString());
  }

  private String path() {
    return PAIRINGS + "/" + RestClient.escape(begun.path("id").asText());
  }

  private static CommandFailed tooLate() {
    return new CommandFailed(
        ExitCodes.FAILED, "No phone has opened the link in time. Run the command again.");
  }

  private static String status(JsonNode pairing) {
    return pairing.path("status").asText();
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  @Override
  public String toString() {
    return "PhonePairing[" + begun.path("id").asText() + "]";
  }
}
