package dev.bridle.benchmarks.flood;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Connections that each send an {@link Opening} and then nothing, and are opened again some time
 * after the server answered or closed them. One thread serves them all.
 */
final class SilentConnections implements Attacker {
  private static final int STATUS_AT = 9;
  private static final int STATUS_END = 12;
  private static final long SELECT_MILLIS = 20;

  private final String name;
  private final InetSocketAddress server;
  private final int count;
  private final Opening opening;
  private final Deque<Long> away = new ArrayDeque<>();
  private final Map<String, Integer> ends = new TreeMap<>();
  private final ByteBuffer answer = ByteBuffer.allocate(64 << 10);
  private final Thread thread;
  private volatile boolean closed;
  private volatile long pauseNanos;
  private int open;
  private long longestNanos;

  SilentConnections(String name, InetSocketAddress server, int count, Opening opening) {
    this.name = name;
    this.server = server;
    this.count = count;
    this.opening = opening;
    this.thread = new Thread(this::run, name);
  }

  /** How far one connection has come. */
  private static final class Progress {
    private final long openedAt = System.nanoTime();
    private ByteBuffer sending;
    private int piecesLeft;
    private boolean waiting;
    private boolean answered;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start(Duration pause) {
    pauseNanos = pause.toNanos();
    for (int i = 0; i < count; i++) {
      away.add(System.nanoTime());
    }
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public synchronized String outcome() {
    return name
        + ": "
        + open
        + " open; ended "
        + ends
        + ", the longest after "
        + TimeUnit.NANOSECONDS.toSeconds(longestNanos)
        + " s";
  }

  @Override
  public void close() {
    closed = true;
    Uninterruptibles.joinUninterruptibly(thread);
  }

  private void run() {
    try (Selector selector = Selector.open()) {
      while (!closed) {
        connect(selector);
        selector.select(SELECT_MILLIS);
        for (SelectionKey key : selector.selectedKeys()) {
          move(key);
        }
        selector.selectedKeys().clear();
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connect(Selector selector) throws IOException {
    while (!away.isEmpty() && away.peek() <= System.nanoTime()) {
      away.remove();
      SocketChannel channel = SocketChannel.open();
      channel.configureBlocking(false);
      Progress progress = new Progress();
      progress.sending = ByteBuffer.wrap(opening.head());
      progress.piecesLeft = opening.times();
      progress.waiting = opening.awaitsAnswer();
      SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, progress);
      count(+1);
      try {
        channel.connect(server);
      } catch (IOException e) {
        end(key, "not connected");
      }
    }
  }

  private void move(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    Progress progress = (Progress) key.attachment();
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      }
      if (key.isValid() && key.isReadable()) {
        read(key, channel, progress);
      }
      if (key.isValid() && key.isWritable()) {
        write(key, channel, progress);
      }
    } catch (IOException e) {
      end(key, progress.answered ? "closed" : "reset");
    }
  }

  private void read(SelectionKey key, SocketChannel channel, Progress progress) throws IOException {
    answer.clear();
    int length = channel.read(answer);
    if (length < 0) {
      end(key, "closed");
    } else if (!progress.answered) {
      progress.answered = true;
      String text = new String(answer.array(), 0, length, StandardCharsets.US_ASCII);
      String status =
          text.length() > STATUS_END ? text.substring(STATUS_AT, STATUS_END) : "an odd answer";
      if (progress.waiting && status.equals("101")) {
        progress.waiting = false;
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      } else if (!opening.deaf()) {
        end(key, status);
      }
    }
  }

  private void write(SelectionKey key, SocketChannel channel, Progress progress)
      throws IOException {
    channel.write(progress.sending);
    if (progress.sending.hasRemaining()) {
      return;
    }
    if (progress.waiting || progress.piecesLeft == 0) {
      key.interestOps(SelectionKey.OP_READ);
    } else {
      progress.piecesLeft--;
      progress.sending = ByteBuffer.wrap(opening.piece());
    }
  }

  private void end(SelectionKey key, String how) {
    Progress progress = (Progress) key.attachment();
    synchronized (this) {
      ends.merge(how, 1, Integer::sum);
      longestNanos = Math.max(longestNanos, System.nanoTime() - progress.openedAt);
    }
    count(-1);
    away.add(System.nanoTime() + pauseNanos);
    try {
      key.channel().close();
    } catch (IOException e) {
      key.cancel();
    }
  }

  private synchronized void count(int more) {
    open += more;
  }
}
