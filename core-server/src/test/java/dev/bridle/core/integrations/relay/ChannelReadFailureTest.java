package dev.bridle.core.integrations.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.LogPosition;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a channel could not read is read again, and nothing is passed over meanwhile. */
final class ChannelReadFailureTest {
  private final List<String> inbox = List.of("first", "second");
  private final List<String> sent = new ArrayList<>();
  private int failing = 1;

  /** Keeps what is sent. */
  private final class Call extends ServerCallStreamObserver<ChannelMessage> {
    @Override
    public void onNext(ChannelMessage message) {
      sent.add(message.getEnvelope().toStringUtf8());
    }

    @Override
    public void onError(Throwable failure) {
      throw new AssertionError(failure);
    }

    @Override
    public void onCompleted() {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}
  }

  /** Fails to read notices as often as a test says. */
  private final class Inbox implements Channel.Source {
    private int read;

    @Override
    public ChannelFeed.Next next(Channel channel, Optional<LogPosition> after) {
      if (read == inbox.size()) {
        return ChannelFeed.Next.nothing(after);
      }
      String next = inbox.get(read++);
      return new ChannelFeed.Next(Optional.of(ByteString.copyFromUtf8(next)), after, true);
    }

    @Override
    public Set<String> notices(Channel channel) {
      if (failing > 0) {
        failing--;
        throw new StoreException(StoreException.Code.TIMED_OUT, "made up by the test");
      }
      return Set.of();
    }

    @Override
    public List<ByteString> takeRefreshes(Channel channel) {
      return List.of();
    }
  }

  @Test
  void whatIsInTheInboxIsSentThoughReadingTheNoticesHasFailedOnce() {
    Channel channel =
        new Channel(
            new Caller("default", "ada", Set.of(), Set.of(), true),
            RelayChannelRecord.getDefaultInstance(),
            new Call(),
            new Inbox(),
            Runnable::run);

    channel.schedule();
    channel.schedule();

    assertThat(sent).containsExactlyElementsOf(inbox);
  }
}
