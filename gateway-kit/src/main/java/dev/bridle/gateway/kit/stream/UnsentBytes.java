package dev.bridle.gateway.kit.stream;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.call.BodyBudget;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Bounds the bytes that wait for clients to read them, in total and per tenant. Where they do not
 * suffice, the response whose client has read nothing for the longest is closed: of the tenant, if
 * that has used its part, else of all. Thread-safe.
 */
public final class UnsentBytes {
  private final long total;
  private final long perTenant;
  private final BodyBudget budget;

  /** Those that wait for their clients, the slowest first. */
  private final Set<Share> waiting = new LinkedHashSet<>();

  /**
   * Creates the bounds.
   *
   * @param total the most bytes of all
   * @param perTenant the most bytes of one tenant
   */
  public UnsentBytes(long total, long perTenant) {
    this.total = total;
    this.perTenant = perTenant;
    this.budget = new BodyBudget(total, perTenant);
  }

  /** Returns how many bytes wait. */
  public long used() {
    return budget.used();
  }

  /** Returns the error of a response that has no room. */
  public static ProtocolException refusal() {
    return new ProtocolException(
        ProtocolError.of(
            ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
            "Too many bytes wait for readers of the tenant; retry later."));
  }

  /**
   * Returns the share of a response, which waits for nothing yet.
   *
   * @param tooSlow closes the response, later and on another thread: it is called under a lock
   */
  public Share of(String tenant, Runnable tooSlow) {
    return new Share(tenant, tooSlow);
  }

  private synchronized boolean hold(Share share, long bytes) {
    if (bytes > Math.min(total, perTenant)) {
      return false; // However many others were closed.
    }
    while (!share.closed && !share.reservation.grow(bytes)) {
      boolean full = budget.used() + bytes > total;
      Optional<Share> slowest =
          waiting.stream()
              .filter(other -> other != share && (full || other.tenant.equals(share.tenant)))
              .findFirst();
      if (slowest.isEmpty()) {
        return false;
      }
      close(slowest.get());
      slowest.get().tooSlow.run();
    }
    if (!share.closed) {
      waiting.add(share);
    }
    return !share.closed;
  }

  /** Whoever has read something is behind all that have not. */
  private synchronized void release(Share share, long bytes) {
    share.reservation.shrink(bytes);
    if (waiting.remove(share) && !share.reservation.isEmpty()) {
      waiting.add(share);
    }
  }

  private synchronized void close(Share share) {
    waiting.remove(share);
    share.closed = true;
    share.reservation.close();
  }

  /** The bytes of one response. */
  public final class Share {
    private final String tenant;
    private final Runnable tooSlow;
    private final BodyBudget.Reservation reservation;
    private boolean closed;

    private Share(String tenant, Runnable tooSlow) {
      this.tenant = tenant;
      this.tooSlow = tooSlow;
      this.reservation = budget.of(tenant);
    }

    /** Counts bytes that are to be sent now. Returns false, and counts nothing, without room. */
    public boolean hold(long bytes) {
      return UnsentBytes.this.hold(this, bytes);
    }

    /** Counts some of what was held no more: the connection has taken it for the client. */
    public void release(long bytes) {
      UnsentBytes.this.release(this, bytes);
    }

    /** Says that the client has read some of what is held, all of which stays in memory. */
    void read() {
      UnsentBytes.this.release(this, 0);
    }

    /** Counts nothing any more; nothing can be held afterwards. */
    public void close() {
      UnsentBytes.this.close(this);
    }
  }
}
