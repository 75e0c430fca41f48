package dev.bridle.core.work.oauth.external;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody else whose tokens are let in, and what their claims mean here.
 *
 * @param issuer the {@code iss} of its tokens
 * @param audience what their {@code aud} must name
 * @param keys where its JWK set lies: an https URL, an http URL of this machine, or a file
 * @param tenant whose tokens they are; empty where a claim says so
 * @param tenantClaim the claim that names the tenant, where {@code tenant} is empty
 * @param tenants the tenants that the claim may name
 * @param actorClaim the claim that names who acts
 * @param actorPrefix what stands before that name, so that nobody acts as somebody of another
 *     issuer
 * @param scopeClaim the claim with the scopes: a text with spaces between, or a list
 * @param scopes the scopes that a token may have at most; empty: all but administration, as far as
 *     the token names them
 * @param workspaces the workspaces that its tokens reach; empty: all, or what a claim says
 * @param workspaceClaim the claim that lists the workspaces
 */
public record ExternalIssuer(
    String issuer,
    String audience,
    URI keys,
    Optional<String> tenant,
    String tenantClaim,
    Set<String> tenants,
    String actorClaim,
    String actorPrefix,
    String scopeClaim,
    Set<String> scopes,
    List<String> workspaces,
    Optional<String> workspaceClaim) {
  /** Copies what it is given. */
  public ExternalIssuer {
    tenants = Set.copyOf(tenants);
    scopes = Set.copyOf(scopes);
    workspaces = List.copyOf(workspaces);
  }
}
