package dev.bridle.core.api.discovery;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.runtime.v1.Capability;
import dev.bridle.runtime.v1.CapabilitySummary;
import dev.bridle.runtime.v1.GetRuntimeRequest;
import dev.bridle.runtime.v1.ListCapabilitiesRequest;
import dev.bridle.runtime.v1.RuntimeMetadata;
import dev.bridle.runtime.v1.RuntimeServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Function;

/** Describes the runtime to authenticated callers. */
public final class RuntimeService extends RuntimeServiceGrpc.RuntimeServiceImplBase {
  private final boolean receipts;
  private final Function<String, EventRetention> retention;

  /**
   * Creates the service.
   *
   * @param receipts whether this server issues receipts
   * @param retention returns how long the events of a tenant are kept
   */
  public RuntimeService(boolean receipts, Function<String, EventRetention> retention) {
    this.receipts = receipts;
    this.retention = retention;
  }

  @Override
  public void getRuntime(GetRuntimeRequest request, StreamObserver<RuntimeMetadata> response) {
    Replies.send(
        response,
        RuntimeMetadata.newBuilder()
            .setVersion(Versions.SERVER)
            .setProtocolVersion(Versions.PROTOCOL)
            .setAdapter("bridle")
            .addAllCapabilities(capabilities())
            .build());
  }

  @Override
  public void listCapabilities(
      ListCapabilitiesRequest request, StreamObserver<CapabilitySummary> response) {
    Replies.send(
        response, CapabilitySummary.newBuilder().addAllCapabilities(capabilities()).build());
  }

  private List<Capability> capabilities() {
    return Capabilities.of(receipts, retention.apply(Caller.current().tenant()));
  }
}
