package dev.bridle.cli.receipt;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key that others may have had counts for what a sound key confirms, and for nothing later. */
@Tag("slow")
final class CompromisedKeyIT {
  private static final String DATA = "data";

  @TempDir private Path directory;

  @Test
  void whatACompromisedKeyHasSignedCountsOnlyBelowTheEndThatASoundKeySigns() throws IOException {
    Commands commands = new Commands(directory);
    try (UpThread server = commands.start(DATA)) {
      ProtocolClient client = commands.client(server, DATA);
      String task = commands.completedTask(server, DATA);
      JsonNode receipt = client.get("/v1/tasks/" + task + "/receipts").json().at("/data/0");
      String key = receipt.at("/wire/payload/issuer/public_key_id").textValue();
      export(commands, server, "before");
      Instant issued = Instant.parse(receipt.at("/wire/payload/issued_at").textValue());
      Instant exported = Instant.now();
      await().until(() -> Instant.now().getEpochSecond() > exported.getEpochSecond());

      Instant since = Instant.ofEpochSecond(Instant.now().getEpochSecond());
      assertThat(revoke(0, commands, key, since).out())
          .contains("compromised since " + since, "signs");
      export(commands, server, "after");

      assertThat(verify(commands, ExitCodes.RECEIPT_NOT_COMPLETE, "before"))
          .contains("consistent", "key_validity");
      assertThat(verify(commands, 0, "after")).contains("1 valid, 0 consistent, 0 not valid.");
      assertThat(isValid(client, receipt)).isTrue();
      assertThat(run(0, at(commands, server, "receipt", "keys")).out())
          .contains("compromised since " + since);

      assertThat(revoke(1, commands, key, since.plusMillis(1)).err())
          .contains("`compromised_since` ", "only move back");
      revoke(0, commands, key, issued.minusSeconds(60));
      export(commands, server, "later");
      assertThat(verify(commands, ExitCodes.RECEIPT_NOT_VALID, "later"))
          .contains("invalid: key_validity: the key is revoked (compromised)");
      assertThat(isValid(client, receipt)).isFalse();
    }
    run(0, "storage", "check", "--data-dir", commands.path(DATA));
  }

  private static Commands.Said revoke(int exitCode, Commands commands, String key, Instant since) {
    return run(
        exitCode,
        "oauth",
        "key",
        "revoke",
        key,
        "--compromised-since",
        since.toString(),
        "--data-dir",
        commands.path(DATA));
  }

  private static void export(Commands commands, UpThread server, String name) {
    run(
        0,
        at(
            commands,
            server,
            "receipt",
            "export",
            "--output",
            commands.path(name + ".jsonl"),
            "--keys",
            commands.path("keys.json")));
  }

  private static String verify(Commands commands, int exitCode, String name) {
    return run(
            exitCode,
            "receipt",
            "verify",
            commands.path(name + ".jsonl"),
            "--keys",
            commands.path("keys.json"),
            "--chain")
        .out();
  }

  private static boolean isValid(ProtocolClient client, JsonNode receipt) {
    String path = "/v1/receipts/" + receipt.get("id").textValue() + "/verify";
    return client.post(path, Json.object()).json().get("valid").booleanValue();
  }

  private static String[] at(Commands commands, UpThread server, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(commands.at(server.url(), DATA));
    return all.toArray(String[]::new);
  }
}
