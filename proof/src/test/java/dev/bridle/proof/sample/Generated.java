package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One of many generated receipts: one line. */
public final class Generated {
  private static final int SESSIONS = 25;

  private final byte[] bytes;
  private final Optional<Breakage> breakage;

  private Generated(byte[] bytes, Optional<Breakage> breakage) {
    this.bytes = bytes;
    this.breakage = breakage;
  }

  /** Returns the receipt. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns how it is broken; empty if it is valid. */
  public Optional<Breakage> breakage() {
    return breakage;
  }

  /** Returns receipts of several sessions, in turns, about half of them broken. */
  public static List<Generated> receipts(long seed, int count) {
    Random random = new Random(seed);
    List<Breakage> breakages = Breakage.all();
    List<SampleSession> sessions = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(SampleSession.rich("session_" + i, random));
    }
    List<Generated> generated = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SampleSession session = sessions.get(random.nextInt(SESSIONS));
      if (random.nextBoolean()) {
        Breakage breakage = breakages.get(random.nextInt(breakages.size()));
        generated.add(new Generated(session.issue(breakage), Optional.of(breakage)));
      } else {
        generated.add(new Generated(valid(session, random), Optional.empty()));
      }
    }
    return generated;
  }

  private static byte[] valid(SampleSession session, Random random) {
    byte[] receipt = session.issue();
    return switch (random.nextInt(4)) {
      case 0 -> Respelling.of(StrictJson.parse(receipt), random).getBytes(UTF_8);
      case 1 -> lacking(receipt, random).getBytes(UTF_8);
      default -> receipt;
    };
  }

  /** Leaves out what a verifier needs, or adds what it can't know. */
  private static String lacking(byte[] receipt, Random random) {
    ObjectNode changed = (ObjectNode) StrictJson.parse(receipt);
    if (random.nextBoolean()) {
      changed
          .withArray("signatures")
          .addObject()
          .put("algorithm", "ML-DSA-65")
          .put("key_id", SampleKeys.UNKNOWN.id())
          .put("signature", "AA");
    } else {
      ((ObjectNode) changed.at("/signatures/0")).remove("signed_at");
    }
    return Draft.text(changed);
  }
}
