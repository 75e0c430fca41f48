package dev.bridle.cli.run;

import dev.bridle.cli.console.ShellWord;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which server a command at another terminal uses.
 *
 * @param url the server
 * @param keyFile a file with a key of it, where it was started by this program
 * @param certificateFile its certificate, by which a command trusts it; empty for plaintext
 */
record ServerArguments(URI url, Path keyFile, Optional<String> certificateFile) {
  /** Returns a command with the options that name the server. */
  String to(String command) {
    return "bridle "
        + command
        + " --url "
        + url
        + certificateFile.map(file -> " --ca-cert " + ShellWord.quoted(file)).orElse("")
        + " --api-key-file "
        + (hasKey() ? ShellWord.quoted(keyFile.toString()) : "FILE");
  }

  /** A server that somebody has started by hand has its keys elsewhere. */
  boolean hasKey() {
    return Files.exists(keyFile);
  }

  boolean isOfThisMachine() {
    return List.of("127.0.0.1", "localhost", "[::1]").contains(url.getHost());
  }
}
