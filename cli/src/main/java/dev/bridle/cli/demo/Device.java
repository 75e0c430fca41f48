package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The device of an approver in the demonstration: processes of their own, which alone have the key
 * that signs. The demonstration and the server know its public half.
 */
final class Device {
  /** Whose device it is. */
  static final String PRINCIPAL = "ada";

  private static final String APPROVER = "phone";
  private static final long LOOK_MILLIS = 50;

  private final Path directory;

  Device(Path directory) {
    this.directory = directory;
  }

  /** Has the device make its keys, enrols it, and has its signature required for all actions. */
  void enrol(RestClient client) {
    try {
      Files.writeString(directory.resolve("passphrase"), UUID.randomUUID() + "\n");
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The passphrase can't be written: " + e, e);
    }
    List<String> said = run("harp", "keys", "create", keys(), passphrase(), "--json");
    JsonNode halves =
        JsonLines.parse(said.get(said.size() - 1))
            .orElseThrow(() -> new CommandFailed(ExitCodes.FAILED, "The device has no keys."));
    post(client, "/v1/harp/approvers", JsonLines.object().put("approver_id", APPROVER));
    ObjectNode device = JsonLines.object().put("principal", PRINCIPAL).put("approver_id", APPROVER);
    device.put("signer_key_id", halves.path("signerKeyId").asText());
    device.put("signing_key", halves.path("signingKey").asText());
    device.put("agreement_key", halves.path("agreementKey").asText());
    post(client, "/v1/approval-devices", device);
    ObjectNode rule = JsonLines.object().put("name", "signed-actions");
    rule.putArray("channels").add("harp");
    post(client, "/v1/approval-rules", rule);
  }

  private static void post(RestClient client, String path, ObjectNode body) {
    client.post(path, body, "demo-device-" + path);
  }

  /** Has the device show a request of the relay, and sign that it may be done. */
  List<String> approve(URI relay, RestClient atRelay, String request) {
    long end = System.nanoTime() + Timeouts.DEMO_STEP.toNanos();
    while (!atRelay.get("/v1/approvers/" + APPROVER + "/inbox").toString().contains(request)) {
      if (System.nanoTime() > end) {
        throw new CommandFailed(ExitCodes.FAILED, "The request did not come to the device.");
      }
      pause();
    }
    return run(
        "harp",
        "approve",
        "--keys",
        keys(),
        passphrase(),
        "--approver",
        APPROVER,
        "--request",
        request,
        "--relay",
        relay.toString(),
        "--api-key-file",
        directory.resolve("data").resolve("api.key").toString(),
        "--yes");
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  private String keys() {
    return directory.resolve("phone.keys").toString();
  }

  private String passphrase() {
    return "--passphrase-file=" + directory.resolve("passphrase");
  }

  /**
   * Runs a command of Bridle in a process of its own, and returns the lines that it has printed.
   */
  private static List<String> run(String... words) {
    List<String> command = new ArrayList<>(JavaCommand.ofThisProcess().bridle(List.of(words)));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != ExitCodes.DONE) {
        throw new CommandFailed(ExitCodes.FAILED, "The device has failed: " + said.strip());
      }
      return said.strip().lines().toList();
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The device can't be run: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }
}
