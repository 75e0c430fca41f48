package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.cli.up.ServerWithWorkers;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A marked secret goes into a vault and out to a real worker, and is looked for in every stored
 * row, log line, event and answer: as it is, in hexadecimal, and in base64.
 */
@Tag("slow")
final class SecretMarkerIT {
  private static final String MARKER = "SWORDFISH-7c1e-0b52-marker";
  private static final Set<String> SPELLINGS = spellings();
  private static final KeyRange ALL = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});

  @TempDir private Path directory;
  private final Logger ours = (Logger) LoggerFactory.getLogger("dev.bridle");
  private final Level before = ours.getLevel();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final List<Answer> answers = new ArrayList<>();
  private final List<String> given = new CopyOnWriteArrayList<>();
  private ProtocolClient client;

  @BeforeEach
  void listen() {
    log.start();
    ours.setLevel(Level.TRACE);
    ours.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    ours.detachAppender(log);
    ours.setLevel(before);
  }

  @Test
  void aSecretIsNowhereButInTheHandsOfTheWorkerThatUsesIt() throws IOException {
    try (ServerWithWorkers server = ServerWithWorkers.start(LocalServerOptions.of(directory))) {
      client = server.client();
      String vault = vault();
      try (Worker worker =
          server.worker(server.channel(), "keeper").handler(this::handle).build()) {
        worker.start();
        work(vault);
      }
      readAll(vault);

      assertThat(given).containsOnly(MARKER).hasSize(2);
      assertThat(answers).allSatisfy(answer -> clean("an answer", answer.text()));
      List<KeyValue> rows = server.store().read(tr -> tr.getRange(ALL, 100_000));
      assertThat(rows.stream().map(row -> latin(row.value())))
          .as("what is no secret is found in the rows")
          .anyMatch(value -> value.contains("used a secret of " + MARKER.length()));
      for (KeyValue row : rows) {
        clean("a row", latin(row.key()) + latin(row.value()));
      }
      CheckReport report = server.check();
      assertThat(report.findings()).isEmpty();
      clean("a report", report.toString());
    }
    assertThat(log.list).hasSizeGreaterThan(10);
    for (ILoggingEvent line : List.copyOf(log.list)) {
      clean("a log line", line.getFormattedMessage());
      if (line.getThrowableProxy() != null) {
        clean("a logged failure", ThrowableProxyUtil.asString(line.getThrowableProxy()));
      }
    }
  }

  /** Makes a vault and sends the marker in every way, right and wrong. */
  private String vault() {
    ObjectNode body = Json.object().put("workspace_id", "default").put("provider", "bridle");
    body.putArray("capabilities").add("read").add("write");
    String vault = said(client.post("/v1/vaults", body)).json().get("id").textValue();
    String secret = "/v1/vaults/" + vault + "/secrets/token";
    ObjectNode value = Json.object().put("value", MARKER);
    for (int time = 0; time < 2; time++) {
      Answer set = said(client.send(client.call("PUT", secret).withBody(value).withKey("the key")));
      assertThat(set.status()).isEqualTo(200);
    }
    assertThat(said(client.post(secret + "/rotate", value)).status()).isEqualTo(200);
    said(client.post("/v1/vaults/" + vault + "/secrets/other/rotate", value));
    said(client.send(client.call("PUT", "/v1/vaults/vault_none/secrets/a").withBody(value)));
    said(client.send(client.call("PUT", "/v1/vaults/" + vault + "/secrets/.a").withBody(value)));
    said(client.send(client.call("PUT", secret).withBody("{\"value\":[\"" + MARKER + "\"]}")));
    said(client.send(client.call("PUT", secret).withBody("{\"value\":\"" + MARKER)));
    said(
        client.send(
            client.call("PUT", secret).withBody(Json.object().put("value", MARKER.repeat(4000)))));
    return vault;
  }

  private TaskResult handle(TaskContext task) {
    given.add(task.secret("token"));
    if (task.attempt() == 1) {
      throw new IllegalStateException("fails once after it was given the secret");
    }
    return TaskResult.of("used a secret of " + given.get(0).length() + " characters");
  }

  private void work(String vault) {
    ObjectNode session = Json.object().put("workspace_id", "default");
    session.putArray("vault_ids").add(vault);
    String id = said(client.post("/v1/sessions", session)).json().get("id").textValue();
    ObjectNode task = Json.object();
    task.set("input", Json.object().put("text", "use it"));
    String path =
        "/v1/tasks/"
            + said(client.post("/v1/sessions/" + id + "/tasks", task)).json().get("id").textValue();
    await()
        .untilAsserted(
            () ->
                assertThat(client.get(path).json().get("status").textValue())
                    .isEqualTo("COMPLETED"));
    assertThat(said(client.get(path + "/events?limit=200")).text())
        .contains("vendor.bridle.secret_used", "secret:" + vault + "/token");
    said(client.get(path));
    said(client.get("/v1/sessions/" + id));
  }

  private void readAll(String vault) {
    for (String path :
        List.of(
            "/v1/vaults",
            "/v1/vaults/" + vault,
            "/v1/vaults/" + vault + "/secrets",
            "/v1/events?limit=200",
            "/v1/outcomes",
            "/v1/artifacts",
            "/v1/tasks",
            "/v1/sessions")) {
      assertThat(said(client.get(path)).status()).isEqualTo(200);
    }
  }

  private Answer said(Answer answer) {
    answers.add(answer);
    return answer;
  }

  private static void clean(String where, String text) {
    for (String spelling : SPELLINGS) {
      assertThat(text.contains(spelling)).as("%s holds %s", where, spelling).isFalse();
    }
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** In base64 it looks different at each of the three places where it can begin. */
  private static Set<String> spellings() {
    byte[] marker = MARKER.getBytes(StandardCharsets.UTF_8);
    Set<String> all = new LinkedHashSet<>();
    all.add(MARKER);
    all.add(HexFormat.of().formatHex(marker));
    all.add(HexFormat.of().formatHex(marker).toUpperCase(Locale.ROOT));
    for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
      for (int before = 0; before < 3; before++) {
        byte[] shifted = ("x".repeat(before) + MARKER).getBytes(StandardCharsets.UTF_8);
        String text = encoder.withoutPadding().encodeToString(shifted);
        all.add(text.substring(before == 0 ? 0 : 4, text.length() - 2));
      }
    }
    return all;
  }
}
