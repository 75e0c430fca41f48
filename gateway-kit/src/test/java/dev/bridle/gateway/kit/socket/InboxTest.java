package dev.bridle.gateway.kit.socket;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.websocket.WebSocketCloseStatus;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import dev.bridle.gateway.kit.call.BodyBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;

class InboxTest {
  private final List<Long> asked = new CopyOnWriteArrayList<>();
  private final List<String> read = new ArrayList<>();

  private static Arriving room() {
    return new Arriving(new BodyBudget(1000, 1000).of("tenant"));
  }

  /** The reader has locks of its own; whoever closes may hold them, and must not be held up. */
  @Test
  void somebodyElseCanCloseItWhileAMessageIsBeingRead() {
    List<Boolean> closedMeanwhile = new ArrayList<>();
    Inbox[] inbox = new Inbox[1];
    inbox[0] =
        new Inbox(
            new Quiet() {
              @Override
              public void text(byte[] message) {
                CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> inbox[0].close())
                        .completeOnTimeout(null, 20, TimeUnit.SECONDS);
                other.join();
                closedMeanwhile.add(asked.contains(Long.MAX_VALUE));
              }
            },
            100,
            room());

    inbox[0].onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {
            asked.add(n);
            if (n == 1) {
              inbox[0].onNext(WebSocketFrame.ofText("hello"));
            }
          }

          @Override
          public void cancel() {}
        });

    assertThat(closedMeanwhile).containsExactly(true);
  }

  @Test
  void whatIsClosedBeforeItBeginsReadsNothing() {
    Inbox inbox = new Inbox(new Quiet(), 100, room());
    inbox.close();

    inbox.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {
            asked.add(n);
          }

          @Override
          public void cancel() {}
        });
    inbox.onNext(WebSocketFrame.ofText("hello"));

    assertThat(asked).containsExactly(Long.MAX_VALUE);
    assertThat(read).isEmpty();
  }

  private class Quiet implements Inbox.Reader {
    @Override
    public void text(byte[] message) {
      read.add(new String(message, StandardCharsets.UTF_8));
    }

    @Override
    public void binary() {}

    @Override
    public void ping(byte[] payload) {}

    @Override
    public void pong() {}

    @Override
    public void violation(WebSocketCloseStatus status, String reason) {}

    @Override
    public void closing(Optional<WebSocketCloseStatus> status) {}

    @Override
    public void lost() {}
  }
}
