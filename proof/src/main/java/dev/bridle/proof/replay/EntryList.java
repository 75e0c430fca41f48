package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A list with one entry for each event of some kinds, in the order of the events. The receipt has
 * the first entries, the length, and the hash of the whole list.
 */
final class EntryList implements ListFold {
  private final SourceReceipt source;
  private final Names names;
  private final List<JsonNode> listed;
  private final Derivation derivation;
  private final RunningSha256 digest = new RunningSha256();
  private long seen;
  private long hidden;
  private boolean uncertain;

  /**
   * How a list is called.
   *
   * @param check the name of the check
   * @param pointer where the receipt has the list
   * @param offset the number of other entries there, which are the first ones
   * @param list its name in {@code metadata["bridle.lists"]}
   */
  record Names(String check, String pointer, int offset, String list) {
    static Names of(String check, String pointer, String list) {
      return new Names(check, pointer, 0, list);
    }

    String entry(long index) {
      return pointer + "/" + (offset + index);
    }
  }

  /** What an event says about the next entry. */
  sealed interface Derived {
    /** The event belongs to no entry. */
    record None() implements Derived {}

    /** The event belongs to an entry, and does not disclose it. */
    record Hidden() implements Derived {}

    /** Whether the event belongs to an entry is not disclosed. */
    record Unknown() implements Derived {}

    /** The entry. */
    record Entry(ObjectNode part) implements Derived {}
  }

  /** Derives entries from events. */
  interface Derivation {
    /**
     * Returns what an event says.
     *
     * @param listed the receipt's next entry; empty if it has no more
     */
    Derived derive(LogLine line, Optional<JsonNode> listed);
  }

  EntryList(SourceReceipt source, Names names, List<JsonNode> listed, Derivation derivation) {
    this.source = source;
    this.names = names;
    this.listed = listed;
    this.derivation = derivation;
  }

  @Override
  public void add(LogLine line) throws ReplayException {
    Optional<JsonNode> next =
        seen < listed.size() ? Optional.of(listed.get((int) seen)) : Optional.empty();
    Derived derived = derivation.derive(line, next);
    if (derived instanceof Derived.Entry entry) {
      byte[] part = CanonicalJson.bytes(entry.part());
      if (next.isPresent()) {
        demandSame(line, CanonicalJson.bytes(next.get()), part);
      }
      digest.addLine(part);
      seen++;
    } else if (derived instanceof Derived.Hidden) {
      hidden++;
      seen++;
    } else if (derived instanceof Derived.Unknown) {
      uncertain = true;
    }
  }

  private void demandSame(LogLine line, byte[] expected, byte[] found) throws ReplayException {
    String stated = new String(expected, UTF_8);
    String derived = new String(found, UTF_8);
    if (!stated.equals(derived)) {
      throw new ReplayException(
          ReplayFault.diverged(line.sequence(), names.entry(seen), stated, derived));
    }
  }

  @Override
  public ReplayCheck finish() throws ReplayException {
    OptionalLong length = source.length(names.list());
    long expected = length.orElse(listed.size());
    if (length.isEmpty() && listed.isEmpty() && seen > 0 && source.isNotReported(names.pointer())) {
      return ReplayCheck.notDerivable(names.check(), "the receipt does not report them");
    }
    if (seen > expected || (seen < expected && !uncertain)) {
      throw new ReplayException(
          ReplayFault.diverged(
              names.pointer(), expected + " entries", seen + " events that make one"));
    }
    if (hidden > 0 || uncertain) {
      return ReplayCheck.notChecked(
          names.check(),
          seen
              - hidden
              + " of "
              + expected
              + " are as in the receipt; the others are not disclosed");
    }
    Optional<Sha256> hash = source.listHash(names.list());
    Sha256 found = digest.soFar();
    if (hash.isPresent() && !hash.get().equals(found)) {
      throw new ReplayException(
          ReplayFault.diverged(
              "/metadata/bridle.lists/" + names.list() + "/sha256",
              hash.get().toString(),
              found.toString()));
    }
    return ReplayCheck.passed(names.check(), seen == 0 ? "none" : seen + " as in the receipt");
  }
}
