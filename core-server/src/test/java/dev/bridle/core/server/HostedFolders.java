package dev.bridle.core.server;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.HostFolderRequest;
import io.grpc.Channel;
import io.grpc.Context;
import java.util.UUID;

/** Workspaces of folders of the machine, as a process makes them that hosts an agent. */
public final class HostedFolders {
  private HostedFolders() {}

  /** Opens the workspace of a folder for a moment, and returns its id, which stays. */
  public static String open(Channel operator, String path) {
    HostFolderRequest request =
        HostFolderRequest.newBuilder()
            .setFolder(path)
            .setActor("terminal")
            .setPersonSecret("a person's secret " + UUID.randomUUID())
            .setWorkerSecret("a worker's secret " + UUID.randomUUID())
            .build();
    Context.CancellableContext open = Context.current().withCancellation();
    try {
      return open.call(
          () ->
              AdminServiceGrpc.newBlockingStub(operator)
                  .hostFolder(request)
                  .next()
                  .getWorkspaceId());
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      open.cancel(null);
    }
  }
}
