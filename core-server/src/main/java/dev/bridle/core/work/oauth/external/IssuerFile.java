package dev.bridle.core.work.oauth.external;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.bridle.core.work.oauth.ScopeNames;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The file in which an operator names external issuers. Strict: what it does not know is an error,
 * since a misspelled bound would be none.
 */
public final class IssuerFile {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int MAX_ISSUERS = 20;
  private static final Set<String> MEMBERS =
      Set.of(
          "issuer",
          "audience",
          "jwks_url",
          "jwks_file",
          "tenant",
          "tenant_claim",
          "tenants",
          "actor_claim",
          "actor_prefix",
          "scope_claim",
          "scopes",
          "workspaces",
          "workspace_claim");

  private final JsonNode json;
  private final Path folder;

  private IssuerFile(JsonNode json, Path folder) {
    this.json = json;
    this.folder = folder;
  }

  /**
   * Reads a file's text.
   *
   * @param folder what files that it names are relative to
   * @throws IllegalArgumentException with a sentence about what is wrong
   */
  public static List<ExternalIssuer> parse(String text, Path folder) {
    JsonNode list;
    try {
      list = JSON.readTree(text).path("issuers");
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "is no JSON: " + e.getOriginalMessage().lines().findFirst().orElse(""), e);
    }
    if (!list.isArray() || list.isEmpty() || list.size() > MAX_ISSUERS) {
      throw wrong("'issuers' must be a list of 1 to " + MAX_ISSUERS);
    }
    List<ExternalIssuer> issuers = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode one : list) {
      ExternalIssuer issuer = new IssuerFile(one, folder).issuer();
      if (!names.add(issuer.issuer())) {
        throw wrong("the issuer " + issuer.issuer() + " is there twice");
      }
      issuers.add(issuer);
    }
    return issuers;
  }

  private ExternalIssuer issuer() {
    if (!json.isObject()) {
      throw wrong("each of 'issuers' must be an object");
    }
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!MEMBERS.contains(name)) {
        throw wrong("'" + name + "' is unknown");
      }
    }
    String issuer = need("issuer");
    Optional<String> tenant = text("tenant");
    Optional<String> tenantClaim = text("tenant_claim");
    Set<String> tenants = Set.copyOf(texts("tenants"));
    if (tenant.isPresent() == tenantClaim.isPresent()) {
      throw wrong("either 'tenant' or 'tenant_claim' must be there");
    }
    if (tenantClaim.isPresent() == tenants.isEmpty()) {
      throw wrong("'tenant_claim' needs 'tenants', which lists those that it may name");
    }
    List<String> scopes = texts("scopes");
    scopes.stream()
        .filter(scope -> !ScopeNames.isOne(scope))
        .forEach(
            scope -> {
              throw wrong("'scopes' must be 'resource:action' in lower case, or '*'");
            });
    if (!texts("workspaces").isEmpty() && text("workspace_claim").isPresent()) {
      throw wrong("only one of 'workspaces' and 'workspace_claim' can be there");
    }
    return new ExternalIssuer(
        issuer,
        need("audience"),
        keys(),
        tenant,
        tenantClaim.orElse(""),
        tenants,
        text("actor_claim").orElse("sub"),
        json.has("actor_prefix") ? json.get("actor_prefix").asText() : host(issuer) + "/",
        text("scope_claim").orElse("scope"),
        Set.copyOf(scopes),
        texts("workspaces"),
        text("workspace_claim"));
  }

  private URI keys() {
    Optional<String> url = text("jwks_url");
    Optional<String> file = text("jwks_file");
    if (url.isPresent() == file.isPresent()) {
      throw wrong("either 'jwks_url' or 'jwks_file' must be there");
    }
    return file.isPresent() ? folder.resolve(file.get()).toUri() : checked(url.get());
  }

  /** Whoever sits between could give keys of their own, but for what never leaves this machine. */
  private static URI checked(String url) {
    URI uri = uri(url);
    String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
    if (scheme.equals("https") || (scheme.equals("http") && isLoopback(uri.getHost()))) {
      return uri;
    }
    throw wrong("'jwks_url' must begin with https://, or be one of this machine");
  }

  private static boolean isLoopback(String host) {
    // A name could be resolved to anything later; numbers and localhost stay what they are.
    return host != null
        && (host.equals("localhost")
            || host.equals("[::1]")
            || (host.matches("127(\\.[0-9]{1,3}){3}") && isLoopbackAddress(host)));
  }

  private static boolean isLoopbackAddress(String number) {
    try {
      return InetAddress.getByName(number).isLoopbackAddress();
    } catch (java.net.UnknownHostException e) {
      return false;
    }
  }

  private static String host(String issuer) {
    String host = uri(issuer).getHost();
    return host == null ? issuer : host;
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw wrong("'" + text + "' is no URL");
    }
  }

  private String need(String name) {
    return text(name).orElseThrow(() -> wrong("'" + name + "' is missing"));
  }

  private Optional<String> text(String name) {
    if (!json.has(name)) {
      return Optional.empty();
    }
    String text = json.get(name).asText();
    if (!json.get(name).isTextual() || text.isEmpty()) {
      throw wrong("'" + name + "' must be a text");
    }
    return Optional.of(text);
  }

  private List<String> texts(String name) {
    if (!json.has(name)) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : json.get(name)) {
      texts.add(each.asText());
    }
    if (!json.get(name).isArray() || texts.isEmpty() || texts.contains("")) {
      throw wrong("'" + name + "' must be a list of texts");
    }
    return texts;
  }

  private static IllegalArgumentException wrong(String sentence) {
    return new IllegalArgumentException(sentence);
  }
}
