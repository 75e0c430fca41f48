package dev.bridle.cli.tls;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates a CA and a certificate of a server, or a new certificate of a CA that is there. */
@Command(
    name = "create",
    description = {
      "Create a CA and a server's certificate, as PEM files in a directory.",
      "If the directory has a CA, it issues a new certificate: clients that trust the CA trust it,"
          + " and a running server takes it within seconds."
    },
    footer = {
      "%nExamples:",
      "  bridle tls create --dir tls --name bridle.lan --name 192.168.1.5",
      "  bridle up --host 0.0.0.0 --tls-cert tls/server.crt --tls-key tls/server.key",
      "  bridle task list --url https://bridle.lan:8080 --ca-cert tls/ca.crt"
    })
final class CreateTlsCommand implements Runnable {
  /** Phones refuse certificates that are valid for longer. */
  private static final int MOST_DAYS = 397;

  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The directory of the files; made if missing (default: ${DEFAULT-VALUE}).",
      defaultValue = "tls")
  private Path directory = Path.of("tls");

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "A DNS name or IP address at which clients reach the server; can be repeated (default:"
              + " localhost, the machine's name and its local addresses).")
  private List<String> names = List.of();

  @Option(
      names = "--days",
      paramLabel = "N",
      description =
          "How long the certificate is valid, 1 to " + MOST_DAYS + " (default: ${DEFAULT-VALUE}).",
      defaultValue = "397")
  private int days = MOST_DAYS;

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  @Override
  public void run() {
    check();
    List<String> reached = names.isEmpty() ? Names.ofThisMachine() : List.copyOf(names);
    Path caCertificate = directory.resolve("ca.crt");
    Path caKey = directory.resolve("ca.key");
    Path certificate = directory.resolve("server.crt");
    Path key = directory.resolve("server.key");
    try {
      Files.createDirectories(directory);
      Instant now = Instant.now();
      boolean isNew = Files.notExists(caCertificate);
      if (!isNew && Files.notExists(caKey)) {
        throw new CommandFailed(
            ExitCodes.FAILED,
            "The CA in "
                + directory
                + " can issue nothing without its key: put ca.key back, or choose another --dir"
                + " for a new CA.");
      }
      CertificateAuthority authority =
          isNew
              ? CertificateAuthority.create("Bridle CA of " + reached.get(reached.size() - 1), now)
              : CertificateAuthority.read(caCertificate, caKey, now);
      CertificateAuthority.Issued issued = authority.issue(reached, Duration.ofDays(days), now);
      if (isNew) {
        PrivateFile.write(caKey, PemFiles.text(authority.key()));
        PemFiles.replace(caCertificate, PemFiles.text(authority.certificate()));
      }
      // A server that looks between the two keeps its previous certificate until both fit.
      PrivateFile.write(key, PemFiles.text(issued.key()));
      PemFiles.replace(
          certificate,
          PemFiles.text(issued.certificate()) + PemFiles.text(authority.certificate()));
      print(reached, isNew, authority.certificate(), issued.certificate());
    } catch (CertificateFileException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The files in " + directory + " can't be written: " + e, e);
    }
  }

  private void check() {
    if (days < 1 || days > MOST_DAYS) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--days is " + days + ", expected 1 to " + MOST_DAYS + ".");
    }
    for (String name : names) {
      if (!Names.isName(name)) {
        throw new CommandFailed(
            ExitCodes.USAGE, "--name is '" + name + "', expected a DNS name or an IP address.");
      }
    }
  }

  private void print(
      List<String> reached, boolean isNew, X509Certificate authority, X509Certificate server) {
    PrintWriter out = spec.commandLine().getOut();
    String fingerprint = Fingerprint.shown(authority);
    if (json) {
      ObjectNode line =
          JsonLines.object()
              .put("directory", directory.toString())
              .put("new_ca", isNew)
              .put("ca_sha256", fingerprint)
              .put("expires_at", server.getNotAfter().toInstant().toString());
      ArrayNode all = line.putArray("names");
      reached.forEach(all::add);
      out.println(line);
      return;
    }
    out.println("The server's certificate: " + directory.resolve("server.crt"));
    out.println("  names:   " + String.join(", ", reached));
    out.println("  expires: " + server.getNotAfter().toInstant());
    out.println(
        (isNew ? "The new CA: " : "Issued by the CA that was there: ")
            + directory.resolve("ca.crt"));
    out.println("  SHA-256: " + fingerprint);
    out.println();
    out.println("Start the server with it:");
    out.println(
        "  bridle up --host 0.0.0.0 --tls-cert "
            + directory.resolve("server.crt")
            + " --tls-key "
            + directory.resolve("server.key"));
    out.println("Commands on other machines need ca.crt, no other file: --ca-cert ca.crt");
    out.println("A phone needs ca.crt too. Send it there, and compare the SHA-256:");
    out.println(
        "  Android: Settings > Security > Encryption & credentials > Install a certificate >"
            + " CA certificate");
    out.println(
        "  iOS: open the file, install the profile in Settings, then turn it on in General > About"
            + " > Certificate Trust Settings");
    out.println(
        "Keep ca.key secret: who has it can pretend to be any server to those who trust the CA.");
  }
}
