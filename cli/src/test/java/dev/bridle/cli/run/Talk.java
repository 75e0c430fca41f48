package dev.bridle.cli.run;

import dev.bridle.cli.console.Rows;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A conversation in this process, with a person whose keys and screen are the test's. */
final class Talk implements AutoCloseable {
  private final PipedOutputStream keys = new PipedOutputStream();
  private final SeenText seen = new SeenText();
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();

  /** Begins a conversation whose prompts are typed. */
  Talk(HostedFolder hosted) throws IOException {
    Terminal terminal = Terminal.of(new PipedInputStream(keys, 1 << 16));
    PrintWriter out = new PrintWriter(new Shown());
    RunOutput output = new RunOutput(out, out, false, new Rows(() -> Integer.MAX_VALUE));
    Approver approver = new Approver(hosted.client(), terminal, output, true);
    Conversation conversation =
        new Conversation(
            hosted.server(), output, Optional.of(terminal), approver, hosted.unlimited());
    Thread thread =
        new Thread(
            () -> {
              try {
                exit.complete(conversation.run(Optional.empty(), false));
              } catch (Exception e) {
                exit.completeExceptionally(e);
              }
            },
            "talk");
    thread.start();
  }

  /** Passes on what is written at once. */
  private final class Shown extends Writer {
    @Override
    public void write(char[] text, int from, int count) {
      seen.add(new String(text, from, count));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  SeenText seen() {
    return seen;
  }

  void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  /** Ends the person's input, and waits for the end of the conversation. */
  @Override
  public void close() throws IOException {
    keys.close();
    var unused = exit.orTimeout(3, TimeUnit.MINUTES).join();
  }
}
