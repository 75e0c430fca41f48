package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.LocalRelay;
import dev.bridle.core.integrations.relay.RelayErrors;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.work.receipt.KeySuccessions;
import dev.bridle.harp.error.HarpException;
import dev.bridle.relay.v1.EnforcerKeys;
import dev.bridle.relay.v1.EnforcerServiceGrpc;
import dev.bridle.relay.v1.GetEnforcerKeysRequest;
import dev.bridle.relay.v1.SubmitCoreArtifactRequest;
import dev.bridle.relay.v1.SubmitCoreArtifactResponse;
import dev.bridle.relay.v1.SubmitCoreDecisionRequest;
import dev.bridle.relay.v1.SubmitCoreDecisionResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Takes artifacts and decisions of those who trust this server with content. */
final class EnforcerService extends EnforcerServiceGrpc.EnforcerServiceImplBase {
  private final CoreArtifacts artifacts;
  private final CoreDecisions decisions;
  private final KeySuccessions keys;

  EnforcerService(CoreArtifacts artifacts, CoreDecisions decisions, KeySuccessions keys) {
    this.artifacts = artifacts;
    this.decisions = decisions;
    this.keys = keys;
  }

  /** Work on a document, which HARP may refuse. */
  private interface Work {
    ByteString envelope() throws HarpException;
  }

  private static ByteString run(Work work) {
    try {
      return work.envelope();
    } catch (HarpException e) {
      throw RelayErrors.of(e);
    }
  }

  @Override
  public void submitCoreArtifact(
      SubmitCoreArtifactRequest request, StreamObserver<SubmitCoreArtifactResponse> response) {
    Caller caller = Caller.current();
    Optional<String> enforcer =
        request.hasEnforcerId() ? Optional.of(request.getEnforcerId()) : Optional.empty();
    Optional<String> approver =
        request.hasApproverId() ? Optional.of(request.getApproverId()) : Optional.empty();
    ByteString envelope =
        run(() -> artifacts.submit(caller, request.getDocument(), enforcer, approver));
    Replies.send(response, SubmitCoreArtifactResponse.newBuilder().setEnvelope(envelope).build());
  }

  @Override
  public void submitCoreDecision(
      SubmitCoreDecisionRequest request, StreamObserver<SubmitCoreDecisionResponse> response) {
    Caller caller = Caller.current();
    ByteString envelope = run(() -> decisions.submit(caller, request.getDocument()));
    Replies.send(response, SubmitCoreDecisionResponse.newBuilder().setEnvelope(envelope).build());
  }

  @Override
  public void getEnforcerKeys(
      GetEnforcerKeysRequest request, StreamObserver<EnforcerKeys> response) {
    // Each tenant has this enforcer, and the keys are the installation's.
    if (!request.getEnforcerId().equals(LocalRelay.ENFORCER)) {
      throw RelayErrors.noEnforcer(request.getEnforcerId());
    }
    Replies.send(response, EnforcerKeys.newBuilder().setDocument(keys.published()).build());
  }
}
