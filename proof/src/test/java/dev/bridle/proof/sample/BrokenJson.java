package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.proof.verify.Check;
import java.util.List;
import java.util.function.Function;

/** Receipts that are not JSON, or of which readers would see different values. */
final class BrokenJson {
  private static final int DEPTH_OF_METADATA = 2;

  private BrokenJson() {}

  static List<Breakage> all() {
    return List.of(
        json("empty", draft -> ""),
        json("truncated", draft -> draft.signed().substring(0, 700)),
        json("more-text", draft -> draft.signed() + "{}"),
        json("byte-order-mark", draft -> "\ufeff" + draft.signed()),
        json("single-quotes", draft -> draft.withRaw("'a'")),
        json("comment", draft -> draft.withRaw("/* a */ 1")),
        json("trailing-comma", draft -> draft.withRaw("[1,]")),
        json("no-value", draft -> draft.withRaw("")),
        json("not-a-number", draft -> draft.withRaw("NaN")),
        json("infinity", draft -> draft.withRaw("-Infinity")),
        json("leading-zero", draft -> draft.withRaw("01")),
        json("leading-plus", draft -> draft.withRaw("+1")),
        json("bare-fraction", draft -> draft.withRaw(".5")),
        json("bare-point", draft -> draft.withRaw("1.")),
        json("hexadecimal", draft -> draft.withRaw("0x10")),
        json("control-character", draft -> draft.withRaw("\"\u0001\"")),
        json("unknown-escape", draft -> draft.withRaw("\"\\x41\"")),
        json("wide-space", draft -> draft.withRaw("\u00a01")),
        json("lone-high-surrogate", draft -> draft.withRaw("\"\\ud800\"")),
        json("lone-low-surrogate", draft -> draft.withRaw("\"a\\udfffb\"")),
        json("reversed-surrogates", draft -> draft.withRaw("\"\\udc00\\ud800\"")),
        json("lone-surrogate-in-name", draft -> draft.withRaw("{\"\\ud83d\":1}")),
        raw("surrogates-in-utf-8", "\"\u00ed\u00a0\u0080\u00ed\u00b0\u0080\""),
        raw("overlong-utf-8", "\"\u00c0\u00af\""),
        raw("latin-1", "\"\u00e9\""),
        json("integer-beyond-2-53", draft -> draft.withRaw("9007199254740993")),
        json("integer-2-53", draft -> draft.withRaw("-9007199254740992")),
        json("integer-of-30-digits", draft -> draft.withRaw("1" + "0".repeat(30))),
        json("integer-by-exponent", draft -> draft.withRaw("1e17")),
        json("integer-by-fraction", draft -> draft.withRaw("9007199254740992.0")),
        json("number-beyond-double", draft -> draft.withRaw("1e400")),
        json("member-twice", draft -> twice(draft.signed(), "\"receipt_id\"")),
        json("member-twice-by-escape", draft -> twice(draft.signed(), "\"receipt\\u005fid\"")),
        json("member-twice-inside", draft -> draft.withRaw("{\"a\":1,\"b\":{},\"a\":1}")),
        json("nested-65-deep", draft -> draft.withRaw(nested(65))),
        json("nested-10000-deep", draft -> draft.withRaw(nested(10_000))));
  }

  private static String twice(String receipt, String name) {
    return "{" + name + ":\"receipt_0\"," + receipt.substring(1);
  }

  private static String nested(int levels) {
    int arrays = levels - DEPTH_OF_METADATA;
    return "[".repeat(arrays) + "]".repeat(arrays);
  }

  private static Breakage json(String name, Function<Draft, String> text) {
    return Breakage.of(name, Check.JSON, text);
  }

  /** Takes a value of which each char is a byte. */
  private static Breakage raw(String name, String bytes) {
    return Breakage.ofRaw(
        name,
        Check.JSON,
        draft ->
            new String(draft.withRaw("\"@\"").getBytes(UTF_8), ISO_8859_1).replace("\"@\"", bytes));
  }
}
