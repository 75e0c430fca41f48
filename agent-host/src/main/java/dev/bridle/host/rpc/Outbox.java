package dev.bridle.host.rpc;

import dev.bridle.host.rpc.PeerException.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Consumer;

/** The messages that wait for the other side to read them, and the thread that writes them. */
final class Outbox {
  private final ByteBoundedQueue<byte[]> queue;
  private final OutputStream out;
  private final int lineBytes;
  private final Consumer<PeerException> failed;
  private final Thread writer;
  private volatile Optional<PeerException> failure = Optional.empty();

  /**
   * @param failed told once, by the writing thread, that the stream takes nothing more
   */
  Outbox(String name, OutputStream out, PeerLimits limits, Consumer<PeerException> failed) {
    this.queue = new ByteBoundedQueue<>(limits.outgoingMessages(), limits.outgoingBytes());
    this.out = out;
    this.lineBytes = limits.lineBytes();
    this.failed = failed;
    this.writer = new Thread(this::write, name + "-writer");
    writer.setDaemon(true);
  }

  void begin() {
    writer.start();
  }

  /**
   * Takes a message, without its line break.
   *
   * @throws PeerException if it is too long, if too much waits, or if nothing can be written
   */
  void send(byte[] line) throws PeerException {
    if (line.length > lineBytes) {
      throw new PeerException(
          Reason.MESSAGE_TOO_LONG,
          "The message has " + line.length + " bytes, at most " + lineBytes + " are sent");
    }
    if (!queue.offer(line, line.length)) {
      if (failure.isPresent()) {
        throw new PeerException(Reason.WRITE_FAILED, failure.get().getMessage());
      }
      throw new PeerException(
          Reason.OUTGOING_FULL, "The other side does not read: " + queue.size() + " messages wait");
    }
  }

  /** Waits until nothing waits; false once the time is over. */
  boolean awaitEmpty(long nanos) throws InterruptedException {
    return queue.awaitEmpty(nanos);
  }

  /** Takes nothing more; the stream is closed once what waits is written, or can't be. */
  void finish() {
    queue.close();
  }

  private void write() {
    try (out) {
      Optional<byte[]> line = queue.take();
      while (line.isPresent()) {
        out.write(line.get());
        out.write('\n');
        if (queue.size() == 0) {
          out.flush();
        }
        line = queue.take();
      }
    } catch (IOException e) {
      PeerException why =
          new PeerException(Reason.WRITE_FAILED, "The output takes nothing: " + e.getMessage());
      failure = Optional.of(why);
      queue.close();
      failed.accept(why);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
