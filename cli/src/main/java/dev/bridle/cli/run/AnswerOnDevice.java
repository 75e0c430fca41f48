package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.ShownAction;
import dev.bridle.cli.phone.PhonePairing;
import dev.bridle.cli.rest.RestClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Has the devices of people sign what an agent may do, and waits. The server takes nothing else for
 * an answer, so that nobody can give it who has a key of the server alone.
 */
final class AnswerOnDevice implements Answering {
  private static final long LOOK_MILLIS = 100;
  private static final int MOST = 500;
  private static final Duration PAIRING = Duration.ofMinutes(10);

  private final RunOutput output;
  private final List<String> devices;
  private final String relay;
  private final Approver here;
  private final boolean waits;
  private final boolean onPage;

  private AnswerOnDevice(
      RunOutput output,
      List<String> devices,
      String relay,
      Approver here,
      boolean waits,
      boolean onPage) {
    this.onPage = onPage;
    this.output = output;
    this.devices = devices;
    this.relay = relay;
    this.here = here;
    this.waits = waits;
  }

  /**
   * Returns the answering; fails, and says what to do, if no device is enrolled.
   *
   * @param here declines forms, which devices can't fill in
   * @param waits whether to wait for an answer; else nobody is there
   */
  static AnswerOnDevice of(FolderServer server, RunOutput output, Approver here, boolean waits) {
    String relay = server.relay().orElseThrow();
    List<String> devices = devices(server.client());
    if (devices.isEmpty()) {
      throw new CommandFailed(ExitCodes.USAGE, steps(server.arguments(), relay));
    }
    return new AnswerOnDevice(output, devices, relay, here, waits, false);
  }

  /**
   * Returns the answering by phones; pairs one first if there is none.
   *
   * @param here declines forms, which phones can't fill in
   * @param waits whether to wait for an answer; else nobody is there
   */
  static AnswerOnDevice ofPhone(
      FolderServer server, RunOutput output, Approver here, boolean waits) {
    String relay = server.relay().orElseThrow();
    if (devices(server.client()).isEmpty()) {
      pair(server, output);
    }
    return new AnswerOnDevice(output, devices(server.client()), relay, here, waits, true);
  }

  private static void pair(FolderServer server, RunOutput output) {
    RestClient client =
        server
            .ofAllFolders()
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCodes.USAGE,
                        "No phone may answer yet. Add one with '"
                            + server.arguments().to("phone add")
                            + "', then run this again."));
    PhonePairing pairing =
        PhonePairing.begin(client, System.getProperty("user.name", "user"), Optional.empty());
    output.note("no phone may answer yet: pair one, which takes a minute");
    output.lines(pairing.lines(output.isTerminal()));
    if (PhonePairing.isToConfirm(pairing.await(PAIRING))) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "A phone where the code is typed is added with '"
              + server.arguments().to("phone add")
              + "'; then run this again.");
    }
    output.note("the phone is paired; 'bridle phone list' lists it");
  }

  private static List<String> devices(RestClient client) {
    List<String> devices = new ArrayList<>();
    client.rows(
        "/v1/approval-devices",
        MOST,
        device -> {
          if (!device.path("revoked_at").isTextual()) {
            devices.add(
                ShownText.line(
                    device.path("principal").asText()
                        + " ("
                        + device.path("approver_id").asText()
                        + ")"));
          }
        });
    return devices;
  }

  private static String steps(ServerArguments server, String relay) {
    return String.join(
        System.lineSeparator(),
        "No device may answer yet. Enrol one, then run this again:",
        "  bridle harp keys create phone.keys   (on the device)",
        "  bridle harp keys show phone.keys --json > phone.json",
        "  " + server.to("harp parties create phone"),
        "  " + server.to("harp enrol phone.json --principal NAME --approver phone"),
        "The relay for devices is " + relay + ".");
  }

  @Override
  public boolean ask(JsonNode request, BooleanSupplier open) throws InterruptedException {
    output.question(ShownAction.lines(request));
    output.note("only a signature of a device answers it: " + String.join(", ", devices));
    if (!onPage) {
      output.note("  bridle harp inbox --approver ID --relay " + relay);
      output.note("  bridle harp approve --approver ID --request ID --keys FILE --relay " + relay);
    }
    while (waits && open.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return waits;
  }

  @Override
  public boolean fill(String task, JsonNode asked, BooleanSupplier open) {
    output.note("a form is declined: devices can't fill it in");
    here.decline(task, asked);
    return true;
  }
}
