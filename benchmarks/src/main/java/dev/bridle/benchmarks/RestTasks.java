package dev.bridle.benchmarks;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A client of the public REST and SSE face over HTTP/1.1. */
final class RestTasks implements AutoCloseable {
  private static final String VERSION = "Harn-Agents-Protocol-Version";
  private static final String PROTOCOL = "agents-protocol-2026-04-25";

  private final ClientFactory factory;
  private final WebClient web;
  private final String authorization;
  private static final HttpData TRIVIAL = HttpData.ofUtf8("{\"input\":{\"n\":1}}");
  private static final HttpData TRIVIAL_WITHOUT_RECEIPT =
      HttpData.ofUtf8("{\"input\":{\"n\":1},\"receipt\":false}");
  private static final HttpData DEMO =
      HttpData.ofUtf8(
          "{\"input\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"visibility\":\"public\","
              + "\"text\":\"the quick brown fox and the lazy dog\"}]}}");

  private static final HttpData SESSION = HttpData.ofUtf8("{\"workspace_id\":\"default\"}");

  private final String sessionPath;

  RestTasks(URI base, String key, String session) {
    this.factory = ClientFactory.builder().useHttp2Preface(false).build();
    this.web =
        WebClient.builder("h1c://" + base.getAuthority())
            .factory(factory)
            .responseTimeoutMillis(60_000)
            .maxResponseLength(0)
            .build();
    this.authorization = "Bearer " + key;
    this.sessionPath = path(session);
  }

  /** Asks for something that touches neither core state nor storage. */
  CompletableFuture<?> noop() {
    return web.execute(headers(HttpMethod.GET, "/v1/agent-card"))
        .aggregate()
        .thenAccept(response -> need(response, HttpStatus.OK));
  }

  /** Asks for something that takes one record from storage, and the caller's key. */
  CompletableFuture<?> readOne() {
    return read(sessionPath);
  }

  /** Asks for another session's record. */
  CompletableFuture<?> readOne(String session) {
    return read(path(session));
  }

  private CompletableFuture<?> read(String path) {
    return web.execute(headers(HttpMethod.GET, path))
        .aggregate()
        .thenAccept(response -> need(response, HttpStatus.OK));
  }

  /** Submits a task that takes no work, and reads its stream to its terminal event. */
  CompletableFuture<?> trivialTask() {
    return submitAndFollow(sessionPath, TRIVIAL);
  }

  /** Does the same in another session, with a receipt at the end or without. */
  CompletableFuture<?> trivialTask(String session, boolean receipt) {
    return submitAndFollow(path(session), receipt ? TRIVIAL : TRIVIAL_WITHOUT_RECEIPT);
  }

  /** Submits a task of the demo agent, and reads its stream to its terminal event. */
  CompletableFuture<?> demoTask() {
    return submitAndFollow(sessionPath, DEMO);
  }

  /** Does the same in another session. */
  CompletableFuture<?> demoTask(String session) {
    return submitAndFollow(path(session), DEMO);
  }

  /** Makes a session and returns its id. */
  String newSession() {
    RequestHeaders headers =
        headers(HttpMethod.POST, "/v1/sessions").toBuilder().contentType(MediaType.JSON).build();
    AggregatedHttpResponse made = web.execute(HttpRequest.of(headers, SESSION)).aggregate().join();
    need(made, HttpStatus.CREATED);
    return id(made);
  }

  private static String path(String session) {
    return "/v1/sessions/" + session;
  }

  private CompletableFuture<?> submitAndFollow(String path, HttpData submission) {
    RequestHeaders headers =
        headers(HttpMethod.POST, path + "/tasks").toBuilder().contentType(MediaType.JSON).build();
    return web.execute(HttpRequest.of(headers, submission))
        .aggregate()
        .thenCompose(
            accepted -> {
              need(accepted, HttpStatus.ACCEPTED);
              return web.execute(headers(HttpMethod.GET, "/v1/tasks/" + id(accepted) + "/stream"))
                  .aggregate();
            })
        .thenAccept(
            stream -> {
              need(stream, HttpStatus.OK);
              if (!stream.contentUtf8().contains("event: task.completed")) {
                throw new IllegalStateException("a stream ended early: " + stream.contentUtf8());
              }
            });
  }

  private RequestHeaders headers(HttpMethod method, String path) {
    return RequestHeaders.builder(method, path)
        .add(HttpHeaderNames.AUTHORIZATION, authorization)
        .add(VERSION, PROTOCOL)
        .build();
  }

  private static String id(AggregatedHttpResponse accepted) {
    String json = accepted.content(StandardCharsets.UTF_8);
    int at = json.indexOf("\"id\":\"") + 6;
    return json.substring(at, json.indexOf('"', at));
  }

  private static void need(AggregatedHttpResponse response, HttpStatus status) {
    if (!response.status().equals(status)) {
      throw new IllegalStateException(response.status() + ": " + response.contentUtf8());
    }
  }

  @Override
  public void close() {
    factory.close();
  }
}
