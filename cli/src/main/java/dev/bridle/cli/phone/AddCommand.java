package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Confirmation;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.qr.QrCode;
import dev.bridle.cli.qr.QrImage;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Pairs a phone, and enrols it in the same step. */
@Command(
    name = "add",
    description = {
      "Pair a phone with a server: print a QR code and a link, wait until a phone opens it, and"
          + " enrol that. From then on, agents' questions are sealed for it, and what it signs"
          + " answers them.",
      "The link counts for one phone and 10 minutes, and who opens it can answer as the person:"
          + " show it to nobody else. On a phone that can't scan, open the page and type the code;"
          + " the phone then shows a code of 16 characters, which is typed here.",
      "The server serves the page with HARP ('bridle up --harp-port'), which needs a certificate"
          + " that the phone trusts (--harp-tls-cert) or a proxy (--harp-public-url).",
      "",
      "Exit codes: 0 the phone is enrolled; 1 none came in time, or it was not this phone."
    },
    footer = {
      "%nExamples:",
      "  bridle phone add",
      "  bridle phone add --principal ada --name 'work phone' --api-key-file data/api.key"
    })
final class AddCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--principal",
      paramLabel = "ACTOR",
      description =
          "Whose answers the phone's are (default: ${DEFAULT-VALUE}, your name on this machine)."
              + " All phones of an actor count once.",
      defaultValue = "${sys:user.name}")
  private String principal = "";

  @Option(names = "--name", paramLabel = "TEXT", description = "The phone's name, for lists.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Also write the QR code to an image, which is removed at the end.")
  private Optional<Path> png = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = "Wait so long for a phone (default: 10m, as long as the link counts).")
  private Duration wait = Duration.ofMinutes(10);

  @Option(names = "--json", description = "Print lines of JSON: the link, then the device.")
  private boolean json;

  /** Creates the command; called by picocli. */
  AddCommand() {}

  @Override
  public void run() {
    try (QrImage image = QrImage.at(png, spec.commandLine().getErr())) {
      PhonePairing pairing = PhonePairing.begin(server.connect(), principal, name);
      image.write(QrCode.of(pairing.url()));
      show(pairing);
      JsonNode paired = pairing.await(wait);
      say(PhonePairing.isToConfirm(paired) ? pairing.confirm(typed()) : paired);
    }
  }

  private void show(PhonePairing pairing) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          JsonLines.object()
              .put("url", pairing.url())
              .put("code", pairing.code())
              .put("expires_at", pairing.expiresAt()));
    } else {
      pairing.lines(out instanceof TerminalWriter).forEach(out::println);
    }
    out.flush();
  }

  private String typed() {
    return Confirmation.line(
        spec,
        spec.commandLine().getOut(),
        "The code of 16 characters that the phone shows: ",
        "A phone on which the code was typed needs a terminal here: its own code is typed back.");
  }

  private void say(JsonNode paired) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        json
            ? paired.toString()
            : "Paired: "
                + paired.path("approval_device_id").asText()
                + name.map(text -> " (" + ShownText.line(text) + ")").orElse("")
                + ", for "
                + ShownText.line(principal)
                + ", signing key "
                + paired.path("fingerprint").asText());
    out.flush();
  }
}
