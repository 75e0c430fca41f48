package dev.bridle.core.work.oauth;

import com.nimbusds.jose.jwk.OctetKeyPair;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.signing.SigningKey;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.oauth.v1.AuthorizationServerMetadata;
import dev.bridle.oauth.v1.GetAuthorizationServerMetadataRequest;
import dev.bridle.oauth.v1.GetKeySetRequest;
import dev.bridle.oauth.v1.IssueTokenRequest;
import dev.bridle.oauth.v1.IssueTokenResponse;
import dev.bridle.oauth.v1.JsonWebKey;
import dev.bridle.oauth.v1.KeySet;
import dev.bridle.oauth.v1.OAuthServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Issues access tokens to OAuth clients (RFC 6749, section 4.4). The detail {@code oauth_error} has
 * the OAuth error code beside the protocol's.
 */
public final class OAuthService extends OAuthServiceGrpc.OAuthServiceImplBase {
  private static final String GRANT = "client_credentials";
  private static final String OAUTH_ERROR = "oauth_error";
  private static final int MAX_SCOPES = 100;

  private final OAuthClients clients;
  private final AccessTokens tokens;
  private final SigningKeys keys;
  private final Issuer issuer;
  private final TokenRates rates;
  private final Supplier<List<String>> scopes;

  /**
   * Serves tokens and what they are verified with.
   *
   * @param nanoTime monotonic time, which rates are counted by
   * @param scopes returns the scopes that operations require
   */
  public OAuthService(
      OAuthClients clients,
      AccessTokens tokens,
      SigningKeys keys,
      Issuer issuer,
      LongSupplier nanoTime,
      Supplier<List<String>> scopes) {
    this.clients = clients;
    this.tokens = tokens;
    this.keys = keys;
    this.issuer = issuer;
    this.rates = new TokenRates(nanoTime);
    this.scopes = scopes;
  }

  @Override
  public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> response) {
    if (!request.getGrantType().equals(GRANT)) {
      throw ProtocolException.invalid("grant_type", "must be '" + GRANT + "'")
          .with(OAUTH_ERROR, "unsupported_grant_type");
    }
    CredentialStore.Owned client =
        clients
            .authenticate(request.getClientId(), request.getClientSecret())
            .orElseThrow(this::refused);
    if (!rates.admit(client.credential().id())) {
      throw limited();
    }
    List<String> granted = granted(client, request.getScope());
    Replies.send(
        response,
        IssueTokenResponse.newBuilder()
            .setAccessToken(tokens.issue(client, granted))
            .setTokenType("Bearer")
            .setExpiresIn(tokens.lifetime().toSeconds())
            .setScope(String.join(" ", granted))
            .build());
  }

  private ProtocolException refused() {
    return rates.fail()
        ? ProtocolException.of(
                ErrorCode.ERROR_CODE_UNAUTHENTICATED,
                "The client is unknown or revoked, or its secret is another.")
            .with(OAUTH_ERROR, "invalid_client")
        : limited();
  }

  private static ProtocolException limited() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_RATE_LIMITED,
        "Tokens are asked for too often; use one until it ends.");
  }

  private static List<String> granted(CredentialStore.Owned client, String asked) {
    List<String> own = client.credential().scopes();
    List<String> wanted =
        Arrays.stream(asked.split(" ")).filter(one -> !one.isEmpty()).distinct().toList();
    if (wanted.isEmpty()) {
      return own;
    }
    Caller holder =
        new Caller(client.tenant(), client.credential().actor(), Set.copyOf(own), Set.of(), false);
    boolean allowed =
        wanted.size() <= MAX_SCOPES
            && wanted.stream().allMatch(one -> own.contains(one) || grants(holder, one));
    if (!allowed) {
      throw ProtocolException.invalid("scope", "must be scopes that the client has")
          .with(OAUTH_ERROR, "invalid_scope");
    }
    return wanted;
  }

  /** All scopes are no scope that a holder of some could narrow itself to. */
  private static boolean grants(Caller holder, String scope) {
    return ScopeNames.isOne(scope) && !scope.equals(Caller.ALL_SCOPES) && holder.holds(scope);
  }

  @Override
  public void getKeySet(GetKeySetRequest request, StreamObserver<KeySet> response) {
    KeySet.Builder set = KeySet.newBuilder();
    Stream.of(SigningPurpose.TOKEN, SigningPurpose.CARD)
        .flatMap(purpose -> keys.all(purpose).stream())
        .map(SigningKey::key)
        .map(OAuthService::toProto)
        .forEach(set::addKeys);
    Replies.send(response, set.build());
  }

  private static JsonWebKey toProto(OctetKeyPair key) {
    return JsonWebKey.newBuilder()
        .setKty(key.getKeyType().getValue())
        .setCrv(key.getCurve().getName())
        .setX(key.getX().toString())
        .setKid(key.getKeyID())
        .setUse(key.getKeyUse().identifier())
        .setAlg(key.getAlgorithm().getName())
        .build();
  }

  @Override
  public void getAuthorizationServerMetadata(
      GetAuthorizationServerMetadataRequest request,
      StreamObserver<AuthorizationServerMetadata> response) {
    String url = issuer.need();
    Replies.send(
        response,
        AuthorizationServerMetadata.newBuilder()
            .setIssuer(url)
            .setTokenEndpoint(url + "/oauth/token")
            .setJwksUri(url + "/oauth/jwks.json")
            .addGrantTypesSupported(GRANT)
            .addTokenEndpointAuthMethodsSupported("client_secret_basic")
            .addTokenEndpointAuthMethodsSupported("client_secret_post")
            .addAllScopesSupported(scopes.get())
            .build());
  }
}
