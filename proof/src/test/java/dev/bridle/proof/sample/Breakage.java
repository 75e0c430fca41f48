package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.proof.verify.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One named way to break a receipt.
 *
 * @param name in lower case with hyphens
 * @param check the first check that fails
 * @param bytes makes the broken receipt
 */
public record Breakage(String name, Check check, Function<Draft, byte[]> bytes) {
  /** Returns all ways. */
  public static List<Breakage> all() {
    List<Breakage> all = new ArrayList<>();
    all.addAll(BrokenJson.all());
    all.addAll(BrokenShape.all());
    all.addAll(BrokenProof.all());
    return all;
  }

  static Breakage of(String name, Check check, Function<Draft, String> text) {
    return new Breakage(name, check, draft -> text.apply(draft).getBytes(UTF_8));
  }

  /** The text's chars are bytes. */
  static Breakage ofRaw(String name, Check check, Function<Draft, String> latin1) {
    return new Breakage(name, check, draft -> latin1.apply(draft).getBytes(ISO_8859_1));
  }

  /** Returns whether the receipt itself is whole, so that the chain goes on with it. */
  public boolean isInChain() {
    return check.compareTo(Check.HASH) > 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
