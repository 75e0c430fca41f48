package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.core.RequestedActions;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.proof.key.Base64Url;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.crypto.agreement.X25519Agreement;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;

/** Artifacts as a Bridle server asks a device, signed and sealed. */
final class ArtifactVectors {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final byte[] SALT = FixedRandom.count(0x20, 16);
  private static final byte[] NONCE = FixedRandom.count(0x30, 24);
  private static final byte[] SECOND_NONCE = FixedRandom.count(0x50, 24);

  private ArtifactVectors() {}

  /** Returns the artifact that the decisions are about, which offers buttons. */
  static Artifact withButtons() throws HarpException {
    return signed(
        "harp_01KHZV9M5Q0000000000000001",
        RequestedActions.extension(
            List.of(
                new RequestedActions.Action("deploy", "Deploy", "primary", Answer.ALLOW),
                new RequestedActions.Action("dry-run", "Dry run", "primary", Answer.ALLOW),
                new RequestedActions.Action("cancel", "Cancel", "danger", Answer.DENY))));
  }

  static ArrayNode json() throws HarpException {
    ArrayNode all = NODES.arrayNode();
    all.add(vector("payload alone", signed("harp_01KHZV9M5Q0000000000000002", Optional.empty())));
    all.add(vector("payload and extensions", withButtons()));
    return all;
  }

  private static Artifact signed(String requestId, Optional<ObjectNode> extensions)
      throws HarpException {
    Artifact.About about =
        new Artifact.About(
            requestId,
            "command.review",
            "bridle:workspace/ws_01KHZV9M5Q0000000000000003",
            VectorKeys.ASKED,
            VectorKeys.ASKED.plusSeconds(600),
            Optional.empty());
    ObjectNode payload = payload();
    byte[] statement =
        IssuerSignature.statement(Artifact.create(about, payload.deepCopy(), extensions));
    IssuerSignature.put(
        payload,
        NODES
            .objectNode()
            .put("algorithm", "Ed25519")
            .put("key_id", VectorKeys.ISSUER.id())
            .put("signature", Base64Url.encode(VectorKeys.ISSUER.sign(statement)))
            .put("signed_at", "2026-02-21T12:00:00.125Z"));
    return Artifact.create(about, payload, extensions);
  }

  private static ObjectNode payload() {
    ObjectNode payload =
        NODES
            .objectNode()
            .put("format", "bridle-permission-2")
            .put("kind", "command")
            .put("tool", "shell")
            .put("content", "{\"args\":[\"deploy\",\"--env=live\"],\"command\":\"make\"}")
            .put("prompt", "Deploy the release?\nIt \u202ereverses\u202c text, \u00e4 and \u2713.")
            .put("said", "{\"title\":\"Deploy \\u001b[31mnow\"}")
            .put("sideEffect", "network")
            .put("permissionRequestId", "perm_01KHZV9M5Q0000000000000004")
            .put("taskId", "task_01KHZV9M5Q0000000000000005")
            .put("sessionId", "sess_01KHZV9M5Q0000000000000006")
            .put("fingerprint", "sha256:" + HarpJson.hex("fingerprint".getBytes(UTF_8)))
            .put("contentHash", "sha256:" + HarpJson.hex("content".getBytes(UTF_8)))
            .put("salt", Base64Url.encode(FixedRandom.count(0x70, 32)));
    ArrayNode options = payload.putArray("options");
    option(options, "deploy", "Deploy", "allow_once");
    option(options, "dry-run", "Dry run", "allow_once");
    option(options, "cancel", "Cancel", "reject_once");
    payload
        .putObject("grants")
        .put("this_action", "This exact action, in this session.")
        .put("this_session", "Whatever an agent asks for in this session.");
    return payload;
  }

  private static void option(ArrayNode options, String id, String name, String kind) {
    options.addObject().put("id", id).put("name", name).put("kind", kind);
  }

  private static ObjectNode vector(String name, Artifact artifact) throws HarpException {
    SealedArtifact sealed =
        SealedArtifact.sealWithExtensions(
            artifact,
            VectorKeys.DEVICE.agreement().publicKey(),
            FixedRandom.of(VectorKeys.EPHEMERAL.clone(), SALT, NONCE, SECOND_NONCE));
    ObjectNode vector = NODES.objectNode().put("name", name);
    vector.set("document", artifact.json());
    vector
        .put("statement", new String(IssuerSignature.statement(artifact), UTF_8))
        .put("hashed", new String(artifact.signable(), UTF_8))
        .put("aad", new String(sealed.authenticated(), UTF_8))
        .put("salt", Base64Url.encode(SALT))
        .put("shared", HexFormat.of().formatHex(shared()));
    box(vector.putObject("box"), "HARP-XCHACHA-PAYLOAD-V1", NONCE, artifact.payload());
    if (artifact.json().get("extensions") instanceof ObjectNode extensions) {
      box(vector.putObject("secondBox"), "HARP-XCHACHA-EXTENSIONS-V1", SECOND_NONCE, extensions);
    }
    vector.set("sealed", sealed.json());
    vector.set("relayed", ArtifactSubmit.body(sealed).get("ciphertext"));
    return vector;
  }

  private static void box(ObjectNode box, String info, byte[] nonce, ObjectNode content)
      throws HarpException {
    box.put("info", info)
        .put("key", HexFormat.of().formatHex(key(info)))
        .put("nonce", Base64Url.encode(nonce))
        .put("plaintext", new String(HarpJson.canonical(content), UTF_8));
  }

  private static byte[] shared() {
    X25519Agreement agreement = new X25519Agreement();
    agreement.init(new X25519PrivateKeyParameters(VectorKeys.EPHEMERAL));
    byte[] shared = new byte[agreement.getAgreementSize()];
    agreement.calculateAgreement(
        new X25519PublicKeyParameters(VectorKeys.DEVICE.agreement().publicKey()), shared, 0);
    return shared;
  }

  private static byte[] key(String info) {
    HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(shared(), SALT, info.getBytes(US_ASCII)));
    byte[] key = new byte[32];
    generator.generateBytes(key, 0, key.length);
    return key;
  }
}
