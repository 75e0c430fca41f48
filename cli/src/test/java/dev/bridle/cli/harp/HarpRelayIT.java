package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An enforcer and an approver with a relay between them, over real sockets. */
final class HarpRelayIT {
  private static final String MARKER = "the-command-that-nobody-else-may-see";
  private static final String LABEL = "a-label-that-everybody-may-see";

  @TempDir private static Path directory;
  private static HarpFolder folder;
  private static LocalServer server;
  private static String key;

  private static Path data() {
    return directory.resolve("data");
  }

  private static String path(String name) {
    return folder.path(name);
  }

  private static Commands.Said run(int exitCode, String... words) {
    return HarpFolder.harp(exitCode, words);
  }

  /** Runs a command at the relay, with a key. */
  private static Commands.Said relayed(int exitCode, String apiKey, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--relay", server.harpUrl().orElseThrow().toString(), "--api-key", apiKey));
    return run(exitCode, all.toArray(String[]::new));
  }

  private static Commands.Said administered(int exitCode, String... words) {
    return administered(exitCode, "parties", List.of(words));
  }

  private static Commands.Said administered(int exitCode, String command, List<String> words) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(words);
    all.addAll(List.of("--url", server.baseUrl().toString(), "--api-key", key));
    return run(exitCode, all.toArray(String[]::new));
  }

  @BeforeAll
  static void start() throws IOException {
    server = LocalServer.start(LocalServerOptions.of(data()).withoutDemoAgent().withHarpPort(0));
    key = server.firstKey().orElseThrow();
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
    assertThat(administered(0, "create", "phone").out()).contains("approver  phone");
  }

  @AfterAll
  static void stop() throws IOException {
    // The log of the store is not compressed, which its files are once it is closed.
    assertThat(anyFileHas(LABEL)).as("what can be seen is found").isTrue();
    assertThat(anyFileHas(MARKER)).as("the relay has stored a payload").isFalse();
    server.close();
  }

  private static boolean anyFileHas(String text) throws IOException {
    try (Stream<Path> files = Files.walk(data())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          return true;
        }
      }
      return false;
    }
  }

  private static String make(String name) {
    return folder.createArtifact(
        name, "{\"command\":\"" + MARKER + "\",\"salt\":\"c2FsdA\"}", "phone");
  }

  /** Submits in the background and waits for the decision. */
  private static CompletableFuture<Commands.Said> submit(String name) {
    return CompletableFuture.supplyAsync(
        () ->
            relayed(
                0,
                key,
                "submit",
                "--enforcer",
                "ci",
                "--artifact",
                path(name + ".sealed.json"),
                "--approver",
                "phone",
                "--label",
                LABEL,
                "--wait",
                "5m",
                "--out",
                path(name + ".decision.json")));
  }

  private static void awaitInbox(String request) {
    await()
        .atMost(3, TimeUnit.MINUTES)
        .until(() -> relayed(0, key, "inbox", "--approver", "phone").out().contains(request));
  }

  private static Commands.Said decide(int exitCode, String word, String request) {
    return folder.decide(
        exitCode,
        word,
        "phone",
        List.of(
            "--approver",
            "phone",
            "--request",
            request,
            "--reason",
            "since I say so",
            "--relay",
            server.harpUrl().orElseThrow().toString(),
            "--api-key",
            key));
  }

  private static Commands.Said enforce(int exitCode, String artifact, String decision) {
    return folder.enforce(exitCode, "phone", artifact + ".json", decision + ".decision.json");
  }

  @Test
  void whatWaitsIsOpenedWithTheKeysOfItsDeviceAndSealedForOthers() {
    folder.createDevice("thief");
    String request = make("opened");
    relayed(
        0,
        key,
        "submit",
        "--enforcer",
        "ci",
        "--artifact",
        path("opened.sealed.json"),
        "--approver",
        "phone");

    assertThat(withKeys(0, "phone", "inbox").lines())
        .filteredOn(line -> line.startsWith("command.review " + request))
        .hasSize(1);
    assertThat(withKeys(0, "phone", "watch", "--count", "1")).contains("  command: " + MARKER);
    assertThat(withKeys(0, "thief", "inbox"))
        .contains(request, "can't be opened: HARP_ERR_")
        .doesNotContain(MARKER);
    assertThat(withKeys(2, "phone", "inbox", "--json")).isEmpty();
  }

  private static String withKeys(int exitCode, String device, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--approver", "phone", "--keys", path(device + ".keys")));
    all.addAll(List.of("--passphrase-file", path("passphrase")));
    return relayed(exitCode, key, all.toArray(String[]::new)).out();
  }

  @Test
  void anApprovalTravelsOverTheRelayAndIsVerifiedWithoutIt() throws Exception {
    String request = make("one");
    CompletableFuture<Commands.Said> submitted = submit("one");
    awaitInbox(request);

    String listed = relayed(0, key, "inbox", "--approver", "phone").out();
    assertThat(listed).contains(LABEL, "command.review").doesNotContain(MARKER);
    String shown =
        relayed(
                0,
                key,
                "show",
                "--keys",
                path("phone.keys"),
                "--passphrase-file",
                path("passphrase"),
                "--approver",
                "phone",
                "--request",
                request)
            .out();
    assertThat(shown).contains(MARKER);
    assertThat(decide(0, "approve", request).err()).contains(MARKER);

    assertThat(submitted.get(1, TimeUnit.MINUTES).err()).contains(request + ": pendingApproval");
    assertThat(enforce(0, "one", "one").out()).contains("allow, signed by");
    assertThat(Files.readString(directory.resolve("one.decision.json"))).contains("since I say so");
    assertThat(relayed(0, key, "inbox", "--approver", "phone").out()).doesNotContain(request);
    assertThat(decide(1, "approve", request).err()).contains("does not wait for this approver");
  }

  @Test
  void aRejectionDenies() throws Exception {
    String request = make("two");
    CompletableFuture<Commands.Said> submitted = submit("two");
    awaitInbox(request);

    decide(0, "reject", request);

    var unused = submitted.get(1, TimeUnit.MINUTES);
    assertThat(enforce(2, "two", "two").out()).contains("deny, signed by");
  }

  @Test
  void aDecisionOfAnotherArtifactIsNotValid() throws Exception {
    String request = make("three");
    var unusedOther = make("four");
    CompletableFuture<Commands.Said> submitted = submit("three");
    awaitInbox(request);
    decide(0, "approve", request);
    var unused = submitted.get(1, TimeUnit.MINUTES);

    assertThat(enforce(1, "four", "three").out()).contains("not valid: HARP_ERR_");
  }

  @Test
  void anotherActorHasNoAccessToAnInbox() {
    String other = server.credential("somebody", Set.of("*"));

    assertThat(relayed(1, other, "inbox", "--approver", "phone").err())
        .contains("There is no such party. (404 HARP_ERR_TRANSPORT)");
  }

  @Test
  void aRelayIsSentNoPlaintext() throws Exception {
    var unused = make("plain");

    assertThat(
            relayed(1, key, "submit", "--enforcer", "ci", "--artifact", path("plain.json")).err())
        .contains("is not sealed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sessionId", "baseRevision", "metadata", "extensions"})
  void whatAMessageHasNoPlaceForIsRefusedByNameAndNothingIsSent(String member) throws Exception {
    String name = "with-" + member;
    String request = folder.createArtifact(name, "{\"command\":\"make\"}", "phone");
    Path sealed = directory.resolve(name + ".sealed.json");
    ObjectNode json = (ObjectNode) Json.parse(Files.readString(sealed));
    if (member.endsWith("Id") || member.startsWith("base")) {
      json.put(member, "x");
    } else {
      json.putObject(member).put("x", "y");
    }
    Files.writeString(sealed, json.toString());

    assertThat(relayed(1, key, "submit", "--enforcer", "ci", "--artifact", sealed.toString()).err())
        .contains(member);
    assertThat(relayed(0, key, "inbox", "--approver", "phone").out()).doesNotContain(request);
  }

  @Test
  void aRevokedApproverReceivesNothing() {
    administered(0, "create", "lost");
    relayed(0, key, "inbox", "--approver", "lost");

    assertThat(administered(0, "revoke", "approver", "lost").out()).contains("revoked 20");

    relayed(1, key, "inbox", "--approver", "lost");
    assertThat(administered(0, "list").out())
        .contains("approver  phone")
        .containsPattern("approver {2}lost {2}of \\S+ {2}revoked");
  }

  @Test
  void theAuditLogIsListedAndItsChainVerified() {
    administered(0, "create", "audited");

    Commands.Said said = audited(0);
    assertThat(said.out()).contains("approver_created  approver audited");
    assertThat(said.err()).contains("the chain is whole; the last hash is sha256:");
    String last = said.err().strip().replaceFirst(".* ", "");
    administered(0, "revoke", "approver", "audited");
    assertThat(audited(0, "--expect", last).out()).contains("party_revoked  approver audited");
    assertThat(audited(8, "--expect", "sha256:" + "0".repeat(64)).err())
        .contains("The log does not have the entry sha256:000");
  }

  private static Commands.Said audited(int exitCode, String... words) {
    return administered(exitCode, "audit", List.of(words));
  }

  @Test
  void plaintextBeyondThisMachineIsNotServed() {
    LocalServerOptions options =
        LocalServerOptions.of(directory.resolve("open")).withoutDemoAgent().withHarpPort(0);

    assertThatThrownBy(
            () ->
                LocalServer.start(
                    options.withGateway(
                        options
                            .gateway()
                            .withListener(
                                on -> ListenerOptions.defaults().withAddress("0.0.0.0", 0)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("plaintext");
  }
}
