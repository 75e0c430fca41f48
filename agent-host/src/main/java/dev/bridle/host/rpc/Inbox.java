package dev.bridle.host.rpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.bridle.host.rpc.LineReader.Line;
import dev.bridle.host.rpc.PeerException.Reason;
import dev.bridle.host.text.TextTail;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** The thread that reads messages, those that wait, and the thread that hands them over. */
final class Inbox {
  private static final int MOST_NOISE_OF_A_LINE = 1024;

  private final LineReader lines;
  private final PeerLimits limits;
  private final PeerCounters counters;
  private final TextTail noise;
  private final ByteBoundedQueue<Arrival> queue;
  private final Thread reader;
  private final Thread dispatcher;
  private final Consumer<Arrival> taker;
  private final Consumer<PeerException> failed;
  private boolean passesNoise;
  private volatile boolean discarding;

  /** A message, and whether its line was too long to be kept. */
  record Arrival(Message message, boolean cut) {}

  /**
   * @param taker called by one thread with each message in turn
   * @param failed told, by the reading thread, that nothing more will come
   * @param last called by the thread of the taker after all messages
   */
  Inbox(
      String name,
      LineReader lines,
      PeerLimits limits,
      PeerCounters counters,
      Consumer<Arrival> taker,
      Consumer<PeerException> failed,
      Runnable last) {
    this.lines = lines;
    this.limits = limits;
    this.counters = counters;
    this.noise = new TextTail(limits.noiseBytes());
    this.queue = new ByteBoundedQueue<>(limits.incomingMessages(), limits.incomingBytes());
    this.taker = taker;
    this.failed = failed;
    this.reader = new Thread(this::read, name + "-reader");
    this.dispatcher = new Thread(() -> dispatch(last), name + "-dispatcher");
    reader.setDaemon(true);
    dispatcher.setDaemon(true);
  }

  /** Hands lines over that are no messages, too. To be called before {@link #begin}. */
  void passNoise() {
    passesNoise = true;
  }

  void begin() {
    reader.start();
    dispatcher.start();
  }

  TextTail noise() {
    return noise;
  }

  boolean dispatches(Thread thread) {
    return thread == dispatcher;
  }

  /** Runs an action after what has arrived; false if too much waits. */
  boolean offer(Runnable action) {
    return queue.offer(new Arrival(new Message.Turn(action), false), 0);
  }

  /** Hands over what has arrived, and then nothing more. */
  void finish() {
    queue.close();
  }

  /** Hands over nothing more. */
  void discard() {
    discarding = true;
    queue.close();
  }

  /** Reads to the end even if nobody listens any more, so that the other side can end. */
  private void read() {
    try {
      Optional<Line> line = lines.next();
      while (line.isPresent()) {
        if (!discarding && !take(line.get()) && !discarding) {
          failed.accept(
              new PeerException(
                  Reason.INCOMING_STALLED,
                  "Messages waited longer than " + limits.incomingStall() + " for their handler"));
        }
        line = lines.next();
      }
      failed.accept(new PeerException(Reason.ENDED, "The other side's output ended"));
    } catch (IOException e) {
      failed.accept(
          new PeerException(Reason.READ_FAILED, "The input can't be read: " + e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether there was room for the line in time. */
  private boolean take(Line line) throws InterruptedException {
    Optional<Message> message =
        line.whole() ? Optional.of(Message.of(line.bytes())) : Message.ofBeginning(line.bytes());
    if (!line.whole()) {
      counters.longLines.increment();
    }
    if (message.isEmpty() || message.get() instanceof Message.Noise) {
      noise(line);
      return !passesNoise
          || isBlank(line)
          || put(message.orElseGet(() -> new Message.Noise(false)), line);
    }
    counters.messages.increment();
    return put(message.get(), line);
  }

  private boolean put(Message message, Line line) throws InterruptedException {
    int size = line.bytes().length;
    return queue.put(new Arrival(message, !line.whole()), size, limits.incomingStall().toNanos());
  }

  private static boolean isBlank(Line line) {
    return line.bytes().length <= 64 && new String(line.bytes(), ISO_8859_1).isBlank();
  }

  private void noise(Line line) {
    if (isBlank(line)) {
      return;
    }
    if (line.whole()) {
      counters.noiseLines.increment();
    }
    noise.append(line.bytes(), 0, Math.min(line.bytes().length, MOST_NOISE_OF_A_LINE));
    noise.append(new byte[] {'\n'}, 0, 1);
  }

  private void dispatch(Runnable last) {
    try {
      Optional<Arrival> next = queue.take();
      while (next.isPresent() && !discarding) {
        taker.accept(next.get());
        next = queue.take();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    last.run();
  }
}
