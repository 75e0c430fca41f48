package dev.bridle.core.integrations.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.relay.v1.CreateHarpRepoRequest;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.relay.v1.HarpRepoServiceGrpc;
import dev.bridle.relay.v1.PromptServiceGrpc;
import dev.bridle.relay.v1.SendPromptRequest;
import io.grpc.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Prompts about the repository {@code repo:acme/widgets}, and what is answered to them. */
public final class SamplePrompts {
  /** The repository. */
  public static final String REPO = "repo:acme/widgets";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SamplePrompts() {}

  /** Maps the repository to the workspace {@code default}, with a default session. */
  public static HarpRepo map(Channel caller, String session) {
    return HarpRepoServiceGrpc.newBlockingStub(caller).createHarpRepo(mapping(session));
  }

  /** Returns the request that maps the repository. */
  public static CreateHarpRepoRequest mapping(String session) {
    return CreateHarpRepoRequest.newBuilder()
        .setWorkspaceId("default")
        .setRepoRef(REPO)
        .setSessionId(session)
        .build();
  }

  /** Returns a prompt without its hash. */
  public static ObjectNode prompt(String request, String text, Instant createdAt) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("requestId", request)
        .put("artifactType", "prompt.send")
        .put("createdAt", createdAt.truncatedTo(ChronoUnit.SECONDS).toString())
        .put("target", "agentChat")
        .put("repoRef", REPO)
        .put("text", text)
        .put("promptHashAlg", "SHA-256");
  }

  /** Returns a prompt that is to be delivered until a time. */
  public static ObjectNode until(ObjectNode prompt, Instant expiresAt) {
    prompt
        .putObject("extensions")
        .putObject("harpPrompt")
        .put("expiresAt", expiresAt.truncatedTo(ChronoUnit.SECONDS).toString());
    return prompt;
  }

  /** Returns a prompt with its hash. */
  public static ObjectNode hashed(ObjectNode prompt) {
    try {
      return prompt.deepCopy().put("promptHash", HarpJson.hashWithout(prompt, "promptHash"));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends a prompt with its hash, and returns the acknowledgment. */
  public static JsonNode send(Channel caller, ObjectNode prompt) {
    return sendRaw(caller, hashed(prompt));
  }

  /** Sends a document as it is. */
  public static JsonNode sendRaw(Channel caller, JsonNode document) {
    try {
      return MAPPER.readTree(
          PromptServiceGrpc.newBlockingStub(caller)
              .sendPrompt(
                  SendPromptRequest.newBuilder()
                      .setDocument(ByteString.copyFrom(MAPPER.writeValueAsBytes(document)))
                      .build())
              .getDocument()
              .newInput());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the status of an acknowledgment. */
  public static String status(JsonNode ack) {
    return ack.path("status").asText();
  }
}
