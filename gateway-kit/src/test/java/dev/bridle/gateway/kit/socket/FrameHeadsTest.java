package dev.bridle.gateway.kit.socket;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.kit.call.BodyBudget;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames are the same wherever reads of the connection end. */
final class FrameHeadsTest {
  private static final List<String> TEXTS =
      List.of("", "a", "b".repeat(125), "c".repeat(126), "d".repeat(200), "e".repeat(70_000), "f");

  @Test
  void aFrameIsReadWhereverItsHeadIsCut() {
    byte[] frame = masked("d".repeat(200));
    for (int cut = 1; cut < 8; cut++) {
      assertThat(
              read(
                  List.of(Arrays.copyOf(frame, cut), Arrays.copyOfRange(frame, cut, frame.length))))
          .as("cut behind byte %d", cut)
          .containsExactly("d".repeat(200));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 64, 131, 2048, 1_000_000})
  void framesAreTheSameInPiecesOfAnyLength(int length) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    TEXTS.forEach(text -> all.writeBytes(masked(text)));
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < all.size(); at += length) {
      pieces.add(Arrays.copyOfRange(all.toByteArray(), at, Math.min(all.size(), at + length)));
    }

    assertThat(read(pieces)).containsExactlyElementsOf(TEXTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 64, 131, 2048, 1_000_000})
  void allIsCountedWhileItIsThere(int length) {
    byte[] frame = masked("e".repeat(70_000));
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < frame.length; at += length) {
      pieces.add(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + length)));
    }
    BodyBudget budget = new BodyBudget(1 << 30, 1 << 30);
    Arriving arriving = new Arriving(budget.of("a"));

    WebSocketFrame read = decode(pieces, arriving).join().get(0);

    assertThat(budget.used()).isGreaterThan(frame.length + pieces.size() * 100L);
    arriving.kept(read.length());
    assertThat(budget.used()).isEqualTo(70_000);
    arriving.answered(arriving.takeKept());
    assertThat(budget.used()).isZero();
  }

  private static List<String> read(List<byte[]> pieces) {
    Arriving arriving = new Arriving(new BodyBudget(1 << 30, 1 << 30).of("a"));
    return decode(pieces, arriving).join().stream().map(WebSocketFrame::text).toList();
  }

  private static CompletableFuture<List<WebSocketFrame>> decode(
      List<byte[]> pieces, Arriving arriving) {
    HttpRequest request =
        HttpRequest.of(
            RequestHeaders.of(HttpMethod.GET, "/"),
            StreamMessage.of(pieces.stream().map(HttpData::wrap).toArray(HttpData[]::new)));
    ServiceRequestContext ctx = ServiceRequestContext.of(request);
    return new FrameCodec(1 << 20, 64, List.of()).decode(ctx, request, arriving).collect();
  }

  private static byte[] masked(String text) {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 14).put((byte) 0x81);
    if (payload.length < 126) {
      frame.put((byte) (0x80 | payload.length));
    } else if (payload.length < 65_536) {
      frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
    } else {
      frame.put((byte) (0x80 | 127)).putLong(payload.length);
    }
    byte[] mask = {1, 2, 3, 4};
    frame.put(mask);
    for (int i = 0; i < payload.length; i++) {
      frame.put((byte) (payload[i] ^ mask[i & 3]));
    }
    return Arrays.copyOf(frame.array(), frame.position());
  }
}
