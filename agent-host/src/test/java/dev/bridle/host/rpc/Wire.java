package dev.bridle.host.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A peer on two pipes of the system, and the bare other end of them. */
final class Wire implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Pipe toPeer;
  private final Pipe fromPeer;
  private final OutputStream out;
  private final BufferedReader in;
  final JsonRpcPeer peer;

  Wire(PeerLimits limits, PeerHandler handler) {
    try {
      toPeer = Pipe.open();
      fromPeer = Pipe.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out = Channels.newOutputStream(toPeer.sink());
    in =
        new BufferedReader(
            new InputStreamReader(
                Channels.newInputStream(fromPeer.source()), StandardCharsets.UTF_8));
    peer =
        JsonRpcPeer.start(
            "test",
            Channels.newInputStream(toPeer.source()),
            Channels.newOutputStream(fromPeer.sink()),
            limits,
            handler,
            timer);
  }

  Wire(PeerHandler handler) {
    this(PeerLimits.DEFAULT, handler);
  }

  /** Sends a line, in which single quotes stand for double ones. */
  void line(String text) {
    bytes((text.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void bytes(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read() {
    try {
      return in.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode readJson() {
    return json(read());
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void endOfOutput() {
    try {
      toPeer.sink().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing that the peer writes is taken any more, as by a program that has died. */
  void endOfInput() {
    try {
      fromPeer.source().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    peer.close();
    endOfOutput();
    endOfInput();
    timer.shutdownNow();
  }
}
