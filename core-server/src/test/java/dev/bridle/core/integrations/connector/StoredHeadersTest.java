package dev.bridle.core.integrations.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorWebhook;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.WebhookSignature;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StoredHeadersTest {
  @Test
  void whatLooksLikeACredentialIsDropped() {
    assertThat(
            kept(
                signed("github", ""),
                "X-Gitlab-Token",
                "authorization",
                "Cookie",
                "X-API-Key",
                "X-Webhook-Secret",
                "X-Auth-Token",
                "Proxy-Authorization"))
        .isEmpty();
  }

  @Test
  void whatASignatureAndAMappingNeedIsKept() {
    assertThat(
            kept(
                signed("github", ""),
                "X-Hub-Signature-256",
                "X-GitHub-Event",
                "X-GitHub-Delivery",
                "Content-Type"))
        .containsExactly(
            "X-Hub-Signature-256", "X-GitHub-Event", "X-GitHub-Delivery", "Content-Type");
    assertThat(kept(signed("slack", ""), "X-Slack-Signature", "X-Slack-Request-Timestamp"))
        .hasSize(2);
  }

  @Test
  void aSignatureIsKeptWhateverItsHeaderIsCalled() {
    assertThat(kept(signed("custom", "X-Token-Signature"), "x-token-signature", "x-token"))
        .containsExactly("x-token-signature");
  }

  private static List<String> kept(Connector connector, String... names) {
    List<IngressHeader> headers =
        Stream.of(names)
            .map(name -> IngressHeader.newBuilder().setName(name).setValue("v").build())
            .toList();
    return StoredHeaders.of(headers, connector).stream().map(IngressHeader::getName).toList();
  }

  private static Connector signed(String preset, String header) {
    WebhookSignature.Builder signature =
        WebhookSignature.newBuilder().setPreset(preset).setSecret(SecretName.getDefaultInstance());
    if (!header.isEmpty()) {
      signature.setHeader(header).setSigned("{body}");
    }
    return Connector.newBuilder()
        .setWebhook(ConnectorWebhook.newBuilder().setSignature(signature))
        .build();
  }
}
