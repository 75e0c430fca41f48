package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.integrations.enforcer.Bundle.Node.object;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.receipt.ReceiptSigner;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** The lines of a bundle of evidence, to change them: what is hashed and signed is made anew. */
final class Bundle {
  private static final int MOST = 4 << 20;

  private final ArrayNode lines = JsonNodeFactory.instance.arrayNode();

  /** Reads members that have to be there. */
  static final class Node {
    private Node() {}

    static ObjectNode object(JsonNode of, String name) {
      return (ObjectNode) of.get(name);
    }
  }

  static Bundle of(String text) {
    Bundle bundle = new Bundle();
    text.lines().forEach(line -> bundle.lines.add(StrictJson.parse(line.getBytes(UTF_8), MOST)));
    return bundle;
  }

  Bundle copy() {
    Bundle copy = new Bundle();
    copy.lines.addAll(lines.deepCopy());
    return copy;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(new String(CanonicalJson.bytes(line), UTF_8)).append('\n'));
    return text.toString();
  }

  /** Returns the contents of the lines of a type. */
  List<ObjectNode> all(String type) {
    return lines.findParents("type").stream()
        .filter(line -> line.get("type").textValue().equals(type) && line.has(type))
        .map(line -> object(line, type))
        .collect(Collectors.toList());
  }

  ObjectNode header() {
    return (ObjectNode) lines.get(0);
  }

  ObjectNode receipt() {
    return all("receipt").get(0);
  }

  ObjectNode approval(int index) {
    return (ObjectNode) receipt().get("approvals").get(index);
  }

  ObjectNode proof(int approval) {
    return object(approval(approval), "quorum_proof");
  }

  ObjectNode evidence(int approval) {
    return all("evidence").get(approval);
  }

  ObjectNode answer(int approval, int index) {
    return (ObjectNode) evidence(approval).get("decisions").get(index);
  }

  ObjectNode enrolment(int approval, int index) {
    return object(evidence(approval).get("keys").get(index), "enrolment");
  }

  ObjectNode artifact(int index) {
    return all("artifact").get(index);
  }

  /** Returns the event that says that an approval was used. */
  ObjectNode used(int index) {
    return all("event").stream().filter(event -> event.has("payload")).toList().get(index);
  }

  void add(String type, ObjectNode content) {
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("type", type);
    line.set(type, content);
    lines.add(line);
  }

  /** Cuts off what the server has signed over the lines: who changes them can't keep it. */
  void cutEnd() {
    remove("chain", 0);
    remove("end", 0);
  }

  void remove(String type, int index) {
    int seen = -1;
    for (int at = 0; at < lines.size(); at++) {
      if (lines.get(at).has(type)) {
        seen++;
      }
      if (seen == index) {
        lines.remove(at);
        return;
      }
    }
    throw new AssertionError("there is no such line");
  }

  /** Gives an event another payload, with the commitment of that. */
  static void commit(ObjectNode event, String payload) {
    byte[] salt = HexFormat.of().parseHex(event.get("salt").textValue());
    event.put("payload", payload);
    event.put("commitment", Sha256.of(salt, new byte[1], payload.getBytes(UTF_8)).toString());
  }

  /** Puts the digest of the events into the receipt. */
  void digestLog() {
    String log =
        all("event").stream()
            .map(event -> event.deepCopy().without(List.of("payload", "salt")))
            .map(event -> new String(CanonicalJson.bytes((ObjectNode) event), UTF_8) + '\n')
            .collect(Collectors.joining());
    object(receipt().get("metadata"), "bridle.log")
        .put("events", all("event").size())
        .put("sha256", Sha256.of(log.getBytes(UTF_8)).toString());
  }

  /** Signs whose devices they are, with a key of an issuer. */
  void signEnrolments(SigningKey issuer) {
    for (ObjectNode evidence : all("evidence")) {
      for (JsonNode key : evidence.get("keys")) {
        byte[] statement = CanonicalJson.bytes(key.get("enrolment"));
        object(key, "signature")
            .put("key_id", issuer.id())
            .put("signature", Base64Url.encode(issuer.sign(statement)));
      }
    }
  }

  /** Puts the hashes of the evidence into the receipt, and signs it. */
  void signReceipt(SigningKey issuer) {
    for (ObjectNode evidence : all("evidence")) {
      for (JsonNode approval : receipt().get("approvals")) {
        if (approval.get("approval_id").equals(evidence.get("approval").get("id"))) {
          ((ObjectNode) approval)
              .put("evidence_hash", Sha256.of(CanonicalJson.bytes(evidence)).toString());
        }
      }
    }
    ObjectNode receipt = receipt();
    object(receipt, "issuer").put("public_key_id", issuer.id());
    JsonNode signed = StrictJson.parse(new ReceiptSigner(issuer).sign(receipt).bytes());
    receipt.setAll((ObjectNode) signed);
  }
}
