package dev.bridle.core.api.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.oauth.OAuthWorld;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetAgentCardRequest;
import dev.bridle.oauth.v1.GetAuthorizationServerMetadataRequest;
import dev.bridle.oauth.v1.OAuthServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapabilitiesTest {
  /**
   * What describes the server, what agents get, what there are none of, and what another protocol
   * declares.
   */
  private static final Set<String> NO_CAPABILITY =
      Set.of("runtime", "workers", "tools", "content", "harp");

  @TempDir private Path directory;

  @Test
  void everyKindOfResourceThatCallersGetScopesForIsTold() {
    try (OAuthWorld world = new OAuthWorld(directory, UnaryOperator.identity())) {
      Channel channel = world.operator();
      List<String> told =
          DiscoveryServiceGrpc.newBlockingStub(channel)
              .getAgentCard(GetAgentCardRequest.newBuilder().setPublicUrl("http://a").build())
              .getCapabilitiesList();
      List<String> resources =
          OAuthServiceGrpc.newBlockingStub(channel)
              .getAuthorizationServerMetadata(
                  GetAuthorizationServerMetadataRequest.getDefaultInstance())
              .getScopesSupportedList()
              .stream()
              .map(scope -> scope.substring(0, scope.indexOf(':')))
              .filter(resource -> !NO_CAPABILITY.contains(resource))
              .distinct()
              .toList();

      assertThat(resources).contains("tasks", "vaults");
      assertThat(told).containsAll(resources).contains("workspace_files");
    }
  }
}
