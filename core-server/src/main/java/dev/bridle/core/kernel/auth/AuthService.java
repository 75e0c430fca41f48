package dev.bridle.core.kernel.auth;

import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import io.grpc.stub.StreamObserver;

/** Returns the authenticated caller of the call. */
public final class AuthService extends AuthServiceGrpc.AuthServiceImplBase {

  @Override
  public void getCaller(
      GetCallerRequest request, StreamObserver<dev.bridle.auth.v1.Caller> response) {
    Caller caller = Caller.current();
    response.onNext(
        dev.bridle.auth.v1.Caller.newBuilder()
            .setTenantId(caller.tenant())
            .setActor(caller.actor())
            .addAllScopes(caller.scopes().stream().sorted().toList())
            .addAllWorkspaceIds(caller.workspaces().stream().sorted().toList())
            .build());
    response.onCompleted();
  }
}
