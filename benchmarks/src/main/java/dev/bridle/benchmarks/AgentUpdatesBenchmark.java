package dev.bridle.benchmarks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.benchmarks.hosted.BarePeer;
import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.SessionListener;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.host.process.Spawner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many updates a second pass from a child process's stdout: as bare lines, through the peer of
 * JSON-RPC, and through a session that makes few of many. The child writes as fast as it is read. A
 * coding agent reports some thousands a second at most, so what counts is what is left for others.
 *
 * <p>Usage: {@code AgentUpdatesBenchmark [seconds]}.
 */
public final class AgentUpdatesBenchmark {
  private static final int ROUNDS = 3;
  private static final String UPDATE =
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":"
          + "{\"sessionUpdate\":\"agent_message_chunk\",\"messageId\":\"m\",\"content\":"
          + "{\"type\":\"text\",\"text\":\"word \"}}}}";

  /** Shakes hands, opens a session, takes a prompt, and floods. */
  private static final String AGENT =
      """
      read -r a; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
      read -r b; echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
      read -r c; exec yes "$1"
      """;

  private final AgentLauncher launcher;
  private final ScheduledExecutorService timer;
  private final int seconds;

  private AgentUpdatesBenchmark(
      AgentLauncher launcher, ScheduledExecutorService timer, int seconds) {
    this.launcher = launcher;
    this.timer = timer;
    this.seconds = seconds;
  }

  /** Prints updates a second as a table. */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    AgentLauncher launcher = AgentLauncher.create(new Spawner(), Optional.empty(), timer);
    AgentUpdatesBenchmark benchmark = new AgentUpdatesBenchmark(launcher, timer, seconds);
    Table table = new Table(System.out);
    table.title(UPDATE.length() + " bytes an update, tier " + launcher.isolation().tier());
    table.head("round", "updates/s", "told/s");
    for (int round = 1; round <= ROUNDS; round++) {
      table.line("bare lines", round, benchmark.bareLines());
      double[] peer = benchmark.peer();
      double[] session = benchmark.session();
      table.line("peer", round, peer);
      table.line("session", round, session);
      table.line("session / peer", round, session[0] / peer[0]);
    }
    timer.shutdownNow();
  }

  private AgentProcess start(String script) throws Exception {
    return launcher.start(
        new AgentCommand(
            "flood",
            List.of("sh", "-c", script, "agent", UPDATE),
            Path.of("/"),
            AgentEnvironment.choose(System.getenv(), Set.of(), Map.of()),
            OptionalLong.empty()));
  }

  /** Counts for the time of a figure, after half of it to warm up, and ends the agent. */
  private double[] measure(AgentProcess agent, LongAdder updates, LongAdder told) throws Exception {
    TimeUnit.MILLISECONDS.sleep(seconds * 500L);
    long before = updates.sum();
    long toldBefore = told.sum();
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    double time = (System.nanoTime() - start) / 1e9;
    double[] figures = {(updates.sum() - before) / time, (told.sum() - toldBefore) / time};
    agent.kill(ExitReason.KILLED, "The figure is taken").get();
    return figures;
  }

  private double[] bareLines() throws Exception {
    AgentProcess agent = start("exec yes \"$1\"");
    LongAdder lines = new LongAdder();
    Thread reader =
        new Thread(
            () -> {
              byte[] chunk = new byte[64 * 1024];
              try {
                int read = agent.output().read(chunk);
                while (read >= 0) {
                  int found = 0;
                  for (int i = 0; i < read; i++) {
                    found += chunk[i] == '\n' ? 1 : 0;
                  }
                  lines.add(found);
                  read = agent.output().read(chunk);
                }
              } catch (IOException e) {
                // The agent was killed.
              }
            });
    reader.start();
    double[] figures = measure(agent, lines, lines);
    reader.join();
    return figures;
  }

  private double[] peer() throws Exception {
    try (BarePeer peer = new BarePeer(UPDATE)) {
      double rate = peer.updatesPerSecond(seconds);
      return new double[] {rate, rate};
    }
  }

  private double[] session() throws Exception {
    AgentProcess agent = start(AGENT);
    LongAdder words = new LongAdder();
    LongAdder told = new LongAdder();
    try (AcpConnection host =
        AcpConnection.start("flood", agent.output(), agent.input(), AcpOptions.of("1"), timer)) {
      var prompt = JsonNodeFactory.instance.arrayNode();
      var turn =
          host.open(
                  host.initialize(),
                  Path.of("/"),
                  Optional.empty(),
                  JsonNodeFactory.instance.arrayNode(),
                  new Counting(words, told))
              .session()
              .prompt(prompt);
      double[] figures = measure(agent, words, told);
      if (turn.isDone() && !turn.isCompletedExceptionally()) {
        throw new IllegalStateException("The flood had an end");
      }
      return figures;
    }
  }

  private record Counting(LongAdder words, LongAdder told) implements SessionListener {
    @Override
    public void update(SessionUpdate update) {
      words.add(((SessionUpdate.Text) update).text().length() / 5);
      told.increment();
    }

    @Override
    public void question(Question question) {}

    @Override
    public void questionClosed(Question question) {}

    @Override
    public void closed(String why) {}
  }
}
