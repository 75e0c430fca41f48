package dev.bridle.core.api.discovery;

import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.runtime.v1.CapabilitySummary;
import dev.bridle.runtime.v1.GetRuntimeRequest;
import dev.bridle.runtime.v1.ListCapabilitiesRequest;
import dev.bridle.runtime.v1.RuntimeMetadata;
import dev.bridle.runtime.v1.RuntimeServiceGrpc;
import io.grpc.stub.StreamObserver;

/** Describes the runtime to authenticated callers. */
public final class RuntimeService extends RuntimeServiceGrpc.RuntimeServiceImplBase {
  private final RuntimeMetadata runtime;
  private final CapabilitySummary summary;

  /**
   * Creates the service. Its answers are the same for every caller.
   *
   * @param receipts whether this server issues receipts
   */
  public RuntimeService(boolean receipts) {
    this.runtime =
        RuntimeMetadata.newBuilder()
            .setVersion(Versions.SERVER)
            .setProtocolVersion(Versions.PROTOCOL)
            .setAdapter("bridle")
            .addAllCapabilities(Capabilities.all(receipts))
            .build();
    this.summary =
        CapabilitySummary.newBuilder().addAllCapabilities(Capabilities.all(receipts)).build();
  }

  @Override
  public void getRuntime(GetRuntimeRequest request, StreamObserver<RuntimeMetadata> response) {
    Replies.send(response, runtime);
  }

  @Override
  public void listCapabilities(
      ListCapabilitiesRequest request, StreamObserver<CapabilitySummary> response) {
    Replies.send(response, summary);
  }
}
