package dev.bridle.harpgateway.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.harpgateway.PublishedVectors;
import dev.bridle.relay.v1.UpdateRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HelloTest {
  @Test
  void thePublishedHelloIsRead() {
    UpdateRequest said =
        Hello.read(PublishedVectors.get("hello").toString().getBytes(UTF_8)).build();

    assertThat(said.getWorkspaceName()).isEqualTo("airlock");
    assertThat(said.getEnforcerLabel()).isEqualTo("Antigravity");
    assertThat(said.getCapabilitiesMap())
        .containsEntry("push", true)
        .containsEntry("poll", false)
        .containsEntry("sse", false);
  }

  @ParameterizedTest
  @CsvSource({
    "capabilities, '{\"push\":\"yes\"}'",
    "capabilities, '[\"push\"]'",
    "workspaceName, 1",
    "enforcerLabel, {}"
  })
  void aHelloWithAFaultIsRefused(String member, String value) throws Exception {
    ObjectNode faulty = (ObjectNode) PublishedVectors.get("hello");
    faulty.set(member, new ObjectMapper().readTree(value));

    assertThatThrownBy(() -> Hello.read(faulty.toString().getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.error().status()).isEqualTo(400));
  }
}
