package dev.bridle.proof.sample;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/** Keys in each state that a key can be in, relative to the year 2026. */
public final class SampleKeys {
  /** 2026-01-01T00:00:00Z. */
  public static final long START = 1_767_225_600;

  /** 2027-01-01T00:00:00Z. */
  public static final long END = START + 365 * 86_400L;

  /** Signs in 2026. */
  public static final SigningKey CURRENT = key("current");

  /** Signed in 2025. */
  public static final SigningKey EXPIRED = key("expired");

  /** Will sign in 2027. */
  public static final SigningKey FUTURE = key("future");

  /** Was replaced in the middle of 2026. */
  public static final SigningKey SUPERSEDED = key("superseded");

  /** Was stolen in the middle of 2026. */
  public static final SigningKey COMPROMISED = key("compromised");

  /** Of another party that signs receipts as a witness, at any time. */
  public static final SigningKey WITNESS = key("witness");

  /** In no set. */
  public static final SigningKey UNKNOWN = key("unknown");

  /** The middle of 2026. */
  public static final long MIDDLE = START + 180 * 86_400L;

  private SampleKeys() {}

  private static SigningKey key(String name) {
    return SigningKey.ofSeed(
        Sha256.of(("sample key " + name).getBytes(StandardCharsets.US_ASCII)).bytes());
  }

  /** Returns the set of all but the unknown key. */
  public static KeySet set() {
    KeyValidity year = KeyValidity.between(START, END);
    return KeySet.of(
        List.of(
                CURRENT.verificationKey(year),
                EXPIRED.verificationKey(KeyValidity.between(START - 365 * 86_400L, START)),
                FUTURE.verificationKey(KeyValidity.between(END, END + 365 * 86_400L)),
                SUPERSEDED.verificationKey(year.revoked(MIDDLE, "superseded")),
                COMPROMISED.verificationKey(year.revoked(MIDDLE, "compromised")),
                WITNESS.verificationKey(KeyValidity.UNBOUNDED))
            .stream()
            .sorted(Comparator.comparing(one -> one.id()))
            .toList());
  }
}
