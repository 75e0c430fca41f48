package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harp.seal.KeyFile;
import dev.bridle.harp.seal.SealedNotice;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A phone that reads its inbox, by HTTP alone. */
final class HarpPhone {
  private static final String PASSPHRASE = "a long passphrase";

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI harp;
  private final String approver;
  private final String token;
  private final DeviceKeys keys;

  private HarpPhone(URI harp, String approver, String token, DeviceKeys keys) {
    this.harp = harp;
    this.approver = approver;
    this.token = token;
    this.keys = keys;
  }

  /** Makes keys in a folder, and pairs by a link. */
  static HarpPhone paired(URI harp, Path directory, String approver, String link)
      throws IOException, HarpException {
    Path passphrase = Files.writeString(directory.resolve("passphrase"), PASSPHRASE + "\n");
    Path file = directory.resolve(approver + ".keys");
    Path token = directory.resolve(approver + ".token");
    var unused =
        Commands.run(
            0,
            "harp",
            "keys",
            "create",
            file.toString(),
            "--passphrase-file",
            passphrase.toString());
    var unusedPairing =
        Commands.run(
            0,
            "harp",
            "pair",
            "accept",
            "--approver",
            approver,
            "--keys",
            file.toString(),
            "--passphrase-file",
            passphrase.toString(),
            "--token-out",
            token.toString(),
            link.substring(link.indexOf('#') + 1));
    return new HarpPhone(
        harp,
        approver,
        Files.readString(token).trim(),
        KeyFile.open(Files.readAllBytes(file), PASSPHRASE.toCharArray()));
  }

  String approver() {
    return approver;
  }

  /** Returns the answer to a call with the phone's token. */
  HttpResponse<String> get(String path) {
    return sent(request(path).header("Authorization", "Bearer " + token));
  }

  /** Returns the answer to a call without a token. */
  HttpResponse<String> getOpenly(String path) {
    return sent(request(path));
  }

  /** Opens the stream of what comes. */
  InputStream stream() throws IOException, InterruptedException {
    return http.send(
            request("/v1/sse/approvers/" + approver)
                .header("Authorization", "Bearer " + token)
                .build(),
            BodyHandlers.ofInputStream())
        .body();
  }

  /** Acknowledges a notice as one of an approver. */
  HttpResponse<String> acknowledge(String of, String noticeId) {
    ObjectNode envelope =
        Json.object("{\"msgType\":\"ack.submit\",\"requestId\":\"-\"}")
            .put("createdAt", "2026-01-01T00:00:00.125Z");
    envelope.putObject("sender").put("approverId", of);
    envelope
        .putObject("body")
        .put("msgId", noticeId)
        .put("status", "received")
        .put("ackAt", "2026-01-01T00:00:00.125Z");
    return sent(
        request("/v1/acks")
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(envelope.toString())));
  }

  /** Returns the sealed notices of the inbox. */
  List<JsonNode> sealed() {
    List<JsonNode> found = new ArrayList<>();
    Json.parse(get("/v1/approvers/" + approver + "/inbox").body())
        .at("/trace/dev.bridle.notices")
        .forEach(found::add);
    return found;
  }

  /** Returns the notices of the inbox that are sealed for this phone, opened. */
  List<ObjectNode> notices() throws HarpException {
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode one : sealed()) {
      found.add(SealedNotice.open((ObjectNode) one, approver, keys.agreement()));
    }
    return found;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(harp.toString().replaceAll("/$", "") + path));
  }

  private HttpResponse<String> sent(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
