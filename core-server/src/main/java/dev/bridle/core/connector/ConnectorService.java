package dev.bridle.core.connector;

import dev.bridle.api.v1.PageInfo;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.connector.v1.ListConnectorsRequest;
import dev.bridle.connector.v1.ListConnectorsResponse;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Replies;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.workspace.WorkspaceStore;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Connectors (protocol section "Connector"). Nothing makes one, so there is none to read. */
public final class ConnectorService extends ConnectorServiceGrpc.ConnectorServiceImplBase {
  private final KeyValueStore store;
  private final WorkspaceStore workspaces;

  public ConnectorService(KeyValueStore store, WorkspaceStore workspaces) {
    this.store = store;
    this.workspaces = workspaces;
  }

  @Override
  public void listConnectors(
      ListConnectorsRequest request, StreamObserver<ListConnectorsResponse> response) {
    Caller caller = Caller.current();
    if (request.hasWorkspaceId()) {
      var unused = store.read(tr -> workspaces.need(tr, caller, request.getWorkspaceId()));
    }
    if (request.hasCursor()) {
      // Nobody was ever given a cursor of an empty list.
      throw ProtocolException.invalid(
          "cursor", "is no cursor of this list with this filter; begin again without one");
    }
    Replies.send(
        response,
        ListConnectorsResponse.newBuilder().setPage(PageInfo.getDefaultInstance()).build());
  }

  @Override
  public void getConnector(GetConnectorRequest request, StreamObserver<Connector> response) {
    throw ProtocolException.notFound("connector", request.getConnectorId());
  }
}
