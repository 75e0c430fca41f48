package dev.bridle.core.kernel.call;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Bounds the memory of responses that clients of a network listener do not read: gRPC keeps each
 * message until the client has room for it. Bytes are counted for all callers, and for each tenant;
 * where there is no room, the connection of the call that has waited the longest is closed: of the
 * tenant, if that has used its part, else of all. A connection is closed since nothing else lets go
 * of what waits on it. To be called behind authentication.
 */
public final class UnreadResponses implements ServerInterceptor {
  /** What a message takes besides its bytes. */
  private static final int OF_EACH = 256;

  private final PendingBytes unread;
  private final BiConsumer<SocketAddress, SocketAddress> hangUp;

  /** The calls with something unread, the slowest first. */
  private final Set<Share> waiting = new LinkedHashSet<>();

  /**
   * Creates it.
   *
   * @param unread counts the bytes
   * @param hangUp closes the connection between a remote and a local address, soon and on another
   *     thread
   */
  public UnreadResponses(PendingBytes unread, BiConsumer<SocketAddress, SocketAddress> hangUp) {
    this.unread = unread;
    this.hangUp = hangUp;
  }

  /** Returns how many bytes of responses wait for clients. */
  public long unreadBytes() {
    return unread.used();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    // So it is ready only when nothing waits, and says when that is.
    call.setOnReadyThreshold(1);
    Share share =
        new Share(
            Caller.of(Context.current()).map(Caller::tenant).orElse(PendingBytes.NOBODY),
            call.getAttributes());
    var counted =
        new SimpleForwardingServerCall<Q, R>(call) {
          @Override
          public void sendMessage(R message) {
            synchronized (share) {
              if (call.isReady()) {
                clear(share); // The word of it may wait behind other work.
              }
              if (hold(share, ((MessageLite) message).getSerializedSize() + OF_EACH)) {
                super.sendMessage(message);
              }
            }
          }
        };
    return new SimpleForwardingServerCallListener<>(next.startCall(counted, headers)) {
      @Override
      public void onReady() {
        synchronized (share) {
          if (call.isReady()) {
            clear(share);
          }
        }
        super.onReady();
      }

      @Override
      public void onComplete() {
        end(share);
        super.onComplete();
      }

      @Override
      public void onCancel() {
        end(share);
        super.onCancel();
      }
    };
  }

  /** Counts bytes that are sent next; returns false where they are not to be sent any more. */
  private boolean hold(Share share, long bytes) {
    Optional<Share> slowest = take(share, bytes);
    while (slowest.isPresent()) {
      hangUp.accept(slowest.get().remote(), slowest.get().local());
      slowest = take(share, bytes);
    }
    return !share.isOver;
  }

  /** Takes bytes, or returns whose connection has to be closed first. */
  private synchronized Optional<Share> take(Share share, long bytes) {
    if (share.isOver) {
      return Optional.empty(); // Nothing would ever give back what is taken now.
    }
    if (unread.take(share.holder, bytes)) {
      share.held += bytes;
      waiting.add(share);
      return Optional.empty();
    }
    boolean isFull = !unread.hasRoomForAll(bytes);
    Share slowest =
        waiting.stream()
            .filter(other -> isFull || other.holder.equals(share.holder))
            .findFirst()
            .orElse(share);
    // With its connection, all that waits on that ends.
    List.copyOf(waiting).stream().filter(slowest::isBeside).forEach(this::end);
    end(slowest);
    return Optional.of(slowest);
  }

  /** The call sends nothing more. */
  private synchronized void end(Share share) {
    share.isOver = true;
    clear(share);
  }

  private synchronized void clear(Share share) {
    waiting.remove(share);
    unread.giveBack(share.holder, share.held);
    share.held = 0;
  }

  /** What one call has unread. */
  private static final class Share {
    private final String holder;
    private final Attributes ends;
    private long held;
    private volatile boolean isOver;

    Share(String holder, Attributes ends) {
      this.holder = holder;
      this.ends = ends;
    }

    boolean isBeside(Share other) {
      return Objects.equals(remote(), other.remote()) && Objects.equals(local(), other.local());
    }

    SocketAddress remote() {
      return ends.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    }

    SocketAddress local() {
      return ends.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR);
    }
  }
}
