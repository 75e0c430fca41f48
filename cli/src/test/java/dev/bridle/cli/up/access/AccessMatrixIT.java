package dev.bridle.cli.up.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.nimbusds.jose.JOSEException;
import dev.bridle.api.v1.MethodRule;
import dev.bridle.api.v1.Options;
import dev.bridle.cli.up.access.AccessWorld.Answer;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation against every kind of caller, through real sockets. The operations come from the
 * route table and the rpcs from the descriptors, so that new ones are in it by themselves.
 */
class AccessMatrixIT {
  private static final ServiceCatalog CATALOG = ServiceCatalog.load();
  private static final List<Operation> OPERATIONS =
      RouteTable.of(CATALOG.services()).routes().stream().map(Operation::new).toList();
  private static final List<Operation> GUARDED =
      OPERATIONS.stream().filter(operation -> !operation.open()).toList();

  /** Needs the whole tenant, and says so to whoever reaches some workspaces only. */
  private static final Set<String> WHOLE_TENANT =
      Set.of(
          "CreateWorkspace",
          "CreatePersona",
          "CreateSkill",
          "CreateQuota",
          "CreateApprovalRole",
          "CreateApprovalRule",
          "CreateApprovalDevice",
          "RevokeApprovalDevice",
          "TestApprovalDevice",
          "CreateApprover",
          "ListDevices",
          "ListParties",
          "ListAuditEntries",
          "RevokeParty");

  /** Its path is a secret of its own, and its deliveries prove themselves. */
  private static final String INGEST = "Ingest";

  @TempDir static Path directory;
  private static AccessWorld world;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException, JOSEException {
    world = new AccessWorld(directory);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", world.grpcPort()).usePlaintext().build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    world.close();
  }

  /**
   * Verifying changes nothing of a receipt: who may read it may have it verified. Scopes of HARP
   * are for roles, and not for reading and writing.
   */
  private static final Set<String> OTHERWISE_NAMED =
      Set.of("VerifyReceipt", "ListDevices", "ListParties", "ListAuditEntries", "ExplainAction");

  @Test
  void everyOperationSaysWhoMayCallIt() {
    assertThat(GUARDED).hasSizeGreaterThan(35);
    assertThat(GUARDED)
        .allSatisfy(
            operation ->
                assertThat(operation.scope()).as(operation.label()).matches("[a-z_]+:[a-z_]+"));
    assertThat(GUARDED)
        .as("what may be read by reading may be changed by writing alone")
        .filteredOn(operation -> !OTHERWISE_NAMED.contains(operation.name()))
        .allSatisfy(
            operation ->
                assertThat(operation.scope().endsWith(":read"))
                    .as(operation.label())
                    .isEqualTo(operation.method().equals("GET")));
    assertThat(OPERATIONS)
        .filteredOn(operation -> operation.open() && !operation.name().equals(INGEST))
        .as("open operations name nothing that is anybody's")
        .allSatisfy(operation -> assertThat(operation.route().path().variables()).isEmpty());
  }

  @TestFactory
  Stream<DynamicTest> noCredentials() {
    return each(operation -> unauthenticated(operation, ""));
  }

  @TestFactory
  Stream<DynamicTest> unknownCredentials() {
    return each(operation -> unauthenticated(operation, "brk_unknown"));
  }

  @TestFactory
  Stream<DynamicTest> revokedKey() {
    return each(operation -> unauthenticated(operation, world.revoked));
  }

  @TestFactory
  Stream<DynamicTest> expiredToken() {
    return each(operation -> unauthenticated(operation, world.expired()));
  }

  @TestFactory
  Stream<DynamicTest> wrongScope() {
    return each(
        operation -> {
          refusedFor(operation, world.wrongScope);
          refusedFor(operation, world.token("nothing:here", Duration.ofMinutes(5)));
        });
  }

  @TestFactory
  Stream<DynamicTest> otherTenant() {
    return each(operation -> hidden(operation, world.otherTenant));
  }

  @TestFactory
  Stream<DynamicTest> otherWorkspace() {
    return each(
        operation -> {
          if (WHOLE_TENANT.contains(operation.name())) {
            Answer answer = send(operation, world.otherWorkspace, world.ids());
            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
          } else {
            hidden(operation, world.otherWorkspace);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> rightCredentials() {
    return each(
        operation -> {
          allowed(operation, world.keyFor(operation.scopes()));
          allowed(operation, world.token(operation.scopes(), Duration.ofMinutes(5)));
        });
  }

  @TestFactory
  Stream<DynamicTest> openOperationsAskForNothing() {
    return OPERATIONS.stream()
        .filter(Operation::open)
        .filter(operation -> !operation.name().equals(INGEST))
        .filter(operation -> !operation.route().hasBody())
        .map(
            operation ->
                DynamicTest.dynamicTest(
                    operation.label(),
                    () -> {
                      Answer answer = send(operation, "", Map.of());
                      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                      noneOfOurs(answer, world.ids());
                    }));
  }

  @TestFactory
  Stream<DynamicTest> everyRpcIsGuardedOverGrpcToo() {
    return CATALOG.services().stream()
        .flatMap(service -> service.getMethods().stream())
        .map(method -> DynamicTest.dynamicTest(method.getFullMethodName(), () -> guarded(method)));
  }

  private static Stream<DynamicTest> each(Consumer<Operation> check) {
    return GUARDED.stream()
        .map(
            operation -> DynamicTest.dynamicTest(operation.label(), () -> check.accept(operation)));
  }

  private static void unauthenticated(Operation operation, String bearer) {
    Answer answer = send(operation, bearer, world.ids());
    assertThat(answer.status()).as(answer.body()).isEqualTo(401);
    assertThat(answer.error().path("code").textValue()).isEqualTo("unauthenticated");
    noneOfOurs(answer, world.ids());
  }

  private static void refusedFor(Operation operation, String bearer) {
    Answer answer = send(operation, bearer, world.ids());
    assertThat(answer.status()).as(answer.body()).isEqualTo(403);
    assertThat(answer.error().path("code").textValue()).isEqualTo("permission_denied");
    assertThat(answer.error().path("details").path("required_scope").textValue())
        .isEqualTo(operation.scope());
    noneOfOurs(answer, world.ids());
  }

  /** What is not the caller's is answered as what is not there. */
  private static void hidden(Operation operation, String bearer) {
    Map<String, String> ours = world.ids();
    Map<String, String> absent = new HashMap<>();
    ours.forEach((name, id) -> absent.put(name, other(id)));
    Answer answer = send(operation, bearer, ours);
    if (!operation.names()) {
      if (operation.exact()) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(operation.right());
      }
      noneOfOurs(answer, ours);
    } else {
      if (operation.exact()) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(404);
        assertThat(answer.error().path("code").textValue()).isEqualTo("resource_not_found");
      }
      assertThat(answer.status()).as(answer.body()).isBetween(400, 499);
      assertThat(masked(answer, ours)).isEqualTo(masked(send(operation, bearer, absent), absent));
    }
    for (String name : operation.references(ours)) {
      Answer filtered = filtered(operation, bearer, name, ours);
      noneOfOurs(filtered, without(ours, name));
      assertThat(masked(filtered, ours))
          .as("filtered by " + name)
          .isEqualTo(masked(filtered(operation, bearer, name, absent), absent));
    }
  }

  private static Map<String, String> without(Map<String, String> ids, String name) {
    Map<String, String> rest = new HashMap<>(ids);
    rest.remove(name);
    return rest;
  }

  private static Answer filtered(
      Operation operation, String bearer, String name, Map<String, String> ids) {
    return world.send(
        bearer, operation.method(), operation.path(ids) + "?" + name + "=" + ids.get(name), "");
  }

  private static void allowed(Operation operation, String bearer) {
    boolean reads = operation.method().equals("GET");
    Map<String, String> ids = reads ? world.ids() : world.fresh(operation.named());
    Answer answer = send(operation, bearer, ids);
    if (operation.exact() && operation.known(ids)) {
      assertThat(answer.status()).as(answer.body()).isEqualTo(operation.right());
    } else {
      assertThat(answer.status()).as(answer.body()).isNotIn(401, 403).isLessThan(500);
    }
  }

  private static Answer send(Operation operation, String bearer, Map<String, String> ids) {
    return world.send(bearer, operation.method(), operation.path(ids), operation.body(ids));
  }

  private static void noneOfOurs(Answer answer, Map<String, String> ours) {
    assertThat(answer.body()).doesNotContain(ours.values());
  }

  /** An id of the same shape that nothing has. */
  private static String other(String id) {
    int at = id.indexOf('_') + 8;
    char changed = id.charAt(at) == '5' ? '6' : '5';
    return id.substring(0, at) + changed + id.substring(at + 1);
  }

  private static String masked(Answer answer, Map<String, String> ids) {
    String body = answer.body().replaceAll("\"request_id\":\"[^\"]*\"", "\"request_id\":\"\"");
    for (Map.Entry<String, String> id : ids.entrySet()) {
      body = body.replace(id.getValue(), id.getKey());
    }
    return answer.status() + " " + body;
  }

  private static void guarded(MethodDescriptor<?, ?> method) throws Exception {
    MethodRule rule =
        ((ProtoMethodDescriptorSupplier) method.getSchemaDescriptor())
            .getMethodDescriptor()
            .getOptions()
            .getExtension(Options.method);
    if (rule.getOpen()) {
      return;
    }
    for (String bearer : List.of("", "brk_unknown", world.revoked, world.expired())) {
      assertThat(status(method, bearer)).isEqualTo(Status.Code.UNAUTHENTICATED);
    }
    if (!rule.getScope().isEmpty() || rule.getAnyScopeCount() > 0) {
      for (String bearer :
          List.of(world.wrongScope, world.token("nothing:here", Duration.ofMinutes(5)))) {
        assertThat(status(method, bearer)).isEqualTo(Status.Code.PERMISSION_DENIED);
      }
      if (rule.getScope().startsWith("admin:")) {
        assertThat(status(method, world.keyFor("")))
            .as("a key of all scopes")
            .isEqualTo(Status.Code.PERMISSION_DENIED);
      }
    } else {
      assertThat(status(method, world.wrongScope)).isEqualTo(Status.Code.OK);
    }
  }

  @SuppressWarnings("unchecked") // All methods of the contract take and give messages.
  private static Status.Code status(MethodDescriptor<?, ?> method, String bearer) throws Exception {
    MethodDescriptor<Message, Message> typed = (MethodDescriptor<Message, Message>) method;
    ClientCall<Message, Message> call = channel.newCall(typed, CallOptions.DEFAULT);
    Metadata headers = new Metadata();
    if (!bearer.isEmpty()) {
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + bearer);
    }
    CompletableFuture<Status.Code> closed = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            closed.complete(status.getCode());
          }
        },
        headers);
    call.request(1);
    call.sendMessage(
        ((MethodDescriptor.PrototypeMarshaller<Message>) typed.getRequestMarshaller())
            .getMessagePrototype());
    call.halfClose();
    return closed.get(3, TimeUnit.MINUTES);
  }
}
