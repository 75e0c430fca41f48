package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the stations of a submission in the gateway to those that the core's README lists. */
final class SubmissionPathIT {

  private static final String GATEWAY = "dev.bridle.gateway.";

  /** Of the list, what comes behind is the core's. */
  private static final String LAST = "CoreCalls";

  /**
   * What is on the stack while other things pass: the connection's heads and that it has made a
   * request, and the credentials.
   */
  private static final Set<String> BESIDE = Set.of("HeadGuard", "Listener", "Callers");

  private final Set<String> stations = Collections.synchronizedSet(new LinkedHashSet<>());

  @Test
  void aSubmissionPassesTheStationsOfTheReadmeAndNoOthers() throws IOException {
    try (GatewayFixture fixture = new GatewayFixture()) {
      // Called while the head of the request is served; the fake core answers on the same thread.
      fixture.core.answer(
          AuthServiceGrpc.getGetCallerMethod(),
          request -> {
            note();
            return Caller.getDefaultInstance();
          });
      fixture.core.answer(
          TaskServiceGrpc.getSubmitSessionTaskMethod(),
          request -> {
            note();
            return Task.getDefaultInstance();
          });
      assertThat(fixture.post("/v1/sessions/s/tasks", "{\"input\":{\"json\":{}}}").statusCode())
          .isEqualTo(202);
    }

    List<String> passed = new ArrayList<>(stations);
    passed.removeAll(BESIDE);
    List<String> listed = listed();
    assertThat(passed).containsExactlyElementsOf(listed.subList(0, listed.indexOf(LAST) + 1));
  }

  private void note() {
    List<StackTraceElement> stack = Arrays.asList(new Throwable().getStackTrace());
    Collections.reverse(stack);
    stack.stream()
        .map(StackTraceElement::getClassName)
        .filter(name -> name.startsWith(GATEWAY))
        .filter(name -> !name.contains("SubmissionPathIT") && !name.contains("FakeCore"))
        .map(name -> name.replaceAll("^.*\\.|\\$.*$", ""))
        .forEach(stations::add);
  }

  private static List<String> listed() throws IOException {
    String readme = Files.readString(Path.of("..", "core-server", "README.md"));
    int begin = readme.indexOf("### The path of a submission");
    assertThat(begin).isPositive();
    String section = readme.substring(begin, readme.indexOf("\n#", begin + 1));
    return Pattern.compile("(?m)^\\d+\\. `(\\w+)`")
        .matcher(section)
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
