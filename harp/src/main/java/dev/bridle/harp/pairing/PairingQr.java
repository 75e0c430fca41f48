package dev.bridle.harp.pairing;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The text of the QR code that an enforcer shows and a device scans: {@code
 * harp-pair:1?g=URL&n=NONCE&e=IDENTITY&s=SECRET&t=SPKI}. It has the relay's URL (percent-encoded),
 * the pairing's nonce, the SHA-256 of the enforcer's identity, the secret, and the SHA-256 of the
 * relay's SubjectPublicKeyInfo, all bytes in base64url. Immutable; its {@link #toString} does not
 * show the secret.
 */
public final class PairingQr {
  private static final String SCHEME = "harp-pair:";
  private static final String VERSION = "1";
  private static final Set<String> REQUIRED = Set.of("g", "n", "e", "s");
  private static final String PIN = "t";
  private static final int HASH_BYTES = 32;

  /** The most characters: a relay's URL of the greatest length, each character encoded. */
  private static final int MAX_LENGTH = 4096;

  private final String relay;
  private final String nonce;
  private final Sha256 identity;
  private final PairingSecret secret;
  private final Optional<Sha256> relayPin;

  private PairingQr(
      String relay,
      String nonce,
      Sha256 identity,
      PairingSecret secret,
      Optional<Sha256> relayPin) {
    this.relay = relay;
    this.nonce = nonce;
    this.identity = identity;
    this.secret = secret;
    this.relayPin = relayPin;
  }

  /**
   * Creates it.
   *
   * @param relay the URL of the relay, without a slash at the end
   * @param nonce the nonce of the pairing, 16 to 64 bytes in base64url
   * @param identity the SHA-256 of the enforcer's public key
   * @param relayPin the SHA-256 of the relay's SubjectPublicKeyInfo, for a relay with TLS only: a
   *     device must not believe that it checks a pin over plain HTTP; empty: the certificate is
   *     verified as a browser does
   * @throws HarpException {@code TRANSPORT} if a value is malformed, or the pin doesn't fit the URL
   */
  public static PairingQr of(
      String relay, String nonce, Sha256 identity, PairingSecret secret, Optional<Sha256> relayPin)
      throws HarpException {
    RelayUrl.check(relay);
    ByteText.decode(
        "n", nonce, PairingTranscript.MIN_NONCE_BYTES, PairingTranscript.MAX_NONCE_BYTES);
    if (relayPin.isPresent() && !RelayUrl.usesTls(relay)) {
      throw malformed("must have t for a relay with https only");
    }
    return new PairingQr(relay, nonce, identity, secret, relayPin);
  }

  /**
   * Parses the text of a QR code. Members may be in any order.
   *
   * @throws HarpException {@code UNSUPPORTED} if it has another version; {@code TRANSPORT} if it is
   *     no such text, or a member is missing, unknown, malformed or there twice
   */
  public static PairingQr parse(String text) throws HarpException {
    Map<String, String> members = members(text);
    Sha256 identity = hash("e", members.get("e"));
    PairingSecret secret =
        PairingSecret.ofBytes(ByteText.decode("s", members.get("s"), PairingSecret.BYTES));
    Optional<Sha256> pin =
        members.containsKey(PIN) ? Optional.of(hash(PIN, members.get(PIN))) : Optional.empty();
    return of(RelayUrl.decode(members.get("g")), members.get("n"), identity, secret, pin);
  }

  private static Map<String, String> members(String text) throws HarpException {
    if (text.length() > MAX_LENGTH || !text.startsWith(SCHEME)) {
      throw malformed("must begin with " + SCHEME + " and have at most 4096 characters");
    }
    String[] halves = text.substring(SCHEME.length()).split("\\?", 2);
    if (!halves[0].equals(VERSION)) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED,
          "unknown_version",
          "The QR code has a version other than 1. Update this application.");
    }
    Map<String, String> members = new HashMap<>();
    for (String member : halves.length == 1 ? new String[0] : halves[1].split("&", -1)) {
      int end = member.indexOf('=');
      String name = member.substring(0, Math.max(end, 0));
      if (!REQUIRED.contains(name) && !name.equals(PIN)) {
        throw malformed("must have no members other than g, n, e, s and t");
      }
      if (members.put(name, member.substring(end + 1)) != null) {
        throw malformed("must have each member once");
      }
    }
    if (!members.keySet().containsAll(REQUIRED)) {
      throw malformed("must have the members g, n, e and s");
    }
    return members;
  }

  private static Sha256 hash(String member, String text) throws HarpException {
    return Sha256.ofBytes(ByteText.decode(member, text, HASH_BYTES));
  }

  private static HarpException malformed(String rule) {
    return new HarpException(HarpErrorCode.TRANSPORT, "schema", "The QR code " + rule + ".");
  }

  /** Returns the text of the QR code, with the secret. */
  public String text() {
    return SCHEME
        + VERSION
        + "?g="
        + RelayUrl.encode(relay)
        + "&n="
        + nonce
        + "&e="
        + Base64Url.encode(identity.bytes())
        + "&s="
        + secret.text()
        + relayPin.map(pin -> "&t=" + Base64Url.encode(pin.bytes())).orElse("");
  }

  /**
   * Checks the identity that a relay has given for the enforcer.
   *
   * @param enforcerKey the public key, 32 bytes
   * @throws HarpException {@code HASH_MISMATCH} if it is another one
   */
  public void verifyIdentity(byte[] enforcerKey) throws HarpException {
    if (!identity.equals(Sha256.of(enforcerKey))) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "identity",
          "The relay gives another enforcer than the one that shows the QR code.");
    }
  }

  /** Returns the URL of the relay. */
  public String relay() {
    return relay;
  }

  /** Returns the nonce of the pairing, in base64url. */
  public String nonce() {
    return nonce;
  }

  /** Returns the SHA-256 of the enforcer's public key. */
  public Sha256 identity() {
    return identity;
  }

  /** Returns the secret. */
  public PairingSecret secret() {
    return secret;
  }

  /** Returns the SHA-256 of the relay's SubjectPublicKeyInfo; empty for a relay without TLS. */
  public Optional<Sha256> relayPin() {
    return relayPin;
  }

  @Override
  public String toString() {
    return "PairingQr[" + relay + ", " + nonce + ", " + identity + "]";
  }
}
