package dev.bridle.core.work.oauth.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IssuerFileTest {
  private static final String RIGHT =
      "'issuer':'https://id.example','audience':'bridle',"
          + "'jwks_url':'https://id.example/keys','tenant':'default'";

  @Test
  void whatIsLeftOutIsBoundedByDefault() {
    ExternalIssuer issuer = parse(RIGHT);

    assertThat(issuer.keys()).isEqualTo(URI.create("https://id.example/keys"));
    assertThat(issuer.actorClaim()).isEqualTo("sub");
    assertThat(issuer.actorPrefix()).isEqualTo("id.example/");
    assertThat(issuer.scopeClaim()).isEqualTo("scope");
    assertThat(issuer.scopes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'tenant'|'tenannt'|is unknown",
        "'audience':'bridle',||'audience' is missing",
        "'bridle'|''|must be a text",
        "'bridle'|3|must be a text",
        "https://id.example/keys|http://id.example/keys|https://",
        "https://id.example/keys|http://127.0.0.1.example/keys|https://",
        "https://id.example/keys|file:///etc/keys|https://",
        "'tenant':'default'|'tenant_claim':'org'|'tenants'",
        "'tenant':'default'|'audience2':'x'|is unknown",
        "'tenant':'default'|'tenant':'default','scopes':['all']|'scopes'",
        "'tenant':'default'|'tenant':'default','scopes':[]|list of texts",
        "'tenant':'default'|'tenant':'default','jwks_file':'keys.json'|either",
        "'tenant':'default'|'tenant':'default','tenant':'other'|is no JSON"
      })
  void whatIsWrongIsRefusedWithASentence(String part, String instead, String told) {
    String changed = RIGHT.replace(part, instead == null ? "" : instead);
    assertThat(changed).isNotEqualTo(RIGHT);
    assertThatThrownBy(() -> parse(changed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told);
  }

  @Test
  void twoEntriesForOneIssuerAreRefused() {
    assertThatThrownBy(
            () ->
                IssuerFile.parse(
                    json("{'issuers':[{" + RIGHT + "},{" + RIGHT + "}]}"), Path.of("/")))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> IssuerFile.parse("{}", Path.of("/"))).hasMessageContaining("issuers");
  }

  private static ExternalIssuer parse(String members) {
    return IssuerFile.parse(json("{'issuers':[{" + members + "}]}"), Path.of("/")).get(0);
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
