package dev.bridle.core.integrations.connector;

import com.google.protobuf.ByteString;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ConnectorWebhook;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.IngressServiceGrpc;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.vault.v1.VaultServiceGrpc;
import io.grpc.Channel;
import java.util.Map;

/** Connectors whose deliveries are signed as GitHub signs them. */
public final class SampleConnectors {
  /** What deliveries are signed with. */
  public static final String SECRET = "what GitHub knows";

  private SampleConnectors() {}

  /** Makes a vault that connectors may use, with the secret under the name {@code hook}. */
  public static String vault(Channel caller) {
    String vault =
        VaultServiceGrpc.newBlockingStub(caller)
            .createVault(SampleVaults.described().addCapabilities("connect").build())
            .getId();
    var unused = SampleVaults.put(caller, vault, "hook", SECRET);
    return vault;
  }

  /** Describes a connector of the workspace {@code default} that makes a task of each delivery. */
  public static CreateConnectorRequest.Builder described(String vault) {
    return CreateConnectorRequest.newBuilder()
        .setWorkspaceId("default")
        .setProvider("github")
        .setWebhook(
            ConnectorWebhook.newBuilder()
                .setSignature(
                    WebhookSignature.newBuilder()
                        .setPreset("github")
                        .setSecret(SecretName.newBuilder().setVaultId(vault).setName("hook"))))
        .setMapping(DeliveryMapping.newBuilder().setText("Look at {/title}"));
  }

  /** Makes a connector. */
  public static Connector made(Channel caller, CreateConnectorRequest.Builder described) {
    return ConnectorServiceGrpc.newBlockingStub(caller).createConnector(described.build());
  }

  /** Returns the last part of the path that a connector's deliveries are posted to. */
  public static String ingress(Connector connector) {
    String path = connector.getWebhook().getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns a delivery as GitHub sends it. */
  public static IngestRequest delivery(String ingress, String id, String body) {
    return delivery(
        ingress,
        body,
        Map.of(
            "content-type",
            "application/json",
            "x-github-delivery",
            id,
            "x-github-event",
            "issues",
            "x-hub-signature-256",
            "sha256=" + Signing.hex(SECRET, body)));
  }

  /** Returns a delivery with these headers. */
  public static IngestRequest delivery(String ingress, String body, Map<String, String> headers) {
    IngestRequest.Builder request =
        IngestRequest.newBuilder().setIngressId(ingress).setBody(ByteString.copyFromUtf8(body));
    headers.forEach(
        (name, value) ->
            request.addHeaders(IngressHeader.newBuilder().setName(name).setValue(value)));
    return request.build();
  }

  /** Delivers, as somebody without credentials of the server. */
  public static IngestResponse deliver(Channel nobody, IngestRequest delivery) {
    return IngressServiceGrpc.newBlockingStub(nobody).ingest(delivery);
  }
}
