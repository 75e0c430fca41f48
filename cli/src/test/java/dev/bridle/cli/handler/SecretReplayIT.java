package dev.bridle.cli.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import org.junit.jupiter.api.Test;

/** Handlers that use a secret, replayed once the vault has another one. */
final class SecretReplayIT extends ReplayedHandlers {
  private static final String OLD = "correct-horse-1";
  private static final String NEW = "correct-horse-2";
  private static final TaskHandler HANDLER =
      task -> TaskResult.of("It ends with " + task.secret("token").replaceAll(".*-", "") + ".");

  @Test
  void aReplayTakesTheNewSecretByItsHashAndSaysSoWithoutIt() {
    String vault = vault();
    set(vault, OLD);
    String task = run(HANDLER, "COMPLETED", () -> server.submit(with(vault)));
    set(vault, NEW);

    JsonNode exact = replayed(task, HANDLER);
    JsonNode wrong = replayed(task, override("correct-horse-3"), HANDLER);
    JsonNode replay = replayed(task, override(NEW), HANDLER);
    JsonNode again = replayed(task, override(NEW), HANDLER);

    assertThat(failure(exact)).contains("replay_unavailable", "secret:token");
    assertThat(failure(wrong)).contains("replay_unavailable", "whose hash the override has");
    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(payload(replay, "task.completed").get("summary").textValue())
        .isEqualTo("It ends with 2.");
    JsonNode segment = segment(replay);
    assertThat(segment).as("the same bytes").isEqualTo(segment(again));
    String key = "secret:" + vault + "/token";
    assertThat(segment.at("/deltas/0/override_key").textValue()).isEqualTo(key);
    assertThat(segment.at("/deltas/0/reason").textValue()).isEqualTo("rotated");
    assertThat(segment.at("/deltas/0/before_sha256"))
        .isNotEqualTo(segment.at("/deltas/0/after_sha256"));
    assertThat(segment.at("/replay_input/materials").toString())
        .contains("{\"override_key\":\"" + key + "\"}");
    for (String kept : new String[] {segment.toString(), server.eventsAsText(id(replay))}) {
      assertThat(kept).doesNotContain(OLD, NEW, sha256(NEW));
    }
  }

  private static ObjectNode override(String secret) {
    ObjectNode request = Json.object().put("mode", "with_overrides");
    request
        .putObject("override")
        .putObject("secret:token")
        .put("kind", "secret_value")
        .put("sha256", sha256(secret))
        .put("reason", "rotated");
    return request;
  }

  private static String sha256(String secret) {
    return Sha256.of(secret.getBytes(UTF_8)).toString();
  }

  private static ObjectNode with(String vault) {
    ObjectNode session = Json.object();
    session.putArray("vault_ids").add(vault);
    return session;
  }

  private static String vault() {
    ObjectNode vault = Json.object().put("workspace_id", "default").put("provider", "bridle");
    vault.putArray("capabilities").add("read").add("write");
    JsonNode made = server.client().post("/v1/vaults", vault).json();
    assertThat(made.path("id").isTextual()).as("%s", made).isTrue();
    return id(made);
  }

  private static void set(String vault, String secret) {
    var answer =
        server
            .client()
            .send(
                server
                    .client()
                    .call("PUT", "/v1/vaults/" + vault + "/secrets/token")
                    .withBody(Json.object().put("value", secret)));
    assertThat(answer.status()).as("%s", answer).isBetween(200, 204);
  }
}
