package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.policy.ApprovalRelays;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.permission.v1.ApprovalDevice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The relays over which devices are asked: the server's own, and those of its operator. */
public final class RelayLanes {
  private final RelayLane own;
  private final Map<String, RelayLane> elsewhere;
  private final ApprovalRelays allowed;

  /**
   * Creates the lanes.
   *
   * @param own the server's own relay
   * @param elsewhere the relays that the operator has configured
   * @param allowed which tenants may use them
   */
  public RelayLanes(RelayPort own, List<RelayLane> elsewhere, ApprovalRelays allowed) {
    this.own = new RelayLane("", own, Runnable::run); // It needs nothing but the store.
    this.elsewhere =
        elsewhere.stream().collect(Collectors.toMap(RelayLane::name, Function.identity()));
    this.allowed = allowed;
  }

  /** Returns the server's own relay. */
  RelayLane own() {
    return own;
  }

  /** Returns the relay of a device; one that refuses all calls if its relay is not there now. */
  RelayLane of(String tenant, ApprovalDevice device) {
    if (!device.hasRelay()) {
      return own;
    }
    String name = device.getRelay();
    return allowed.allows(tenant, name) && elsewhere.containsKey(name)
        ? elsewhere.get(name)
        : new RelayLane(name, new Unconfigured(name), Runnable::run);
  }

  /** Stands for a relay that the operator has removed, or closed for a tenant. */
  private record Unconfigured(String name) implements RelayPort {
    private RelayRefusal refusal() {
      return new RelayRefusal(
          HarpErrorCode.TRANSPORT,
          RelayRefusal.Outlook.REPAIRABLE,
          "The relay '" + name + "' is not configured for this tenant any more.");
    }

    @Override
    public String enforcerId() {
      throw refusal();
    }

    @Override
    public boolean reportsDecisions() {
      return false;
    }

    @Override
    public void submit(String tenant, ByteString envelope) {
      throw refusal();
    }

    @Override
    public CompletableFuture<Optional<ByteString>> decision(String tenant, String requestId) {
      return CompletableFuture.failedFuture(refusal());
    }

    @Override
    public void withdraw(String tenant, String requestId, String reason, ByteString end) {
      throw refusal();
    }

    @Override
    public void acknowledge(String tenant, String requestId, ByteString delivered) {
      throw refusal();
    }
  }
}
