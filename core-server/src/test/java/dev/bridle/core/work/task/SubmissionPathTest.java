package dev.bridle.core.work.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the stations of a submission in the core to those that the README lists. */
final class SubmissionPathTest {
  private static final String MARK = "the submitted value";
  private static final String CORE = "dev.bridle.core.";

  /** Of the list, what comes before is the gateway's. */
  private static final String FIRST = "CallInterceptor";

  private final Set<String> stations = new LinkedHashSet<>();

  @Test
  void aSubmissionPassesTheStationsOfTheReadmeAndNoOthers() throws IOException {
    try (InMemoryStore store = InMemoryStore.openOnOneThread(StoreImage.EMPTY);
        SteppedCore core =
            new SteppedCore(
                new WatchedStore(store), Clock.systemUTC(), System::nanoTime, new Random(1))) {
      String session =
          SessionServiceGrpc.newBlockingStub(core.owner())
              .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
              .getId();
      var request =
          SubmitTaskRequest.newBuilder()
              .setSessionId(session)
              .setInput(
                  SubmitTaskInput.newBuilder()
                      .setJson(ByteString.copyFromUtf8("{\"text\":\"" + MARK + "\"}")))
              .build();
      var unused = TaskServiceGrpc.newBlockingStub(core.withKey("once")).submitSessionTask(request);
    }

    List<String> listed = listed();
    assertThat(listed).hasSizeLessThanOrEqualTo(9);
    assertThat(stations)
        .containsExactlyElementsOf(listed.subList(listed.indexOf(FIRST), listed.size()));
  }

  private static List<String> listed() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("### The path of a submission");
    assertThat(begin).isPositive();
    String section = readme.substring(begin, readme.indexOf("\n#", begin + 1));
    return Pattern.compile("(?m)^\\d+\\. `(\\w+)`")
        .matcher(section)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** Notes which classes of the core are on the stack when a row with the value is set. */
  private void note(Object[] arguments) {
    boolean marked =
        Arrays.stream(arguments)
            .anyMatch(
                bytes ->
                    bytes instanceof byte[] row
                        && new String(row, StandardCharsets.ISO_8859_1).contains(MARK));
    if (marked) {
      List<StackTraceElement> stack = Arrays.asList(new Throwable().getStackTrace());
      Collections.reverse(stack);
      stack.stream()
          .map(StackTraceElement::getClassName)
          .filter(name -> name.startsWith(CORE) && !name.contains("SubmissionPathTest"))
          .map(name -> name.replaceAll("^.*\\.|\\$.*$", ""))
          .forEach(stations::add);
    }
  }

  private final class WatchedStore implements KeyValueStore {
    private final KeyValueStore store;

    WatchedStore(KeyValueStore store) {
      this.store = store;
    }

    @Override
    public Transaction begin(TransactionOptions options) {
      return watched(store.begin(options));
    }

    @Override
    public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
      return store.transact(options, tr -> work.apply(watched(tr)));
    }

    @Override
    public void close() {
      store.close();
    }

    private Transaction watched(Transaction tr) {
      return (Transaction)
          Proxy.newProxyInstance(
              Transaction.class.getClassLoader(),
              new Class<?>[] {Transaction.class},
              (proxy, method, arguments) -> {
                if (method.getName().startsWith("set")) {
                  note(arguments);
                }
                try {
                  return method.invoke(tr, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
