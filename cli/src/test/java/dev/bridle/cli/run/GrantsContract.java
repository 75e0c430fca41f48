package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Grants against a model, in random orders of actions, answers, revocations and ends, through a
 * real agent: what it does without a question is never wider than what an approver was shown, never
 * after the grant's end or revocation, and never to a protected file. {@code
 * -Dbridle.grants.seed=N} runs one again, {@code -Dbridle.grants.steps=N} says how long.
 */
public abstract class GrantsContract {
  private static final int STEPS = Integer.getInteger("bridle.grants.steps", 40);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");

  private static final List<Action> ACTIONS =
      List.of(
          new Action("make", "a.txt"),
          new Action("make", "A.txt"),
          new Action("make", "src/c.txt"),
          new Action("edit", "a.txt"),
          new Action("edit", "src/a.txt"),
          new Action("edit", "src/b.txt"),
          new Action("edit", "src/deep/a.txt"),
          new Action("edit", "src2/a.txt"),
          new Action("edit", "src/.git/config"),
          new Action("edit", ".git/hooks/pre-commit"),
          new Action("edit", ".github/workflows/x.yml"),
          new Action("edit", "src/.bashrc"));

  private static final int FIRST_PROTECTED = 8;

  private final List<String> sessions = new ArrayList<>();
  private final List<Given> given = new ArrayList<>();
  private int used;
  private int expired;

  /** Something that the agent is prompted to do, once it is allowed to. */
  private record Action(String verb, String file) {
    String prompt() {
      return verb + " " + file;
    }

    /** Returns the line that doing it adds to the file. */
    String effect() {
      return verb.equals("make") ? "made" : "edited";
    }

    boolean isProtected() {
      return ACTIONS.indexOf(this) >= FIRST_PROTECTED;
    }
  }

  /** A grant as its approver was shown it. */
  private static final class Given {
    private final String id;
    private final JsonNode offer;
    private final String session;
    private final Action action;
    private final Optional<Instant> until;
    private boolean revoked;

    Given(String id, JsonNode offer, String session, Action action, Optional<Instant> until) {
      this.id = id;
      this.offer = offer;
      this.session = session;
      this.action = action;
      this.until = until;
    }

    boolean isOpenAt(Instant time) {
      return !revoked && until.filter(end -> !end.isAfter(time)).isEmpty();
    }

    boolean covers(Action asked, String in, Path folder) {
      return switch (offer.path("id").asText()) {
        case "this_action", "this_action_today" -> in.equals(session) && asked.equals(action);
        case "this_session" -> in.equals(session);
        case "this_workspace" -> asked.equals(action);
        case "edits_below" ->
            asked.verb().equals("edit")
                && folder.resolve(asked.file()).startsWith(offer.path("folder").asText());
        default -> throw new AssertionError(offer);
      };
    }

    @Override
    public String toString() {
      return offer + " for " + action + " in " + session + (revoked ? ", revoked" : "");
    }
  }

  /** Returns a client that may answer, and revoke grants. */
  protected abstract RestClient client();

  /** Creates a session of the agent in the folder. */
  protected abstract String newSession();

  /** Returns the folder that the agent works in. */
  protected abstract Path folder();

  @Test
  void aGrantIsNeverWiderThanShownNorUsedAfterItsEndOrRevocation() throws Exception {
    long seed = Long.getLong("bridle.grants.seed", System.nanoTime() & 0xffffff);
    System.out.println("Grants with -Dbridle.grants.seed=" + seed);
    Random random = new Random(seed);
    for (Action action : ACTIONS) {
      Files.createDirectories(folder().resolve(action.file()).getParent());
    }
    sessions.add(newSession());
    sessions.add(newSession());
    everythingOnce(random);
    for (int step = 0; step < STEPS; step++) {
      step(random);
    }
    System.out.println(
        given.stream()
                .collect(
                    Collectors.groupingBy(
                        grant -> grant.offer.path("id").asText(), Collectors.counting()))
            + " grants, used "
            + used
            + " times, "
            + expired
            + " ended before a question");
  }

  /** What chance may leave out: a use, a revocation, an end. */
  private void everythingOnce(Random random) throws IOException {
    String session = sessions.get(0);
    Action action = ACTIONS.get(0);
    ask(session, action, Optional.of("this_action"), Optional.empty());
    ask(session, action, random);
    assertThat(used).isEqualTo(1);
    revoke(given.get(0));
    ask(session, action, Optional.of("this_action_today"), Optional.of(SOON));
    awaitEnd(given.get(1));
    ask(session, action, Optional.empty(), Optional.empty());
    assertThat(expired).isEqualTo(1);
  }

  private void step(Random random) throws IOException {
    switch (random.nextInt(10)) {
      case 0 -> close(random);
      case 1 -> {
        if (!given.isEmpty()) {
          revoke(one(given, random));
        }
      }
      case 2 ->
          given.stream().filter(GrantsContract::endsSoon).findFirst().ifPresent(this::awaitEnd);
      default -> ask(one(sessions, random), one(ACTIONS, random), random);
    }
  }

  private static boolean endsSoon(Given grant) {
    return grant.until.filter(end -> end.isBefore(Instant.now().plus(SOON))).isPresent();
  }

  private void close(Random random) {
    String session = one(sessions, random);
    post("/v1/sessions/" + session + "/close", JsonLines.object());
    sessions.remove(session);
    sessions.add(newSession());
  }

  private void revoke(Given grant) {
    post("/v1/permission-grants/" + grant.id + "/revoke", JsonLines.object());
    grant.revoked = true;
  }

  private void awaitEnd(Given grant) {
    await("the end of a grant")
        .atMost(PATIENCE)
        .until(() -> Instant.now().isAfter(grant.until.orElseThrow()));
  }

  private void ask(String session, Action action, Random random) throws IOException {
    List<String> grants =
        List.of("this_action", "this_action_today", "this_workspace", "edits_below");
    Optional<String> grant =
        switch (random.nextInt(8)) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of("deny");
          case 2 -> Optional.of(random.nextInt(4) == 0 ? "this_session" : "this_action");
          default -> Optional.of(one(grants, random));
        };
    ask(session, action, grant, random.nextInt(3) == 0 ? Optional.of(SOON) : Optional.empty());
  }

  /**
   * Has the agent try an action, and compares whether it is asked about with the model.
   *
   * @param wanted the grant to answer with, if that is offered; {@code deny} stands for no
   * @param end an earlier end of that grant than offered, from now
   */
  private void ask(String session, Action action, Optional<String> wanted, Optional<Duration> end)
      throws IOException {
    int before = effects(action);
    Instant started = Instant.now();
    ObjectNode body = JsonLines.object();
    body.putObject("input").put("text", action.prompt());
    String task = post("/v1/sessions/" + session + "/tasks", body).path("id").asText();
    String requests = "/v1/permission-requests?task_id=" + task;
    await("a question or the end")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> !client().get(requests).path("data").isEmpty() || hasEnded(task));
    List<Given> covering =
        given.stream().filter(grant -> grant.covers(action, session, folder())).toList();
    JsonNode request = client().get(requests).at("/data/0");
    String said = action + " in " + session + ", with " + given;
    if (request.isMissingNode()) {
      used++;
      assertThat(action.isProtected()).as(said).isFalse();
      assertThat(covering).as(said).anyMatch(grant -> grant.isOpenAt(started));
      assertCompleted(task, action, before + 1, said);
      return;
    }
    Instant asked = Instant.parse(request.path("created_at").asText());
    if (!action.isProtected()) {
      assertThat(covering).as(said).noneMatch(grant -> grant.isOpenAt(asked));
      expired += covering.stream().anyMatch(grant -> !grant.revoked) ? 1 : 0;
    }
    JsonNode offered = request.at("/request/offered_grants");
    assertThat(offered.isEmpty()).as(said + ": " + offered).isEqualTo(action.isProtected());
    ObjectNode answer = JsonLines.object().put("approved", !wanted.equals(Optional.of("deny")));
    Optional<JsonNode> offer = wanted.flatMap(id -> named(offered, id));
    Optional<Instant> until = offer.flatMap(GrantsContract::until);
    offer.ifPresent(grant -> answer.put("grant", grant.path("id").asText()));
    if (until.isPresent() && end.isPresent()) {
      until = end.map(time -> Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS));
      answer.put("until", until.get().toString());
    }
    JsonNode answered =
        post("/v1/permission-requests/" + request.path("id").asText() + "/respond", answer);
    if (offer.isPresent()) {
      String id = answered.at("/response/grant_id").asText();
      given.add(new Given(id, offer.get(), session, action, until));
    }
    assertCompleted(task, action, before + (answer.path("approved").asBoolean() ? 1 : 0), said);
  }

  private static Optional<JsonNode> named(JsonNode offered, String id) {
    for (JsonNode each : offered) {
      if (each.path("id").asText().equals(id)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> until(JsonNode offer) {
    return Optional.of(offer.path("until"))
        .filter(JsonNode::isTextual)
        .map(end -> Instant.parse(end.asText()));
  }

  private void assertCompleted(String task, Action action, int effects, String said)
      throws IOException {
    await("the end of " + task)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> hasEnded(task));
    assertThat(client().get("/v1/tasks/" + task).path("status").asText())
        .as(said)
        .isEqualTo("COMPLETED");
    assertThat(effects(action)).as(said).isEqualTo(effects);
  }

  private boolean hasEnded(String task) {
    return ENDED.contains(client().get("/v1/tasks/" + task).path("status").asText());
  }

  /** Returns how often an action was done, each of which adds a line to its file. */
  private int effects(Action action) throws IOException {
    Path file = folder().resolve(action.file());
    return Files.isRegularFile(file)
        ? (int)
            Files.readAllLines(file).stream().filter(line -> line.equals(action.effect())).count()
        : 0;
  }

  private JsonNode post(String path, ObjectNode body) {
    return client().post(path, body, UUID.randomUUID().toString());
  }

  private static <T> T one(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }
}
