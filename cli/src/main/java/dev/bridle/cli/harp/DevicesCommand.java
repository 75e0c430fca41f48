package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.rest.ServerChoice;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the devices that were paired with enforcers. */
@Command(
    name = "devices",
    description = {
      "List the devices that were paired with enforcers, those of revoked approvers too.",
      "An administrator's key (scope harp:admin) lists all of a server's relay, at --url. With"
          + " --enforcer, the key of that enforcer lists its own, at --relay. Compare a"
          + " fingerprint with the one that 'bridle harp keys show' prints on the device: the relay"
          + " only repeats what the device has said. 'bridle harp parties revoke approver ID'"
          + " revokes a device."
    },
    footer = {
      "%nExamples:",
      "  bridle harp devices --api-key-file admin.key",
      "  bridle harp devices --enforcer ci --relay https://relay.example --api-key-file ci.key"
    })
final class DevicesCommand implements Runnable {
  private static final int MOST = 100_000;

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--enforcer",
      paramLabel = "ID",
      description = "List the devices of this enforcer, which the key acts as.")
  private Optional<String> enforcer = Optional.empty();

  @Option(
      names = "--relay",
      paramLabel = "URL",
      description = "The relay's URL, with --enforcer (or BRIDLE_HARP_URL).",
      defaultValue = "${env:BRIDLE_HARP_URL}")
  private Optional<URI> relay = Optional.empty();

  @Option(names = "--json", description = "Print each as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  DevicesCommand() {}

  @Override
  public void run() {
    List<ListedDevice> devices = new ArrayList<>();
    enforcer.ifPresentOrElse(
        id -> relay().devices(id, item -> devices.add(ListedDevice.ofRelay(item))),
        () ->
            server
                .connect()
                .rows("/v1/harp/devices", MOST, item -> devices.add(ListedDevice.ofServer(item))));
    devices.sort(
        Comparator.comparing(ListedDevice::approver).thenComparing(ListedDevice::pairedAt));
    try (Listing list =
        new Listing(
            spec.commandLine().getOut(),
            json,
            "APPROVER",
            "DEVICE",
            "KEY ID",
            "KEY FINGERPRINT",
            "ENFORCER",
            "PAIRED AT",
            "REVOKED AT")) {
      for (ListedDevice device : devices) {
        list.add(json ? device.json().toString() : device.line(), device.cells());
      }
    }
  }

  private RelayClient relay() {
    URI url =
        relay.orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE,
                    "No relay is named. Set one with --relay or BRIDLE_HARP_URL."));
    return new RelayClient(server.connect("--relay", url));
  }
}
