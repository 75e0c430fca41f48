package dev.bridle.core.operations.check;

import dev.bridle.admin.v1.CheckStorageRequest;
import dev.bridle.admin.v1.CheckStorageResponse;
import dev.bridle.admin.v1.GetStorageStatsRequest;
import dev.bridle.admin.v1.GetStorageStatsResponse;
import dev.bridle.admin.v1.StorageServiceGrpc;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CancellationException;

/** Serves checks and statistics of a running server's storage. */
public final class StorageService extends StorageServiceGrpc.StorageServiceImplBase {
  private final StorageReports reports;

  /** Creates the service of a working server, whose requests need processors too. */
  public StorageService(KeyValueStore store, KeyLayout layout, Catalog catalog) {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    this.reports = new StorageReports(store, layout, catalog, threads);
  }

  @Override
  public void checkStorage(
      CheckStorageRequest request, StreamObserver<CheckStorageResponse> response) {
    var call = (ServerCallStreamObserver<CheckStorageResponse>) response;
    try {
      reports.check(request.getRepair(), part -> send(call, part));
      response.onCompleted();
    } catch (CancellationException e) {
      // The caller has disconnected.
    }
  }

  /** Sends a response. Progress is dropped if the caller is slow. */
  private static void send(
      ServerCallStreamObserver<CheckStorageResponse> call, CheckStorageResponse response) {
    if (call.isCancelled()) {
      throw new CancellationException("the caller has disconnected");
    }
    if (!response.hasProgress() || call.isReady()) {
      call.onNext(response);
    }
  }

  @Override
  public void getStorageStats(
      GetStorageStatsRequest request, StreamObserver<GetStorageStatsResponse> response) {
    Replies.send(response, reports.stats());
  }
}
