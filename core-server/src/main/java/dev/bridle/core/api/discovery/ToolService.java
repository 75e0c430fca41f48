package dev.bridle.core.api.discovery;

import dev.bridle.api.v1.PageInfo;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.tool.v1.GetToolRequest;
import dev.bridle.tool.v1.ListToolsRequest;
import dev.bridle.tool.v1.ListToolsResponse;
import dev.bridle.tool.v1.Tool;
import dev.bridle.tool.v1.ToolServiceGrpc;
import io.grpc.stub.StreamObserver;

/** Serves the list of the server's own tools, which is empty: tools belong to agents. */
public final class ToolService extends ToolServiceGrpc.ToolServiceImplBase {
  /** Creates the service. Its answers are the same for every caller. */
  public ToolService() {}

  @Override
  public void listTools(ListToolsRequest request, StreamObserver<ListToolsResponse> response) {
    if (request.hasCursor()) {
      throw ProtocolException.invalid(
          "cursor", "is no cursor of this list with this filter; begin again without one");
    }
    Replies.send(
        response, ListToolsResponse.newBuilder().setPage(PageInfo.getDefaultInstance()).build());
  }

  @Override
  public void getTool(GetToolRequest request, StreamObserver<Tool> response) {
    throw ProtocolException.notFound("tool", request.getToolId());
  }
}
