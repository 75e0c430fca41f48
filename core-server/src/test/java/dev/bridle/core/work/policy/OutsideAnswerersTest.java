package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.oauth.external.IssuerFile;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which tenants people of other issuers may answer. */
final class OutsideAnswerersTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "tenant":"acme"                                           | acme
          "tenant":"acme","scopes":["permissions:respond"]          | acme
          "tenant":"acme","scopes":["tasks:read"]                   |
          "tenant_claim":"org","tenants":["one"],"scopes":["*"]     | one
          """)
  void areThoseThatAnIssuerMayVouchForWithTheScope(String mapping, String tenant) {
    String file =
        "{\"issuers\":[{\"issuer\":\"https://id.example\",\"audience\":\"bridle\","
            + "\"jwks_url\":\"https://id.example/keys\","
            + mapping
            + "}]}";

    assertThat(OutsideAnswerers.of(IssuerFile.parse(file, directory)).tenants())
        .isEqualTo(tenant == null ? Set.of() : Set.of(tenant));
  }
}
