package dev.bridle.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.gateway.kit.route.PathTemplate;
import dev.bridle.gateway.kit.route.RouteMatch.Found;
import dev.bridle.gateway.kit.route.RouteMatch.NoPath;
import dev.bridle.gateway.kit.route.RouteMatch.OtherMethods;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths, and what they lead to. */
final class RouteTableTest {

  private static final RouteTable TABLE = RouteTable.of(ServiceCatalog.load().services());

  @Test
  void onlyTheRoutesOfChosenServicesAreServed() {
    ServiceCatalog catalog = ServiceCatalog.load();
    RouteTable chosen = RouteTable.of(catalog.services(Set.of(DiscoveryServiceGrpc.SERVICE_NAME)));

    assertThat(chosen.paths().find(HttpMethod.GET, "/health")).isInstanceOf(Found.class);
    assertThat(chosen.paths().find(HttpMethod.GET, "/v1/tasks/t1")).isInstanceOf(NoPath.class);
    assertThat(catalog.services(Set.of())).hasSameSizeAs(catalog.services());
    assertThatThrownBy(() -> catalog.services(Set.of("bridle.nothing.v1.NothingService")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /health, GetHealth, ''",
    "GET, /, GetServerIndex, ''",
    "GET, /v1, GetProtocolDiscovery, ''",
    "GET, /v1/events/stream, StreamEvents, ''",
    "GET, /v1/events/streams, GetEvent, streams",
    "GET, /v1/events/e1, GetEvent, e1",
    "GET, /v1/sessions/stream, GetSession, stream",
    "GET, /v1/sessions/s1/events/stream, StreamSessionEvents, s1",
    "POST, /v1/tasks/t1/cancel, CancelTask, t1",
    "GET, /v1/tasks/a%2Fb, GetTask, a/b",
    "GET, /v1/tasks/%C3%BC, GetTask, ü",
    "GET, /v1/tasks/.., GetTask, ..",
    "GET, /%68ealth, GetHealth, ''"
  })
  void aPathLeadsToItsRpcWithTheDecodedValues(
      HttpMethod method, String path, String rpc, String value) {
    Found<Route> found = (Found<Route>) TABLE.paths().find(method, path);

    assertThat(found.route().descriptor().getName()).isEqualTo(rpc);
    assertThat(found.values()).isEqualTo(value.isEmpty() ? List.of() : List.of(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "//",
        "health",
        "/health/",
        "/v1/",
        "/v1/tasks/",
        "/v1//tasks",
        "/v1/tasks/t1/nothing",
        "/v1/tasks/%",
        "/v1/tasks/%4",
        "/v1/tasks/%zz",
        "/v1/tasks/%c3",
        "/V1/tasks",
        "*"
      })
  void anotherPathLeadsNowhere(String path) {
    assertThat(TABLE.paths().find(HttpMethod.GET, path)).isEqualTo(new NoPath<>());
  }

  @Test
  void aPathWithoutTheMethodNamesTheOthers() {
    OtherMethods<Route> others =
        (OtherMethods<Route>) TABLE.paths().find(HttpMethod.DELETE, "/v1/sessions");

    assertThat(others.allowed()).containsExactlyInAnyOrder(HttpMethod.GET, HttpMethod.POST);
  }

  @Test
  void servicesForWorkersAndOperatorsHaveNoPublicFace() {
    assertThat(TABLE.routes())
        .extracting(route -> route.descriptor().getService().getName())
        .contains("TaskService", "DiscoveryService")
        .doesNotContain("WorkerService", "AdminService", "AuthService");
  }

  @Test
  void twoRpcsCantHaveTheSameRoute() {
    var service = SessionServiceGrpc.getServiceDescriptor();

    assertThatThrownBy(() -> RouteTable.of(List.of(service, service)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both have GET /v1/sessions");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "/v1/", "/v1/{a}:verb", "/v1/{a=**}", "/v1/*", "/v1/{a.b}", "/a b"})
  void moreOfTheGrammarThanIsServedIsRefused(String template) {
    assertThatThrownBy(() -> PathTemplate.parse(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(template);
  }
}
