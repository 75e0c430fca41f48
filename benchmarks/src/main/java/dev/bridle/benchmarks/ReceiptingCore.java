package dev.bridle.benchmarks;

import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** A core with a master key, without which it could not issue receipts. */
final class ReceiptingCore implements AutoCloseable {
  private final CoreServer core;
  private final String key;

  ReceiptingCore(KeyValueStore store) {
    this.core =
        CoreServer.start(
            store,
            CoreOptions.DEFAULT
                .withListener("127.0.0.1", 0)
                .withAccess(AccessOptions.NONE.withMasterKey(MasterKey.make())));
    this.key = core.firstKey().orElseThrow();
  }

  /** Returns the core's channel within the process, which carries no credential. */
  Channel channel() {
    return core.channel();
  }

  /** Returns the owner's API key. */
  String key() {
    return key;
  }

  /** Returns the credential of a worker. */
  String workerCredential() {
    return core.processCredential("default", "benchmark", Set.of("workers:lease"));
  }

  /** Returns the channel with the owner's key. */
  Channel owner() {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    return ClientInterceptors.intercept(
        core.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Creates that many sessions, and returns their ids. */
  List<String> sessions(int count) {
    SessionServiceGrpc.SessionServiceBlockingStub sessions =
        SessionServiceGrpc.newBlockingStub(owner());
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                sessions
                    .createSession(
                        CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
                    .getId())
        .toList();
  }

  @Override
  public void close() {
    core.close();
  }
}
