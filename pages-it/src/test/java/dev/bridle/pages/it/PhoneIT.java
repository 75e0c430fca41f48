package dev.bridle.pages.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.util.concurrent.Uninterruptibles;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.bridle.cli.Bridle;
import dev.bridle.fixtures.client.Json;
import dev.bridle.worker.Decision;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A person answers what an agent asks on the page, on a phone that is a browser. */
@Tag("slow")
@EnabledIf(
    value = "hasBrowser",
    disabledReason = "no Chromium is installed (apt-get install chromium)")
final class PhoneIT {
  private static final List<String> ERRORS = new ArrayList<>();
  private static final int MANY = 200;

  /** The core takes no action of more than 256 KiB. */
  private static final int MOST_TEXT = 262_000;

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
    List<String> had = List.copyOf(ERRORS);
    ERRORS.clear();
    assertThat(had).isEmpty();
  }

  /** Else each question would be asked of all phones of all tests. */
  @AfterEach
  void removePhones() {
    server.removePhones();
  }

  private static Phone phone(ColorScheme scheme) {
    return new Phone(chromium, ERRORS, scheme);
  }

  private static Phone paired(String person, String name) {
    Phone phone = phone(ColorScheme.LIGHT);
    phone.pairs(server.pairing(person, name).get("url").textValue());
    return phone;
  }

  @Test
  void aPersonPairsByTheLinkAndAllowsWhatTheAgentAsksWithTheServerStartedAgainBetween()
      throws Exception {
    long began = System.nanoTime();
    try (Phone phone = phone(ColorScheme.LIGHT);
        Phone other = paired("ada", "Ada's other phone")) {
      String url = server.pairing("ada", "Ada's phone").get("url").textValue();
      phone.pairs(url);
      assertThat(phone.page().url()).doesNotContain("harp-pair");
      String task = server.asks("make deploy");
      phone.opens("make deploy");
      assertThat(phone.page().locator("main")).containsText("make deploy");
      assertThat(other.link("make deploy")).isVisible();

      int port = server.stop();
      assertThat(phone.page().getByRole(AriaRole.STATUS).first()).containsText("Not connected");
      server.start(port);
      phone.isLive();
      phone.answers(phone.button("Allow once"));

      server.reaches(task, "COMPLETED");
      System.out.printf(
          "From the link to the first approval: %d taps, %.1f s with a restart of the server%n",
          phone.taps(), (System.nanoTime() - began) / 1e9);
      JsonNode answer = server.answered(task, "approved");
      assertThat(answer.get("actor").textValue()).isEqualTo("ada");
      assertThat(answer.get("channel").textValue()).isEqualTo("harp");
      assertThat(phone.page().locator("main")).containsText("Allowed once");
      assertThat(other.link("make deploy")).isHidden();
      assertThat(other.page().locator("main")).containsText("Allowed by ada");
      verifiesOffline(task);
    }
  }

  private static void verifiesOffline(String task) {
    String receipt = server.get("/v1/tasks/" + task + "/receipts").at("/data/0/id").textValue();
    String evidence = directory.resolve(receipt + ".jsonl").toString();
    String keys = directory.resolve(receipt + ".keys").toString();
    var unused = bridle("receipt", "keys", "--pin", keys);
    var unusedEvidence = bridle("receipt", "evidence", receipt, "--output", evidence);
    assertThat(run("receipt", "verify", "--evidence", evidence, "--keys", keys))
        .contains("approved; signed by ada", "signed by the device phone-", "command: make deploy");
  }

  private static String bridle(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", server.rest(), "--api-key", server.key()));
    return run(all.toArray(String[]::new));
  }

  private static String run(String... words) {
    StringWriter out = new StringWriter();
    PrintWriter to = new PrintWriter(out, true);
    int code = Bridle.commandLine(words).setOut(to).setErr(to).execute(words);
    assertThat(code).as(out.toString()).isZero();
    return out.toString();
  }

  @Test
  void aPersonRejectsWithAReasonThatTheRecordHas() {
    try (Phone phone = paired("ada", "for rejecting")) {
      String task = server.asks("rm -r build");
      phone.opens("rm -r build");
      phone.answers(phone.button("Reject"));
      phone.page().getByLabel(Pattern.compile("^Reason")).fill("It is still needed.");
      phone.answers(phone.button("Reject"));

      JsonNode answer = server.answered(task, "denied");
      assertThat(answer.get("approved").booleanValue()).isFalse();
      assertThat(answer.get("reason").textValue()).isEqualTo("It is still needed.");
      assertThat(answer.at("/evidence/reason_salt").isTextual())
          .as("the phone has signed it")
          .isTrue();
      assertThat(phone.page().locator("main")).containsText("Rejected");
    }
  }

  @Test
  void aWiderAnswerIsBehindASecondTapAndCountsForTheSession() {
    try (Phone phone = paired("ada", "for grants")) {
      String task = server.asks("make test");
      phone.opens("make test");
      phone.answers(phone.button("Allow more"));
      phone.answers(phone.button("Choose this").first());
      phone.answers(phone.button("Allow this"));

      server.reaches(task, "COMPLETED");
      assertThat(server.answered(task, "approved").get("grant").textValue())
          .isEqualTo("this_action");
      server.reaches(server.asks("make test"), "COMPLETED");
    }
  }

  @Test
  void aTypedCodePairsOnceTheComputerHasThePhonesCode() {
    JsonNode pairing = server.pairing("ada", "typed");
    try (Phone phone = phone(ColorScheme.LIGHT)) {
      phone.page().navigate(server.base() + "/approve/");
      phone.page().getByLabel("Code or link").fill(pairing.get("code").textValue());
      phone.tap(phone.button("Continue"));
      phone.tap(phone.button("Pair this phone"));
      assertThat(phone.heading("Type this at the computer")).isVisible();
      String shown = phone.page().locator(".code span[aria-hidden]").textContent();

      var unused =
          server.post(
              "/v1/approval-device-pairings/" + pairing.get("id").textValue() + "/confirm",
              "{\"short_code\":\"" + shown + "\"}");

      phone.isLive();
    }
  }

  @Test
  void theAgentsTextIsTextAndWhatItHidesIsVisible() {
    try (Phone phone = paired("ada", "for odd texts")) {
      String task = server.asks("echo <img src=x onerror=alert(1)> \u202Efoo");
      phone.opens("echo <img");
      Locator main = phone.page().locator("main");
      assertThat(main).containsText("<img src=x onerror=alert(1)>");
      assertThat(main).containsText("⟨U+202E⟩");
      assertThat(phone.page().locator("main img")).hasCount(0);
      phone.answers(phone.button("Reject"));
      phone.answers(phone.button("Reject"));
      var unused = server.answered(task, "denied");
    }
  }

  @Test
  void aPhoneThatWasRemovedIsToldSoAndAnswersNothing() {
    JsonNode pairing = server.pairing("ada", "lost");
    try (Phone phone = phone(ColorScheme.LIGHT)) {
      phone.pairs(pairing.get("url").textValue());
      String device =
          server
              .get("/v1/approval-device-pairings/" + pairing.get("id").textValue())
              .get("approval_device_id")
              .textValue();
      var unused = server.post("/v1/approval-devices/" + device + "/revoke", "{}");

      assertThat(phone.page().locator("main")).containsText("removed");
    }
  }

  @Test
  void aPhoneShowsEachNewPhoneUntilThatIsDismissed() {
    try (Phone first = paired("ada", "first of two")) {
      assertThat(first.notices()).isHidden();
      paired("mallory", "<b>Ada's</b> \u202Ephone").close();

      assertThat(first.notices())
          .containsText("New phone <b>Ada's</b> ⟨U+202E⟩phone for mallory, paired ");
      assertThat(first.notices()).containsText("bridle phone remove approval_device_");
      isAccessible(first.page(), "notice");
      first.reloads();
      assertThat(first.notices()).containsText("for mallory");
      first.answers(first.button("Dismiss"));
      assertThat(first.notices()).isHidden();
      first.reloads();
      assertThat(first.notices()).isHidden();

      first.page().navigate("about:blank");
      paired("ben", "while the page was closed").close();
      first.page().navigate(server.base() + "/approve/#/phone");
      assertThat(first.notices()).containsText("New phone while the page was closed for ben");
    }
  }

  @Test
  void aPhoneReceivesATest() {
    try (Phone phone = paired("ada", "for a test")) {
      assertThat(bridle("phone", "test", "for a test"))
          .contains("for a test has received the test after ");
      assertThat(phone.notices()).containsText("Test from your server, ");
      assertThat(bridle("phone", "test", "for a test")).contains("has received");
      assertThat(phone.button("Dismiss")).hasCount(1);
    }
  }

  @Test
  void aLinkThatWasUsedOrChangedPairsNothing() {
    String url = server.pairing("ada", "used").get("url").textValue();
    try (Phone first = phone(ColorScheme.LIGHT);
        Phone second = phone(ColorScheme.LIGHT);
        Phone third = phone(ColorScheme.LIGHT)) {
      first.pairs(url);
      second.page().navigate(url);
      assertThat(second.page().locator("main")).containsText("bridle phone add");
      String fresh = server.pairing("ada", "changed").get("url").textValue();
      third.page().navigate(fresh.replaceFirst("&e=....", "&e=AAAA"));
      third.tap(third.button("Pair this phone"));
      assertThat(third.page().getByRole(AriaRole.ALERT))
          .containsText("another one than that of the link");
    }
  }

  @Test
  void aLongTextIsAllowedOnlyOnceItWasOpenedWhole() {
    try (Phone phone = paired("ada", "for long texts")) {
      String task = server.asks("echo start " + "x".repeat(MOST_TEXT) + " end");
      phone.opens("echo start");
      Locator allow = phone.button("Allow once");
      assertThat(allow).isDisabled();
      phone.answers(phone.button("Show all"));
      assertThat(phone.page().locator("main")).containsText("x end");
      phone.answers(allow);

      server.reaches(task, "COMPLETED");
    }
  }

  @Test
  void twoHundredQuestionsAreListedAndEachIsAnsweredByItself() {
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      tasks.add(server.asks("make part-" + i + "."));
    }
    try (Phone phone = paired("ada", "for many")) {
      assertThat(phone.page().locator("main a.card")).hasCount(MANY);
      phone.opens("make part-57\\.");
      phone.answers(phone.button("Allow once"));

      server.reaches(tasks.get(57), "COMPLETED");
      phone.tap(phone.link("Back to the questions").first());
      assertThat(phone.page().locator("main a.card")).hasCount(MANY - 1);
    } finally {
      tasks.forEach(server::cancels);
    }
  }

  @Test
  void aQuestionThatIsAnsweredElsewhereWhileItIsReadTakesNoAnswer() {
    try (Phone phone = paired("ada", "for reading")) {
      String task = server.asks("make elsewhere");
      phone.opens("make elsewhere");
      String request =
          server.get("/v1/permission-requests?task_id=" + task).at("/data/0/id").textValue();
      var unused =
          server.post("/v1/permission-requests/" + request + "/respond", "{\"approved\":false}");

      assertThat(phone.page().locator("main")).containsText("This is not asked any more");
      assertThat(phone.button("Allow once")).hasCount(0);
      phone.page().navigate(server.base() + "/approve/#/");
      assertThat(phone.page().locator("main")).containsText("Rejected by");
    }
  }

  @Test
  void aQuestionThatChangesWhileItIsReadBecomesAnotherQuestion() throws Exception {
    CountDownLatch isRead = new CountDownLatch(1);
    try (ServedBridle own = new ServedBridle(directory.resolve("own"));
        Phone phone = phone(ColorScheme.LIGHT)) {
      phone.pairs(own.pairing("ada", "for a changing question").get("url").textValue());
      String task = own.asksBy(context -> asksTwice(context, isRead));
      phone.opens("make first");
      assertThat(phone.button("Allow once")).isEnabled();

      isRead.countDown();

      assertThat(phone.main()).containsText("This is not asked any more");
      assertThat(phone.button("Allow once")).hasCount(0);
      phone.goesBack();
      assertThat(phone.main()).containsText("Replaced by another question");
      phone.opens("make second");
      assertThat(phone.main()).containsText("It replaces the earlier question");
      phone.answers(phone.button("Allow once"));
      own.reaches(task, "COMPLETED");
      assertThat(own.get("/v1/permission-requests?task_id=" + task).get("data"))
          .extracting(request -> request.get("status").textValue())
          .containsExactlyInAnyOrder("expired", "approved");
    }
  }

  /** Asks for a command, and for another one instead once the first is read. */
  private static TaskResult asksTwice(TaskContext task, CountDownLatch isRead) throws Exception {
    CompletableFuture<Void> changed =
        CompletableFuture.runAsync(
            () -> {
              Uninterruptibles.awaitUninterruptibly(isRead);
              var unused = task.change("first");
            });
    var unused = task.requestPermission("first", command("make first"));
    changed.get(2, TimeUnit.MINUTES);
    Decision second = task.requestPermission("second", command("make second").replacing("first"));
    return TaskResult.of("second is allowed: " + second.allowed());
  }

  private static Permission command(String command) {
    return Permission.of("command", Json.object().put("command", command), "May it?")
        .holding(Duration.ofMinutes(5));
  }

  @Test
  void thePageShowsItselfSoonOnASlowPhone() {
    try (Phone phone = phone(ColorScheme.LIGHT)) {
      CDPSession session = phone.context().newCDPSession(phone.page());
      JsonObject slow = new JsonObject();
      slow.addProperty("rate", 4);
      session.send("Emulation.setCPUThrottlingRate", slow);
      phone.page().navigate(server.base() + "/approve/");
      assertThat(phone.heading("Pair this phone")).isVisible();
      Object painted =
          phone
              .page()
              .evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
      System.out.printf("First paint with a processor of a quarter: %s ms%n", painted);
    }
  }

  @Test
  void thePageIsUsableWithoutSeeingOrTouching() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      try (Phone phone = phone(scheme)) {
        phone.page().navigate(server.pairing("ada", "axe").get("url").textValue());
        assertThat(phone.button("Pair this phone")).isVisible();
        isAccessible(phone.page(), scheme + "-pair");
        phone.tap(phone.button("Pair this phone"));
        phone.isLive();
        String task = server.asks("make lint");
        assertThat(phone.link("make lint").first()).isVisible();
        isAccessible(phone.page(), scheme + "-inbox");
        phone.opens("make lint");
        isAccessible(phone.page(), scheme + "-question");
        phone.answers(phone.button("Reject"));
        isAccessible(phone.page(), scheme + "-reason");
        phone.answers(phone.button("Reject"));
        var unused = server.answered(task, "denied");
        phone.page().navigate(server.base() + "/approve/#/phone");
        assertThat(phone.heading("This phone")).isVisible();
        isAccessible(phone.page(), scheme + "-phone");
      }
    }
  }

  private static void isAccessible(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(Path.of("target", "screenshots", name.toLowerCase(Locale.ROOT) + ".png"))
            .setFullPage(true));
    assertThat(new AxeBuilder(page).analyze().getViolations())
        .as(name)
        .extracting(found -> found.getId() + ": " + found.getNodes())
        .isEmpty();
  }
}
