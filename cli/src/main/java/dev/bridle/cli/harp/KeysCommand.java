package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.console.SecretFile;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harp.seal.KeyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The group of commands about a device's keys. */
@Command(
    name = "keys",
    description = "Create and show the keys of an approver's device.",
    subcommands = {KeysCommand.Create.class, KeysCommand.Show.class},
    footer = {"%nExample:", "  bridle harp keys create phone.keys"})
final class KeysCommand extends CommandGroup {

  /** Creates the command; called by picocli. */
  KeysCommand() {}

  private static void print(ObjectNode halves, boolean json, PrintWriter out) {
    if (json) {
      out.println(halves);
    } else {
      halves
          .properties()
          .forEach(
              half -> out.println(half.getKey() + ": " + ShownText.line(half.getValue().asText())));
    }
    out.flush();
  }

  /** Makes keys. */
  @Command(
      name = "create",
      description = {
        "Make the keys of a device: one that signs decisions, one for which payloads are sealed.",
        "The file is encrypted under a passphrase (Argon2id, XChaCha20-Poly1305) and readable by"
            + " its owner only. What is printed is public: an enforcer trusts it."
      },
      footer = {
        "%nExample:",
        "  bridle harp keys create phone.keys",
        "  bridle harp keys show phone.keys --json > phone.json"
      })
  static final class Create implements Runnable {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The file, which must not exist yet.")
    private Path file = Path.of("");

    @Option(
        names = "--passphrase-file",
        paramLabel = "FILE",
        description = "A file with the passphrase (default: asked for at the terminal).")
    private Optional<Path> passphrase = Optional.empty();

    @Option(names = "--json", description = "Print the public halves as a line of JSON.")
    private boolean json;

    @Override
    public void run() {
      SecretFile.requireAbsent(Optional.of(file));
      SecureRandom random = new SecureRandom();
      DeviceKeys keys = DeviceKeys.create(random);
      try {
        byte[] content = KeyFile.seal(keys, Passphrase.choose(passphrase, file), random);
        PrivateFile.write(file.toAbsolutePath(), new String(content, StandardCharsets.UTF_8));
      } catch (HarpException | IOException e) {
        throw new CommandFailed(
            ExitCodes.FAILED, "The file " + file + " can't be written: " + e.getMessage(), e);
      }
      print(keys.publicHalves(), json, spec.commandLine().getOut());
    }
  }

  /** Shows the public halves. */
  @Command(
      name = "show",
      description = "Show the public halves of a device's keys; no passphrase is needed.",
      footer = {"%nExample:", "  bridle harp keys show phone.keys --json > phone.json"})
  static final class Show implements Runnable {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The file with the keys.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print a line of JSON.")
    private boolean json;

    @Override
    public void run() {
      try {
        print(KeyFile.publicHalves(HarpFiles.read(file)), json, spec.commandLine().getOut());
      } catch (HarpException e) {
        throw HarpFiles.refused(file, e);
      }
    }
  }
}
