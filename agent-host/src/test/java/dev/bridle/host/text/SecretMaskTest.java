package dev.bridle.host.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is cut out of an agent's log, and what stays. */
final class SecretMaskTest {
  private static final String SECRET = "s3cr3tvalue";

  @Test
  void theValuesOfVariablesWithSecretNamesAreCut() {
    SecretMask mask =
        SecretMask.of(
            Map.of("MY_API_KEY", SECRET, "DB_PASSWORD", SECRET + "-more", "HOME", "/home/me"));

    assertThat(mask.mask("in /home/me: " + SECRET + "-more and " + SECRET))
        .isEqualTo("in /home/me: [secret] and [secret]");
    assertThat(mask).hasToString("SecretMask[2 values]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key sk-s3cr3tvalue-abc",
        "Authorization: Bearer s3cr3tvalue",
        "Authorization: Basic s3cr3tvalue",
        "https://me:s3cr3tvalue@example.org/x",
        "password=s3cr3tvalue",
        "tool --token s3cr3tvalue",
        "login -u me --db-password 's3cr3tvalue'",
        "{\"api_key\": \"s3cr3tvalue\"}",
        "ghp_s3cr3tvalue1234567890",
        "bridle_run_s3cr3tvalue12",
        "eyJhbGciOiJIUzI1NiJ9.s3cr3tvalue.abc",
        "at aB3s3cr3tvalueaB3aB3aB3aB3aB3aB3aB3",
        "-----BEGIN PRIVATE KEY-----\ns3cr3tvalue\nmore",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\ns3cr3tvalue/more",
        TextTail.CUT + "\nMII/s3cr3tvalue/more+\nabc/\n-----END RSA PRIVATE KEY-----\nend",
        "password=\"correct s3cr3tvalue\"",
        "{\"token\": 'a s3cr3tvalue'}",
        "{\\\"password\\\":\\\"s3cr3tvalue\\\"}",
        "AWS_SECRET_ACCESS_KEY=abc/s3cr3tvalue/def",
        "private_key: abc/s3cr3tvalue",
        "DB_PASS=s3cr3tvalue",
        "passphrase => s3cr3tvalue",
        "Authorization: token s3cr3tvalue",
        "Authorization: AWS4 Credential=AKIA/x, Signature=s3cr3tvalue",
        "authorization=Bearer%20s3cr3tvalue",
        "Set-Cookie: sid=s3cr3tvalue; path=/",
        "https://me:p@s3cr3tvalue@example.org/x",
        "https://s3cr3tvalue@example.org/x",
        "login --api-key \"my s3cr3tvalue\"",
        "GET https://example.org/x?sig=s3cr3tvalue%2F",
        "https://hooks.slack.com/services/T0/B0/s3cr3tvalue",
        "sent YWJjZGVmZ2hpams/YWJjZGVm/s3cr3tvalueYWJjZGU=",
      })
  void whatLooksLikeASecretIsCut(String text) {
    assertThat(SecretMask.of(Map.of()).mask(text)).doesNotContain(SECRET).contains("[secret]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Error: Cannot find module '/usr/lib/node_modules/opencode-ai/bin/index.js'",
        "    at Object.<anonymous> (node:internal/modules/cjs/loader:1228:15)",
        "java.lang.IllegalStateException: tokens used: 12000, secret sauce",
        "TypeError: undefined is not a function at line 12:34",
        "npm http fetch GET 404 http://localhost:4873/@scope/pkg 12ms",
        "max_tokens: 4096, primary_key=id, at /usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
      })
  void aTraceStaysAsItIs(String text) {
    assertThat(SecretMask.of(Map.of()).mask(text)).isEqualTo(text);
  }

  @Test
  void aValueIsCutHoweverItIsSpelled() {
    SecretMask mask =
        SecretMask.of(Map.of("MY_TOKEN", SECRET + "\n", "MY_KEY", "{\n \"inside\": \"of it\"\n}"));

    assertThat(mask.mask("got " + SECRET + " here")).isEqualTo("got [secret] here");
    assertThat(mask.mask("as text: {\\n \\\"inside\\\": \\\"of it\\\"\\n}"))
        .isEqualTo("as text: [secret]");
    assertThat(mask.mask("> \"inside\": \"of it\"")).isEqualTo("> [secret]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "--a", "-eyJ", "://", "password ", "=", "a", "-----END "})
  void aLogOfTheSamePiecesTakesNoTime(String piece) {
    String log = piece.repeat((16 << 10) / piece.length());

    assertThat(assertTimeout(Duration.ofSeconds(10), () -> SecretMask.of(Map.of()).mask(log + log)))
        .isNotEmpty();
  }

  @Test
  void aLineThatLostItsBeginningIsLeftOut() {
    TextTail tail = new TextTail(10);
    byte[] text = "key sk-abcdef\nend\n".getBytes(StandardCharsets.UTF_8);
    tail.append(text, 0, text.length);

    assertThat(tail.text()).isEqualTo("bcdef\nend\n");
    assertThat(tail.wholeLines()).isEqualTo(TextTail.CUT + "\nend\n");
  }

  @Test
  void aTextOfOneEndlessLineIsLeftOut() {
    TextTail tail = new TextTail(10);
    byte[] text = "password=abcdefghijkl".getBytes(StandardCharsets.UTF_8);
    tail.append(text, 0, text.length);

    assertThat(tail.wholeLines()).isEqualTo(TextTail.CUT);
  }
}
