package dev.bridle.cli.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.cli.admin.DataDirectory;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.console.ShellWord;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.PinnedKeys;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.verify.OneLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the keys with which a server's receipts are verified, and keeps them. */
@Command(
    name = "keys",
    description = {
      "Show the public keys that verify the server's receipts, and keep them in a file.",
      "The id of a key is its fingerprint. Compare it with what the server's operator says, by"
          + " another way than this connection. With --pin, a file that is there already is only"
          + " replaced by keys that agree with it: a kept key that is gone, or counts for more than"
          + " before, ends with exit code 8; a new key has to be accepted by its id.",
      "With --data-dir, the keys are those of a data directory, for its operator, whether or not its"
          + " server runs. With --trust, a key that 'bridle import --unverified' has brought there is"
          + " confirmed: what it has signed is valid from then on."
    },
    footer = {
      "%nExamples:",
      "  bridle receipt keys",
      "  bridle receipt keys --pin keys.json",
      "  bridle receipt keys --pin keys.json --accept 8q6pWyQ1",
      "  bridle receipt keys --trust 8q6pWyQ1 --data-dir data"
    })
public final class ReceiptKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;
  @Mixin private DataDirectory directory;

  @Option(
      names = "--pin",
      paramLabel = "FILE",
      description = "Keep the keys in this file, for 'bridle receipt verify --keys FILE'.")
  private Optional<Path> pin = Optional.empty();

  @Option(
      names = "--accept",
      paramLabel = "KEY",
      description = "Accept a new key, by its whole id. May be given several times.")
  private List<String> accept = List.of();

  @Option(
      names = "--trust",
      paramLabel = "KEY",
      description = "Confirm a key that came with an import, by its whole id.")
  private Optional<String> trust = Optional.empty();

  @Option(names = "--json", description = "Print each key as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public ReceiptKeysCommand() {}

  @Override
  public Integer call() {
    if (pin.isEmpty() && !accept.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--accept is about the keys of a file. Name it with --pin FILE.");
    }
    if (trust.isPresent()) {
      confirm(trust.get());
      return ExitCodes.DONE;
    }
    byte[] document =
        spec.commandLine().getParseResult().hasMatchedOption("--data-dir")
            ? new DirectoryKeys(directory.access()).published()
            : server.connect().bytes("/.well-known/receipt-keys.json");
    KeySet published = read(document);
    show(published);
    return pin.map(file -> keep(file, document, published)).orElse(ExitCodes.DONE);
  }

  private void confirm(String key) {
    if (pin.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--trust is about a server's imports, --pin about a file: give one.");
    }
    for (ImportedReceiptKey one : new DirectoryKeys(directory.access()).trust(key)) {
      spec.commandLine()
          .getOut()
          .println(
              json
                  ? JsonLines.object()
                      .put("key_id", one.getId())
                      .put("imported_into", one.getTenantId())
                      .put("confirmed", one.getConfirmed())
                      .toString()
                  : one.getId() + "  imported into " + one.getTenantId() + ", confirmed");
    }
  }

  private static KeySet read(byte[] document) {
    try {
      return KeySet.parse(document);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(
          ExitCodes.RECEIPT_NOT_VALID,
          OneLine.of("The server's key set is rejected: " + e.getMessage()),
          e);
    }
  }

  private int keep(Path file, byte[] document, KeySet published) {
    if (published.keys().isEmpty()) {
      throw new CommandFailed(
          ExitCodes.RECEIPT_NOT_COMPLETE,
          "The server publishes no key, so there is nothing to keep. A server without a master key"
              + " can't sign.");
    }
    // A link that leads nowhere is no new file either: what was kept may be away for now.
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      PinnedKeys found =
          PinnedKeys.compare(IssuerKeys.read(file).keys(), published, Set.copyOf(accept));
      if (!found.changes().isEmpty()) {
        throw new CommandFailed(
            ExitCodes.RECEIPT_NOT_VALID,
            String.join(" ", found.changes())
                + " "
                + file
                + " is left as it is. Ask the server's operator why.");
      }
      if (!found.unknown().isEmpty()) {
        throw new CommandFailed(ExitCodes.RECEIPT_NOT_COMPLETE, unknown(file, found));
      }
    }
    BundleFile.write(target(file), out -> out.print(new String(document, StandardCharsets.UTF_8)));
    return ExitCodes.DONE;
  }

  /** Returns the file that a link leads to, so that all who read it get the same keys. */
  private static Path target(Path file) {
    try {
      return Files.isSymbolicLink(file) ? file.toRealPath() : file;
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, OneLine.of(file + " can't be written: " + e), e);
    }
  }

  private static String unknown(Path file, PinnedKeys found) {
    Set<String> ids = new TreeSet<>();
    found.unknown().forEach(key -> ids.add(key.id()));
    StringBuilder options = new StringBuilder();
    ids.forEach(id -> options.append(" --accept ").append(ShellWord.quoted(id)));
    return "The server has "
        + (ids.size() == 1 ? "a new key" : ids.size() + " new keys")
        + ", such as after a rotation. "
        + file
        + " is left as it is. Compare the id with what the server's operator says, and accept it:"
        + options;
  }

  private void show(KeySet keys) {
    try (Listing list =
        new Listing(spec.commandLine().getOut(), json, "KEY", "FROM", "UNTIL", "STATE")) {
      for (VerificationKey key : keys.keys()) {
        KeyValidity validity = key.validity();
        String from = time(validity.notBefore());
        String until = time(validity.expiresAt());
        list.add(
            json ? line(key, from, until).toString() : text(key, from, until),
            key.id(),
            from.isEmpty() ? "-" : from,
            until.isEmpty() ? "-" : until,
            state(validity));
      }
    }
  }

  private static String text(VerificationKey key, String from, String until) {
    return key.id()
        + (from.isEmpty() ? "" : "  from " + from)
        + (until.isEmpty() ? "" : "  until " + until)
        + "  "
        + state(key.validity());
  }

  private static ObjectNode line(VerificationKey key, String from, String until) {
    ObjectNode line = JsonLines.object().put("key_id", key.id());
    if (!from.isEmpty()) {
      line.put("from", from);
    }
    if (!until.isEmpty()) {
      line.put("until", until);
    }
    return line.put("state", state(key.validity()));
  }

  private static String time(OptionalLong second) {
    return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()).toString() : "";
  }

  private static String state(KeyValidity validity) {
    return validity
        .revocation()
        .map(
            one ->
                OneLine.of(one.reason())
                    + (one.compromisedSince().isPresent()
                        ? " since " + time(one.compromisedSince())
                        : ""))
        .orElse(validity.expiresAt().isPresent() ? "retired" : "signs");
  }
}
