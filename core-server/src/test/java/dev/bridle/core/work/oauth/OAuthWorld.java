package dev.bridle.core.work.oauth;

import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.CreateOAuthClientResponse;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.CoreServer;
import dev.bridle.oauth.v1.IssueTokenRequest;
import dev.bridle.oauth.v1.IssueTokenResponse;
import dev.bridle.oauth.v1.OAuthServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;

/** A real core that is spoken to through a socket, with a clock that a test sets. */
public final class OAuthWorld implements AutoCloseable {
  static final String URL = "https://bridle.example";

  private static final String OPERATOR = "the operator's secret";
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  final KeyValueStore store;
  public final SetClock clock = new SetClock();
  public final CoreServer core;
  private final ManagedChannel channel;

  OAuthWorld(Path directory) {
    this(directory, UnaryOperator.identity());
  }

  public OAuthWorld(Path directory, UnaryOperator<AccessOptions> access) {
    store = SuiteStore.open(directory);
    core =
        CoreServer.start(
            store,
            CoreOptions.DEFAULT
                .withListener("127.0.0.1", 0)
                .withCredentialInterval(Duration.ofMillis(20))
                .withAccess(access.apply(AccessOptions.NONE.withMasterKey(MasterKey.make()))),
            clock);
    core.admit(OPERATOR);
    core.reachedAt(URL);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", core.grpcPort()).usePlaintext().build();
  }

  Channel as(String bearer) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + bearer);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  public Channel operator() {
    return as(OPERATOR);
  }

  OAuthAdminServiceGrpc.OAuthAdminServiceBlockingStub admin() {
    return OAuthAdminServiceGrpc.newBlockingStub(operator());
  }

  OAuthServiceGrpc.OAuthServiceBlockingStub open() {
    return OAuthServiceGrpc.newBlockingStub(channel);
  }

  CreateOAuthClientResponse client(String... scopes) {
    return admin()
        .createOAuthClient(
            CreateOAuthClientRequest.newBuilder()
                .setActor("ci")
                .addAllScopes(List.of(scopes))
                .build());
  }

  IssueTokenResponse issue(CreateOAuthClientResponse client, String scope) {
    return open().issueToken(request(client.getClient().getId(), client.getSecret(), scope));
  }

  String token(CreateOAuthClientResponse client) {
    return issue(client, "").getAccessToken();
  }

  static IssueTokenRequest request(String id, String secret, String scope) {
    return IssueTokenRequest.newBuilder()
        .setGrantType("client_credentials")
        .setClientId(id)
        .setClientSecret(secret)
        .setScope(scope)
        .build();
  }

  public Caller caller(String bearer) {
    return AuthServiceGrpc.newBlockingStub(as(bearer))
        .getCaller(GetCallerRequest.getDefaultInstance());
  }

  List<Finding> findings() {
    return new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
        .check(CheckProgress.SILENT)
        .findings();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    core.close();
    store.close();
  }

  /** Time that passes when a test says so. */
  public static final class SetClock extends Clock {
    private volatile Instant now = Instant.parse("2026-11-21T10:00:00Z");

    public void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
