package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Keeps the head of each frame in one piece of the request, up to the last byte of its length.
 * Armeria misreads a length of two bytes that lie in different pieces: the second one counts as
 * negative from 128 on, and the connection is closed with 1002. Pieces end where reads of the
 * connection end, so a client that sends frames without a pause would meet that by chance.
 */
final class FrameHeads {
  private static final int PLAIN_HEAD = 2;
  private static final int TWO_BYTES = 126;
  private static final int EIGHT_BYTES = 127;
  private static final int MASK_BYTES = 4;

  private ByteBuf held = Unpooled.EMPTY_BUFFER;
  // From the first byte of the next piece to the first byte of the next frame.
  private long untilFrame;
  private int begun;

  private final Arriving arriving;

  private FrameHeads(Arriving arriving) {
    this.arriving = arriving;
  }

  /** Returns a request with the same bytes in other pieces, each of which is counted. */
  static HttpRequest whole(HttpRequest request, Arriving arriving) {
    FrameHeads heads = new FrameHeads(arriving);
    return HttpRequest.of(
        request.headers(),
        request
            .map(piece -> piece instanceof HttpData data ? heads.counted(data) : piece)
            .filter(piece -> !(piece instanceof HttpData data) || !data.isEmpty()));
  }

  private HttpData counted(HttpData piece) {
    int bytes = piece.length();
    begun = 0;
    HttpData next = next(piece);
    try {
      arriving.piece(bytes, begun, untilFrame == 0 && !held.isReadable());
    } catch (RuntimeException e) {
      next.close();
      throw e;
    }
    return next;
  }

  private HttpData next(HttpData piece) {
    ByteBuf bytes = piece.byteBuf();
    if (held.isReadable()) {
      bytes = Unpooled.copiedBuffer(held, bytes);
      held = Unpooled.EMPTY_BUFFER;
    }
    int head = headCutOff(bytes);
    int length = bytes.readableBytes();
    if (head == length && length == piece.length()) {
      return piece;
    }
    byte[] passed = new byte[head];
    bytes.getBytes(bytes.readerIndex(), passed);
    held = Unpooled.copiedBuffer(bytes.slice(bytes.readerIndex() + head, length - head));
    boolean last = piece.isEndOfStream();
    piece.close();
    return HttpData.wrap(passed).withEndOfStream(last);
  }

  /** Returns where a head begins that the bytes do not hold whole, or else their length. */
  private int headCutOff(ByteBuf bytes) {
    int length = bytes.readableBytes();
    while (untilFrame < length) {
      int at = (int) untilFrame;
      int available = length - at;
      if (available < PLAIN_HEAD || available < head(bytes, at)) {
        untilFrame = 0;
        return at;
      }
      untilFrame += frame(bytes, at);
      begun++;
    }
    untilFrame -= length;
    return length;
  }

  private static int head(ByteBuf bytes, int at) {
    return switch (bytes.getByte(bytes.readerIndex() + at + 1) & 0x7f) {
      case TWO_BYTES -> PLAIN_HEAD + Short.BYTES;
      case EIGHT_BYTES -> PLAIN_HEAD + Long.BYTES;
      default -> PLAIN_HEAD;
    };
  }

  private static long frame(ByteBuf bytes, int at) {
    int index = bytes.readerIndex() + at;
    int second = bytes.getByte(index + 1);
    long payload =
        switch (second & 0x7f) {
          case TWO_BYTES -> bytes.getUnsignedShort(index + PLAIN_HEAD);
          // Armeria closes the connection of a client that sends a longer frame.
          case EIGHT_BYTES -> bytes.getLong(index + PLAIN_HEAD) & Integer.MAX_VALUE;
          default -> second & 0x7f;
        };
    return head(bytes, at) + (second < 0 ? MASK_BYTES : 0) + payload;
  }
}
