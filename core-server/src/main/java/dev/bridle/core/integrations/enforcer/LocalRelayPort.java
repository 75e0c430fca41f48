package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.LocalRelay;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The relay of this process as a port.
 *
 * @param relay the relay
 */
public record LocalRelayPort(LocalRelay relay) implements RelayPort {
  @Override
  public String enforcerId() {
    return LocalRelay.ENFORCER;
  }

  @Override
  public boolean reportsDecisions() {
    return true;
  }

  @Override
  public void submit(String tenant, ByteString envelope) {
    relay.submit(tenant, envelope);
  }

  @Override
  public CompletableFuture<Optional<ByteString>> decision(String tenant, String requestId) {
    return CompletableFuture.completedFuture(relay.decision(tenant, requestId));
  }

  @Override
  public void withdraw(String tenant, String requestId, String reason, ByteString end) {
    relay.withdraw(tenant, requestId, reason, end);
  }

  @Override
  public void acknowledge(String tenant, String requestId, ByteString delivered) {
    relay.acknowledge(tenant, requestId);
  }
}
