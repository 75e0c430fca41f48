package dev.bridle.cli.phone;

import dev.bridle.cli.admin.UserData;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Keeps where phones reach the server that {@code bridle run} starts. */
@Command(
    name = "setup",
    description = {
      "Say where phones reach the server that 'bridle run --approve phone' starts. Without this the"
          + " page works in a browser of this machine only.",
      "Phones need a name (not an IP address) and a certificate that they trust. Three ways:",
      "  a private network that gives names and certificates, such as a VPN's: its files with"
          + " --tls-cert and --tls-key",
      "  a reverse proxy with a public certificate that leads to HARP of this machine: its URL with"
          + " --public-url",
      "  'bridle tls create NAME', with its CA installed on the phone: its files",
      "It counts from the next start of that server on. For 'bridle up' give these as --harp-host,"
          + " --harp-public-url, --harp-tls-cert and --harp-tls-key."
    },
    footer = {
      "%nExamples:",
      "  bridle phone setup --host 0.0.0.0 --public-url https://desk.example:8085 \\",
      "    --tls-cert desk.pem --tls-key desk.key",
      "  bridle phone setup --clear"
    })
final class SetupCommand implements Runnable {
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*");

  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "The data directory of 'bridle run' (default: as 'bridle run' has it).")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The address at which HARP is served (default: this machine only).")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description = "The URL that phones open, with https and a name.")
  private Optional<URI> publicUrl = Optional.empty();

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "A PEM file of the certificate and its chain; requires --tls-key.")
  private Optional<Path> certificate = Optional.empty();

  @Option(names = "--tls-key", paramLabel = "FILE", description = "A PEM file of its private key.")
  private Optional<Path> key = Optional.empty();

  @Option(names = "--clear", description = "Forget it: the page is for this machine again.")
  private boolean clear;

  /** Creates the command; called by picocli. */
  SetupCommand() {}

  @Override
  public void run() {
    Map<String, String> options = new LinkedHashMap<>();
    host.ifPresent(value -> options.put(PhoneReach.HOST, value));
    publicUrl.ifPresent(value -> options.put(PhoneReach.PUBLIC_URL, checked(value)));
    certificate.ifPresent(value -> options.put(PhoneReach.CERTIFICATE, readable(value)));
    key.ifPresent(value -> options.put(PhoneReach.KEY, readable(value)));
    check(options);
    Path directory = UserData.directory(data, System.getenv());
    try {
      Files.createDirectories(directory);
      new PhoneReach(options).write(directory);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, directory + " can't be written: " + e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        clear
            ? "Forgotten: the page is for browsers of this machine."
            : "Kept in "
                + directory
                + ". It counts from the next start of the server on; then 'bridle run --approve"
                + " phone' shows a QR code the first time.");
    out.flush();
  }

  private void check(Map<String, String> options) {
    if (clear == !options.isEmpty()) {
      throw usage(
          clear
              ? "--clear goes with no other option."
              : "Give --public-url, or --tls-cert and --tls-key; see --help.");
    }
    if (certificate.isPresent() != key.isPresent()) {
      throw usage("--tls-cert and --tls-key go together.");
    }
    if (!clear && publicUrl.isEmpty()) {
      throw usage(
          "--public-url is needed: phones open it, and its name must be the certificate's.");
    }
  }

  private static String checked(URI url) {
    if (!"https".equals(url.getScheme())
        || url.getHost() == null
        || ADDRESS.matcher(url.getHost()).matches()) {
      throw usage(
          "--public-url is '"
              + url
              + "', expected https with a name: phones make no keys on pages without TLS, and"
              + " certificates are for names.");
    }
    return url.toString();
  }

  private static String readable(Path file) {
    if (!Files.isReadable(file)) {
      throw usage(file + " can't be read.");
    }
    return file.toAbsolutePath().normalize().toString();
  }

  private static CommandFailed usage(String sentence) {
    return new CommandFailed(ExitCodes.USAGE, sentence);
  }
}
