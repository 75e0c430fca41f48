package dev.bridle.core.later;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ListConnectorsResponse;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Replies;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.workspace.WorkspaceStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import java.util.List;
import java.util.Optional;

/** Serves the lists of resources that later levels bring: empty ones, of the right shape. */
public final class EmptyLists {
  private static final PageInfo END = PageInfo.getDefaultInstance();

  private final KeyValueStore store;
  private final WorkspaceStore workspaces;

  public EmptyLists(KeyValueStore store, WorkspaceStore workspaces) {
    this.store = store;
    this.workspaces = workspaces;
  }

  /** Returns the services to serve. */
  public List<ServerServiceDefinition> services() {
    return List.of(
        serving(
            ConnectorServiceGrpc.getServiceDescriptor(),
            ConnectorServiceGrpc.getListConnectorsMethod(),
            ListConnectorsResponse.newBuilder().setPage(END).build()));
  }

  private <Q extends Message, R> ServerServiceDefinition serving(
      ServiceDescriptor service, MethodDescriptor<Q, R> method, R empty) {
    return ServerServiceDefinition.builder(service)
        .addMethod(
            method,
            ServerCalls.asyncUnaryCall(
                (request, response) -> {
                  Caller caller = Caller.current();
                  store.read(tr -> checked(tr, caller, request));
                  Replies.send(response, empty);
                }))
        .build();
  }

  /** Nobody was ever given a cursor of an empty list. */
  private Message checked(ReadTransaction tr, Caller caller, Message request) {
    text(request, "workspace_id").ifPresent(id -> workspaces.need(tr, caller, id));
    if (text(request, "cursor").isPresent()) {
      throw ProtocolException.invalid(
          "cursor", "is no cursor of this list with this filter; begin again without one");
    }
    return request;
  }

  private static Optional<String> text(Message request, String name) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
    return field != null && request.hasField(field)
        ? Optional.of((String) request.getField(field))
        : Optional.empty();
  }
}
