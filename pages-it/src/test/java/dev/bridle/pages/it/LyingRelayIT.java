package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.bridle.cli.Bridle;
import dev.bridle.fixtures.client.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A relay between phone and server that swaps, edits, delays and repeats what it passes on. */
@Tag("slow")
@EnabledIf(
    value = "hasBrowser",
    disabledReason = "no Chromium is installed (apt-get install chromium)")
final class LyingRelayIT {
  private static final String INBOX = "**/v1/approvers/*/inbox?*";
  private static final String DECISION = "**/v1/decision";
  private static final String EXCHANGES = "**/v1/exchanges/*";
  private static final String RESOLVE = "**/v1/pairing/resolve/*";
  private static final String COMPLETE = "**/v1/pairing/complete";

  private static final List<String> ERRORS = new ArrayList<>();

  @TempDir private static Path directory;
  private static ServedBridle server;
  private static Chromium chromium;

  static boolean hasBrowser() {
    return Chromium.installed().isPresent();
  }

  @BeforeAll
  static void start() {
    server = new ServedBridle(directory.resolve("data"));
    chromium = Chromium.start();
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @AfterAll
  static void stop() {
    chromium.close();
    server.close();
  }

  @AfterEach
  void thePageHadNoErrors() {
    server.cancelsAll();
    server.removePhones();
    List<String> had = List.copyOf(ERRORS);
    ERRORS.clear();
    assertThat(had).isEmpty();
  }

  private static Phone phone() {
    return new Phone(chromium.phoneBehindARelay(), ERRORS);
  }

  private static Phone paired(String name) {
    Phone phone = phone();
    phone.pairs(server.pairing("ada", name).get("url").textValue());
    return phone;
  }

  /** Has a relay change what the server answers. */
  private static void lies(Phone phone, String calls, Consumer<ObjectNode> change) {
    phone
        .context()
        .route(
            calls,
            route -> {
              APIResponse answer = route.fetch();
              ObjectNode body = (ObjectNode) Json.parse(answer.text());
              change.accept(body);
              route.fulfill(
                  new Route.FulfillOptions().setResponse(answer).setBody(body.toString()));
            });
  }

  private static ArrayNode items(ObjectNode inbox) {
    return (ArrayNode) inbox.at("/body/items");
  }

  private static void isNotReadable(Phone phone, int count) {
    assertThat(phone.main().getByText("This can’t be opened")).hasCount(count);
    assertThat(phone.main().locator("a.card")).hasCount(0);
  }

  @Test
  void sealedQuestionsThatTradePlacesAreNotShown() {
    var unused = server.asks("make test");
    var unusedOther = server.asks("rm -r /");
    try (Phone phone = phone()) {
      lies(
          phone,
          INBOX,
          inbox -> {
            if (items(inbox).size() == 2) {
              JsonNode first = items(inbox).get(0).path("body");
              ((ObjectNode) items(inbox).get(0)).set("body", items(inbox).get(1).path("body"));
              ((ObjectNode) items(inbox).get(1)).set("body", first);
            } else {
              items(inbox).removeAll(); // The second one is on its way.
            }
          });
      phone.pairs(server.pairing("ada", "for swapping").get("url").textValue());

      isNotReadable(phone, 2);
    }
  }

  @Test
  void aQuestionOfWhichAnythingWasEditedIsNotShown() {
    List<String> places =
        List.of(
            "/artifactHash",
            "/ciphertext/aad",
            "/ciphertext/data",
            "/ciphertext/heKxPub",
            "/ciphertext/nonce",
            "/ciphertext/salt",
            "/ciphertext/tag");
    for (String place : places) {
      var unused = server.asks("make " + place);
    }
    try (Phone phone = phone()) {
      lies(
          phone,
          INBOX,
          inbox -> {
            for (int i = 0; i < items(inbox).size(); i++) {
              edit(items(inbox).get(i).path("body"), places.get(i));
            }
          });
      phone.pairs(server.pairing("ada", "for editing").get("url").textValue());

      isNotReadable(phone, places.size());
    }
  }

  /** Changes the first character of a text. */
  private static void edit(JsonNode body, String place) {
    int slash = place.lastIndexOf('/');
    ObjectNode parent = (ObjectNode) body.at(place.substring(0, slash));
    String name = place.substring(slash + 1);
    String text = parent.path(name).textValue();
    assertThat(text).as(place).isNotEmpty();
    char other = text.charAt(0) == 'a' ? 'b' : 'a';
    parent.put(name, other + text.substring(1));
  }

  @Test
  void aQuestionThatIsRepeatedAfterItsAnswerIsNotAskedAgain() {
    try (Phone phone = paired("for repeating")) {
      AtomicReference<JsonNode> kept = new AtomicReference<>();
      lies(
          phone,
          INBOX,
          inbox -> {
            if (kept.get() == null && !items(inbox).isEmpty()) {
              kept.set(items(inbox).deepCopy());
            } else if (kept.get() != null) {
              ((ObjectNode) inbox.path("body")).set("items", kept.get());
            }
          });
      String task = server.asks("make once");
      phone.opens("make once");
      String address = phone.page().url();
      phone.answers(phone.button("Allow once"));
      assertThat(phone.main()).containsText("Sent");
      server.reaches(task, "COMPLETED");

      phone.reloads();
      phone.page().navigate(address);
      assertThat(phone.main()).containsText("Allowed once");
      assertThat(phone.button("Allow once")).hasCount(0);
      phone.goesBack();
      assertThat(phone.main()).containsText("Nothing is asked.");
    }
  }

  @Test
  void anAnswerThatIsHeldBackUntilAnotherOneHasCountedChangesNothing() {
    try (Phone phone = paired("for delaying")) {
      List<Route> held = new ArrayList<>();
      phone.context().route(DECISION, held::add);
      String task = server.asks("make late");
      phone.opens("make late");
      phone.answers(phone.button("Allow once"));
      phone.page().waitForCondition(() -> !held.isEmpty());
      String request =
          server.get("/v1/permission-requests?task_id=" + task).at("/data/0/id").textValue();
      var unused =
          server.post("/v1/permission-requests/" + request + "/respond", "{\"approved\":false}");

      held.get(0).resume();

      assertThat(phone.main()).containsText("Not taken");
      assertThat(server.answered(task, "denied").get("channel").textValue()).isEqualTo("rest");
    }
  }

  @Test
  void anAnswerThatIsSentTwiceCountsOnce() {
    try (Phone phone = paired("for sending twice")) {
      List<Integer> statuses = new ArrayList<>();
      phone
          .context()
          .route(
              DECISION,
              route -> {
                statuses.add(route.fetch().status());
                APIResponse second = route.fetch();
                statuses.add(second.status());
                route.fulfill(new Route.FulfillOptions().setResponse(second));
              });
      String task = server.asks("make twice");
      phone.opens("make twice");
      phone.answers(phone.button("Allow once"));

      assertThat(phone.main()).containsText("Sent");
      server.reaches(task, "COMPLETED");
      assertThat(statuses).containsExactly(200, 200);
      assertThat(
              server.get("/v1/permission-requests?task_id=" + task).at("/data/0/response/answers"))
          .hasSize(1);
    }
  }

  @Test
  void anEndThatTheServerHasNotSignedIsNotTakenForItsWord() {
    try (Phone phone = paired("for ends")) {
      lies(
          phone,
          EXCHANGES,
          status -> {
            ObjectNode statement =
                (ObjectNode) status.path("trace").path("dev.bridle.end").path("statement");
            assertThat(statement.path("by").textValue()).isNotEmpty();
            statement.put("end", "approved").put("by", "eve");
          });
      String task = server.asks("make end");
      assertThat(phone.link("make end")).isVisible();
      String request =
          server.get("/v1/permission-requests?task_id=" + task).at("/data/0/id").textValue();
      var unused =
          server.post("/v1/permission-requests/" + request + "/respond", "{\"approved\":false}");

      assertThat(phone.main()).containsText("The relay says");
      assertThat(phone.main()).not().containsText("eve");
    }
  }

  @Test
  void whoHasStolenTheRoutingTokenAsksAsAnUnknownSenderWhoCanOnlyBeRejected() throws Exception {
    try (Phone phone = phone()) {
      AtomicReference<String> stolen = new AtomicReference<>();
      lies(phone, COMPLETE, answer -> stolen.set(answer.path("routingToken").textValue()));
      phone.pairs(server.pairing("ada", "for a thief").get("url").textValue());
      JsonNode device = server.get("/v1/approval-devices?limit=200").get("data").get(0);
      Files.writeString(
          directory.resolve("phone.json"),
          Json.object()
              .put("signerKeyId", device.get("signer_key_id").textValue())
              .put("signingKey", device.get("signing_key").textValue())
              .put("agreementKey", device.get("agreement_key").textValue())
              .put("enforcerId", "mallory")
              .put("relay", server.base())
              .put("routingToken", stolen.get())
              .toString());
      Files.writeString(
          directory.resolve("action.json"),
          "{\"format\":\"bridle-permission-2\",\"kind\":\"command\",\"title\":\"Ada's own\","
              + "\"content\":\"{\\\"command\\\":\\\"make deploy\\\"}\"}");
      var unusedArtifact =
          harp(
              0,
              "artifact",
              "--type",
              "command.review",
              "--payload",
              path("action.json"),
              "--out",
              path("a.json"),
              "--for",
              path("phone.json"),
              "--sealed",
              path("sealed.json"));

      assertThat(submitted(1, "--trusted", path("phone.json")))
          .as("the token of another enforcer")
          .contains("The routing token is unknown");
      var unused = submitted(0, "--approver", device.get("approver_id").textValue());
      assertThat(phone.heading("Unknown sender")).isVisible();
      phone.opens("command.review");
      assertThat(phone.main()).containsText("it can only be rejected here");
      assertThat(phone.button("Allow")).hasCount(0);
    }
  }

  private static String path(String name) {
    return directory.resolve(name).toString();
  }

  private static String submitted(int exitCode, String... whom) {
    List<String> words =
        new ArrayList<>(List.of("submit", "--enforcer", "mallory", "--relay", server.base()));
    words.addAll(List.of("--artifact", path("sealed.json"), "--api-key", server.key()));
    words.addAll(List.of(whom));
    return harp(exitCode, words.toArray(String[]::new));
  }

  private static String harp(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of("harp"));
    all.addAll(List.of(words));
    StringWriter out = new StringWriter();
    PrintWriter to = new PrintWriter(out, true);
    String[] line = all.toArray(String[]::new);
    int code = Bridle.commandLine(line).setOut(to).setErr(to).execute(line);
    assertThat(code).as(out.toString()).isEqualTo(exitCode);
    return out.toString();
  }

  @Test
  void anotherKeyAtThePairingIsRefused() {
    try (Phone phone = phone()) {
      lies(phone, RESOLVE, offer -> edit(offer, "/publicKey"));
      phone.opensLink(server.pairing("ada", "for another key").get("url").textValue());
      phone.tap(phone.button("Pair this phone"));

      assertThat(phone.main()).containsText("another one than that of the link");
      isUnpaired(phone);
    }
  }

  @Test
  void anEditedConfirmationOrEnrolmentPairsNothing() {
    for (String place :
        List.of(
            "/confirmation", "/enrolment/enrolment/principal", "/enrolment/signature/signature")) {
      try (Phone phone = phone()) {
        lies(phone, COMPLETE, answer -> edit(answer, place));
        phone.opensLink(server.pairing("ada", "for edits").get("url").textValue());
        phone.tap(phone.button("Pair this phone"));

        assertThat(phone.main()).containsText("The server");
        assertThat(phone.button("Start again")).isVisible();
        isUnpaired(phone);
      }
    }
  }

  private static void isUnpaired(Phone phone) {
    phone.context().unrouteAll();
    phone.page().navigate(server.base() + "/approve/#/phone");
    assertThat(phone.heading("Pair this phone")).isVisible();
  }
}
