package dev.bridle.core.server;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.CredentialKind;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.Credentials;
import dev.bridle.core.kernel.auth.ProcessCredentials;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.operations.admin.OAuthAdminService;
import dev.bridle.core.work.oauth.AccessTokens;
import dev.bridle.core.work.oauth.Issuer;
import dev.bridle.core.work.oauth.LiveTenants;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.core.work.oauth.OAuthService;
import dev.bridle.core.work.oauth.external.ExternalTokens;
import dev.bridle.core.work.receipt.KeySuccessions;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The ways in: what callers are known by. */
final class Access implements AutoCloseable {
  private static final Duration ISSUER_TIMEOUT = Duration.ofSeconds(5);

  /** The operator names the issuers, so they may be at any address. */
  private static final OutboundOptions ISSUER_CALLS =
      OutboundOptions.DEFAULT
          .withAllowed(List.of(AddressRange.parse("0.0.0.0/0"), AddressRange.parse("::/0")))
          .withTimeouts(ISSUER_TIMEOUT, ISSUER_TIMEOUT);

  private final CoreContext context;
  private final CredentialStore<ApiKeyRecord> keys;
  private final CredentialStore<OAuthClientRecord> clients;
  private final OAuthClients oauth;
  private final SigningKeys signing;
  private final KeySuccessions successions;
  private final AccessTokens tokens;
  private final Issuer issuer = new Issuer();
  private final OutboundClient issuerClient = new OutboundClient(ISSUER_CALLS);
  private final ProcessCredentials ofProcess;
  private final List<Credentials> all;

  Access(Foundation foundation, AccessOptions options) {
    this.context = foundation.context();
    this.keys = store(ApiKeys.KIND);
    this.clients = store(OAuthClients.KIND);
    this.oauth = new OAuthClients(context.store(), clients);
    this.signing = new SigningKeys(context);
    this.successions = new KeySuccessions(signing, foundation.installationId());
    LiveTenants live = new LiveTenants(context.installation());
    this.tokens = new AccessTokens(context, oauth, signing, live, issuer, options.tokenLifetime());
    this.ofProcess = new ProcessCredentials(context.mint());
    this.all =
        List.of(
            ofProcess,
            new ApiKeys(context.store(), keys),
            tokens,
            new ExternalTokens(
                context.store(),
                live,
                context.clock(),
                context.environment().nanoTime(),
                issuerClient,
                options.issuers()));
  }

  private <M extends MessageLite> CredentialStore<M> store(CredentialKind<M> kind) {
    return new CredentialStore<>(
        kind, context.layout(), context.installation(), context.mint(), context.clock());
  }

  /** Returns all that callers are known by. */
  List<Credentials> all() {
    return all;
  }

  /** Returns the secrets of parts of this process. */
  ProcessCredentials ofProcess() {
    return ofProcess;
  }

  CredentialStore<ApiKeyRecord> keys() {
    return keys;
  }

  CredentialStore<OAuthClientRecord> clients() {
    return clients;
  }

  SigningKeys signing() {
    return signing;
  }

  /** Returns how the keys that sign receipts follow each other. */
  KeySuccessions successions() {
    return successions;
  }

  /** Returns who issues tokens, once the server's URL is known. */
  Issuer issuer() {
    return issuer;
  }

  /** Returns the service that issues tokens; {@code scopes} are all that there are. */
  OAuthService service(Supplier<List<String>> scopes) {
    return new OAuthService(
        oauth, tokens, signing, issuer, context.environment().nanoTime(), scopes);
  }

  /** Returns the service by which operators manage clients and signing keys. */
  OAuthAdminService adminService(Tenants tenants) {
    return new OAuthAdminService(context, tenants, clients, signing, successions);
  }

  /** Ends calls to issuers. */
  @Override
  public void close() {
    issuerClient.close();
  }
}
