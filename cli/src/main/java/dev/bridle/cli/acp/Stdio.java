package dev.bridle.cli.acp;

import dev.bridle.host.rpc.JsonRpcPeer;
import dev.bridle.host.rpc.PeerException;
import dev.bridle.host.rpc.PeerLimits;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The connection to the editor. It ends with the input, once what was asked before and is answered
 * soon is answered; prompts are left to the server.
 */
final class Stdio {
  private static final long LAST_WORDS_SECONDS = 5;

  private static final PeerLimits LIMITS =
      new PeerLimits(
          16 << 20, 256, 32 << 20, Duration.ofMinutes(10), 2048, 64 << 20, 256, 16 << 10);

  private final CompletableFuture<JsonRpcPeer> peer = new CompletableFuture<>();
  private final CountDownLatch written = new CountDownLatch(1);
  private final ShortRequests unanswered;

  Stdio(ShortRequests unanswered) {
    this.unanswered = unanswered;
  }

  /** Starts the connection, and returns why it has ended. */
  PeerException serve(
      InputStream in,
      OutputStream out,
      EditorAgent agent,
      EditorLink link,
      ScheduledExecutorService timer)
      throws InterruptedException {
    JsonRpcPeer started =
        JsonRpcPeer.start("acp", new Input(in), new Output(out), LIMITS, agent, timer);
    peer.complete(started);
    link.attach(started);
    PeerException why = started.ended().join();
    awaitWritten();
    return why;
  }

  /** Ends the connection; what was said before is still written. */
  void stop() {
    peer.getNow(null);
    if (peer.isDone()) {
      peer.join().close();
      try {
        awaitWritten();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitWritten() throws InterruptedException {
    var unused = written.await(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
  }

  /** Its end is seen once the requests before it are answered. */
  private final class Input extends FilterInputStream {
    Input(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      int read = super.read(bytes, from, most);
      if (read < 0) {
        awaitAnswers();
      }
      return read;
    }

    private void awaitAnswers() throws IOException {
      CountDownLatch taken = new CountDownLatch(1);
      try {
        if (peer.join().later(taken::countDown)
            && taken.await(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
          unanswered.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  /** Says when all is written. */
  private final class Output extends FilterOutputStream {
    Output(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        written.countDown();
      }
    }
  }
}
