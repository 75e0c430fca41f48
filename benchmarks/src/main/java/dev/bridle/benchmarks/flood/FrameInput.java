package dev.bridle.benchmarks.flood;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads frames of HTTP/2 from a socket with a time-out, which may end within a frame. */
final class FrameInput {
  private final InputStream in;
  private final byte[] head = new byte[Frame.HEAD];
  private byte[] payload = {};
  private int headRead;
  private int payloadRead;

  FrameInput(InputStream in) {
    this.in = in;
  }

  /** Returns the next frame, where it comes in time. */
  Optional<Frame> next() throws IOException {
    try {
      while (headRead < Frame.HEAD) {
        headRead += read(head, headRead);
        if (headRead == Frame.HEAD) {
          payload = new byte[ByteBuffer.wrap(head).getInt() >>> 8];
          payloadRead = 0;
        }
      }
      while (payloadRead < payload.length) {
        payloadRead += read(payload, payloadRead);
      }
    } catch (SocketTimeoutException e) {
      return Optional.empty();
    }
    headRead = 0;
    int stream = ByteBuffer.wrap(head).getInt(5) & Integer.MAX_VALUE;
    return Optional.of(new Frame(head[3], head[4], stream, payload));
  }

  private int read(byte[] into, int from) throws IOException {
    int read = in.read(into, from, into.length - from);
    if (read < 0) {
      throw new EOFException();
    }
    return read;
  }
}
