package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the audit log of a server's relay, and verifies its chain of hashes. */
@Command(
    name = "audit",
    description = {
      "List what happened to the enforcers, approvers and keys of a server's relay, and verify it.",
      "Each entry has the hash of the one before. The last hash, kept elsewhere and given with"
          + " --expect, later proves that the log still has all entries up to it. The key needs"
          + " the scope harp:admin.",
      "",
      "Exit codes: 0 the chain is whole, 8 it is not."
    },
    footer = {"%nExample:", "  bridle harp audit --expect sha256:5b1f…"})
final class AuditCommand implements Runnable {
  private static final int MOST = Integer.MAX_VALUE;

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--expect",
      paramLabel = "HASH",
      description = "Fail if the log does not have the entry with this hash.")
  private Optional<String> expected = Optional.empty();

  @Option(names = "--json", description = "Print each as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  AuditCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    Chain chain = new Chain(expected);
    server
        .connect()
        .rows(
            "/v1/harp/audit",
            MOST,
            entry -> {
              chain.add((ObjectNode) entry);
              out.println(json ? entry.toString() : line(entry));
            });
    out.flush();
    chain.needWhole();
    PrintWriter err = spec.commandLine().getErr();
    err.println(chain.size + " entries, the chain is whole; the last hash is " + chain.last);
    err.flush();
  }

  private static String line(JsonNode entry) {
    List<String> words = new ArrayList<>();
    words.add(entry.path("created_at").asText());
    words.add(entry.path("kind").asText());
    words.add(entry.path("role").asText() + " " + entry.path("party_id").asText());
    words.add("by " + entry.path("actor").asText());
    for (String detail :
        List.of("party_actor", "api_key_id", "signer_key_id", "signing_key", "request_id")) {
      if (entry.hasNonNull(detail)) {
        words.add(detail + " " + entry.path(detail).asText());
      }
    }
    return ShownText.line(String.join("  ", words));
  }

  /** Verifies entries one after the other. */
  private static final class Chain {
    private final Optional<String> expected;
    private String last = "none";
    private long size;
    private boolean found;
    private Optional<String> broken = Optional.empty();

    Chain(Optional<String> expected) {
      this.expected = expected;
      this.found = expected.isEmpty();
    }

    void add(ObjectNode entry) {
      String previous = size == 0 ? "none" : last;
      size++;
      String hash = entry.path("hash").asText();
      boolean follows =
          entry.path("index").asLong() == size
              && entry.path("previous_hash").asText("none").equals(previous)
              && hashOf(entry).equals(hash);
      if (!follows && broken.isEmpty()) {
        broken = Optional.of("Entry " + size + " does not follow the one before, or was changed.");
      }
      found |= expected.filter(hash::equals).isPresent();
      last = hash;
    }

    private static String hashOf(ObjectNode entry) {
      ObjectNode hashed = entry.deepCopy();
      hashed.remove("hash");
      hashed.removeIf(JsonNode::isNull);
      return Sha256.of(CanonicalJson.bytes(hashed)).toString();
    }

    void needWhole() {
      if (broken.isEmpty() && !found) {
        broken = Optional.of("The log does not have the entry " + expected.orElse("") + ".");
      }
      broken.ifPresent(
          why -> {
            throw new CommandFailed(ExitCodes.RECEIPT_NOT_VALID, why);
          });
    }
  }
}
