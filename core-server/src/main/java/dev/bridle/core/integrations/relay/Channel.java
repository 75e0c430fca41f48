package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.storage.layer.LogPosition;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open channel of this process. It reads one message after the other, and the next one only once
 * the caller takes it, so a slow reader holds one message in memory.
 */
final class Channel {
  private static final Logger log = LoggerFactory.getLogger(Channel.class);

  private final Caller caller;
  private final RelayChannelRecord record;
  private final ServerCallStreamObserver<ChannelMessage> call;
  private final Source source;
  private final CoalescingTask rounds;
  private final AtomicBoolean ended = new AtomicBoolean();
  private Optional<LogPosition> position = Optional.empty();

  /** The notices of which the caller was woken. */
  private Set<String> noticed = Set.of();

  /** Reads for channels. */
  interface Source {
    /** Returns what comes next in the inbox. */
    ChannelFeed.Next next(Channel channel, Optional<LogPosition> after);

    /** Returns the ids of the notices that wait for an approver. */
    Set<String> notices(Channel channel);

    /** Takes what the enforcer is asked to refresh. */
    List<ByteString> takeRefreshes(Channel channel);
  }

  Channel(
      Caller caller,
      RelayChannelRecord record,
      ServerCallStreamObserver<ChannelMessage> call,
      Source source,
      Executor executor) {
    this.caller = caller;
    this.record = record;
    this.call = call;
    this.source = source;
    this.rounds = new CoalescingTask(executor, this::round, this::failed);
  }

  Caller caller() {
    return caller;
  }

  RelayChannelRecord record() {
    return record;
  }

  PartyId party() {
    return RelayRecords.party(record);
  }

  /** Sends what there is to send. */
  void schedule() {
    rounds.schedule();
  }

  private boolean round() {
    if (ended.get() || !call.isReady()) {
      return false; // Scheduled again once the caller takes more.
    }
    for (ByteString refresh : source.takeRefreshes(this)) {
      send(refresh);
    }
    // Both are read before the position moves: what is passed over is not sent again.
    Set<String> waiting = source.notices(this);
    ChannelFeed.Next next = source.next(this, position);
    position = next.position();
    if (!noticed.containsAll(waiting)) {
      send(ChannelMessage.newBuilder().setWake(true).build());
    }
    noticed = waiting;
    next.envelope().ifPresent(this::send);
    return next.more();
  }

  private void send(ByteString envelope) {
    send(ChannelMessage.newBuilder().setEnvelope(envelope).build());
  }

  private void send(ChannelMessage message) {
    if (!ended.get()) {
      call.onNext(message);
    }
  }

  private void failed(RuntimeException failure) {
    if (failure instanceof ProtocolException refusal) {
      end(Optional.of(refusal));
    } else if (!call.isCancelled()) {
      FailureLog.warn(
          log, "Reading for a channel of the relay failed; it is tried again.", failure);
    }
  }

  /** Ends the call, once; with an error, if there is one. */
  void end(Optional<ProtocolException> error) {
    if (ended.compareAndSet(false, true) && !call.isCancelled()) {
      if (error.isPresent()) {
        call.onError(ErrorMapper.status(ErrorMapper.detail(error.get(), "-")));
      } else {
        call.onCompleted();
      }
    }
  }
}
