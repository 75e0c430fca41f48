package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.server.websocket.WebSocketProtocolViolationException;
import dev.bridle.gateway.kit.call.BodyBudget;

/**
 * Counts the bytes that a client sends, from when they are read until their message is answered.
 * Armeria keeps a frame until all of it has come, and frames until they are asked for. Used by the
 * connection's thread, except {@link #answered}.
 */
final class Arriving {
  /** About what a piece and a frame cost beside their bytes. */
  private static final int PIECE = 128;

  private static final int FRAME = 192;

  private static final int SHORT_HEAD = 6;
  private static final int LONGEST_IN_SHORT_HEAD = 125;
  private static final int LONGEST_IN_TWO_BYTES = 0xFFFF;

  private final BodyBudget.Reservation room;
  private long pieces;
  private long assembled;
  private boolean partial;

  Arriving(BodyBudget.Reservation room) {
    this.room = room;
  }

  /**
   * Counts a piece of what the client sends.
   *
   * @param frames the number of frames that begin in it
   * @param whole whether it ends where a frame ends
   * @throws WebSocketProtocolViolationException if it has no room, which closes the connection
   */
  void piece(int bytes, int frames, boolean whole) {
    if (!room.grow((long) bytes + PIECE + (long) frames * FRAME)) {
      throw new WebSocketProtocolViolationException(
          WebSocketCloseStatus.TRY_AGAIN_LATER, "Too many messages are in progress; reconnect.");
    }
    pieces++;
    partial = !whole;
  }

  /** Returns whether a frame has begun and not ended. */
  boolean partial() {
    return partial;
  }

  /** A whole frame has left the decoder, and is dropped now. */
  void dropped(int payload) {
    room.shrink(payload + overhead(payload));
  }

  /** A whole frame has left the decoder, whose payload is kept until it is {@link #answered}. */
  void kept(int payload) {
    room.shrink(overhead(payload));
    assembled += payload;
  }

  /** Nothing of what was kept is needed any more. */
  void answered(long payload) {
    room.shrink(payload);
  }

  /** Returns how much is kept, and begins anew: the message is complete. */
  long takeKept() {
    long taken = assembled;
    assembled = 0;
    return taken;
  }

  /** Nothing is kept of the connection any more. */
  void close() {
    room.close();
  }

  /** What a frame cost beside its payload. All pieces before have been decoded by now. */
  private long overhead(int payload) {
    long cost = pieces * PIECE + FRAME + SHORT_HEAD;
    pieces = 0;
    if (payload > LONGEST_IN_TWO_BYTES) {
      return cost + Long.BYTES;
    }
    return payload > LONGEST_IN_SHORT_HEAD ? cost + Short.BYTES : cost;
  }
}
