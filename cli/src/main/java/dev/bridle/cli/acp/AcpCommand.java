package dev.bridle.cli.acp;

import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.MissingKey;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.host.rpc.PeerException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves an editor on standard input and output. */
@Command(
    name = "acp",
    description = {
      "Be an agent of an editor: the Agent Client Protocol on standard input and output.",
      "Prompts become tasks of a server that runs, and what its agents ask comes to the editor."
          + " Editors start this command; docs/acp.md has their settings. It ends with its input;"
          + " tasks that run go on."
    },
    footer = {
      "%nExamples:",
      "  bridle acp --api-key-file api.key",
      "  bridle acp --url https://bridle.example --api-key-file api.key --persona coder"
    })
public final class AcpCommand implements Callable<Integer> {
  /** Prompts of all sessions, and as many other requests. */
  private static final int MOST_THREADS = 2 * EditorSessions.MOST;

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description =
          "The workspace of the sessions; those of others are unknown then (default for a new"
              + " session: the one whose folder the editor has open, else the first one listed).")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--persona",
      paramLabel = "PERSONA",
      description = "The id or name of the persona of new sessions (default: none).")
  private Optional<String> persona = Optional.empty();

  /** Creates the command; called by picocli. */
  public AcpCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try {
      var unused = server.connect(); // A URL that can't be is said at once; a key may come later.
    } catch (MissingKey e) {
      err.println("bridle: " + ShownText.message(e.getMessage()));
      err.flush();
    }
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(work, "acp-work");
          thread.setDaemon(true);
          return thread;
        };
    ExecutorService executor =
        new ThreadPoolExecutor(
            0, MOST_THREADS, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons);
    BridleServer bridle =
        new BridleServer(
            server::connect,
            notice -> {
              err.println("bridle: " + notice);
              err.flush();
            });
    EditorLink link = new EditorLink();
    AnswerCommands commands = new AnswerCommands(server.words());
    EditorSessions sessions =
        new EditorSessions(bridle, new SessionPlace(bridle, workspace, persona));
    Turns turns = new Turns(bridle, link, commands, new Later(timer, executor));
    History history = new History(sessions, bridle, link, turns, commands, executor);
    ShortRequests unanswered = new ShortRequests();
    EditorAgent agent =
        new EditorAgent(
            new Handshake(bridle), sessions, turns, history, link, executor, unanswered);
    return serve(new Stdio(unanswered), agent, link, timer, err);
  }

  private static int serve(
      Stdio stdio,
      EditorAgent agent,
      EditorLink link,
      ScheduledExecutorService timer,
      PrintWriter err)
      throws InterruptedException {
    // Nothing but the protocol may go to standard output.
    System.setOut(System.err);
    CompletableFuture<Integer> code = new CompletableFuture<>();
    // It stays: editors close the input and send a signal at once, and whichever is seen first is
    // no failure.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stdio, code), "acp-stop"));
    try {
      PeerException why =
          stdio.serve(
              System.in,
              new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
              agent,
              link,
              timer);
      if (why.reason() == PeerException.Reason.ENDED) {
        code.complete(ExitCodes.DONE);
      } else if (code.complete(ExitCodes.FAILED)) {
        err.println("bridle: " + ShownText.message(why.getMessage()));
      }
      return code.join();
    } finally {
      code.complete(ExitCodes.FAILED); // Where nothing else was said.
    }
  }

  private static void end(Stdio stdio, CompletableFuture<Integer> code) {
    try {
      if (code.complete(ExitCodes.DONE)) {
        stdio.stop();
      }
    } finally {
      Runtime.getRuntime().halt(code.join());
    }
  }
}
