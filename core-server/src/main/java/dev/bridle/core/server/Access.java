package dev.bridle.core.server;

import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.Credentials;
import dev.bridle.core.kernel.auth.ProcessCredentials;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.work.oauth.AccessTokens;
import dev.bridle.core.work.oauth.Issuer;
import dev.bridle.core.work.oauth.LiveTenants;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.core.work.oauth.OAuthService;
import dev.bridle.core.work.oauth.external.ExternalTokens;
import java.util.List;
import java.util.function.Supplier;

/** The ways in: what callers are known by. */
final class Access {
  private final CoreContext context;
  private final ApiKeys keys;
  private final OAuthClients clients;
  private final SigningKeys signing;
  private final AccessTokens tokens;
  private final Issuer issuer = new Issuer();
  private final ProcessCredentials ofProcess;
  private final List<Credentials> all;

  Access(CoreContext context, AccessOptions options) {
    this.context = context;
    this.keys =
        new ApiKeys(
            context.store(),
            context.layout(),
            context.installation(),
            context.mint(),
            context.clock());
    this.clients =
        new OAuthClients(
            context.store(),
            context.layout(),
            context.installation(),
            context.mint(),
            context.clock());
    this.signing = new SigningKeys(context);
    LiveTenants live = new LiveTenants(context.installation());
    this.tokens =
        new AccessTokens(context, clients, signing, live, issuer, options.tokenLifetime());
    this.ofProcess = new ProcessCredentials(context.mint());
    this.all =
        List.of(
            ofProcess,
            keys,
            tokens,
            new ExternalTokens(
                context.store(),
                live,
                context.clock(),
                context.environment().nanoTime(),
                options.issuers()));
  }

  /** Returns all that callers are known by. */
  List<Credentials> all() {
    return all;
  }

  /** Returns the secrets of parts of this process. */
  ProcessCredentials ofProcess() {
    return ofProcess;
  }

  ApiKeys keys() {
    return keys;
  }

  OAuthClients clients() {
    return clients;
  }

  SigningKeys signing() {
    return signing;
  }

  /** Returns who issues tokens, once the server's URL is known. */
  Issuer issuer() {
    return issuer;
  }

  /** Returns the service that issues tokens; {@code scopes} are all that there are. */
  OAuthService service(Supplier<List<String>> scopes) {
    return new OAuthService(
        clients, tokens, signing, issuer, context.environment().nanoTime(), scopes);
  }
}
