package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;

/** How the two sides introduce themselves, and how a missing key is made good. */
final class Handshake {
  /** The one version of the protocol that is spoken. */
  static final int VERSION = 1;

  private static final String METHOD = "bridle-api-key";

  private final BridleServer server;

  Handshake(BridleServer server) {
    this.server = server;
  }

  /** Checks what the editor says of itself. */
  static void check(Params params) {
    JsonNode version = params.json().path("protocolVersion");
    if (!version.isIntegralNumber()) {
      throw AcpRefusal.badParams("protocolVersion must be a number");
    }
  }

  /** Returns what this side can do. Whoever speaks another version gets the one spoken here. */
  ObjectNode initialize() {
    ObjectNode result = JsonLines.object().put("protocolVersion", VERSION);
    ObjectNode capabilities = result.putObject("agentCapabilities").put("loadSession", true);
    capabilities
        .putObject("promptCapabilities")
        .put("image", false)
        .put("audio", false)
        .put("embeddedContext", true);
    capabilities.putObject("mcpCapabilities").put("http", false).put("sse", false);
    ObjectNode sessions = capabilities.putObject("sessionCapabilities");
    sessions.putObject("list");
    sessions.putObject("resume");
    sessions.putObject("close");
    result
        .putObject("agentInfo")
        .put("name", "bridle")
        .put("title", "Bridle")
        .put("version", BuildVersion.current());
    describe(result.putArray("authMethods"));
    return result;
  }

  /** A server that can't be reached now is no matter of the key. */
  private void describe(ArrayNode methods) {
    try {
      server.probe();
    } catch (CommandFailed e) {
      if (AcpRefusal.of(e).error().code() == AcpRefusal.AUTH_REQUIRED) {
        methods
            .addObject()
            .put("id", METHOD)
            .put("name", "API key of the Bridle server")
            .put(
                "description",
                "Name a file with a key in the settings of this agent: --api-key-file FILE."
                    + " 'bridle apikey create' creates one. Now: "
                    + e.getMessage());
      }
    }
  }

  /** Reads the key again. */
  ObjectNode authenticate(Params params) {
    if (!params.text("methodId").equals(METHOD)) {
      throw AcpRefusal.badParams("methodId must be " + METHOD);
    }
    server.authenticate();
    return JsonLines.object();
  }
}
