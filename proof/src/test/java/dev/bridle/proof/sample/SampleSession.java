package dev.bridle.proof.sample;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.ReceiptSigner;
import dev.bridle.proof.receipt.SignedReceipt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** A session that issues receipts, one after the other. */
public final class SampleSession {
  private final String id;
  private final Random random;
  private final SampleReceipts receipts;
  private ChainHead head;
  private final long era;

  /** Begins a session whose receipts have all that receipts can have. */
  public static SampleSession rich(String id, Random random) {
    return new SampleSession(id, random, SampleReceipts.rich(random), ChainHead.EMPTY, 1);
  }

  /** Begins a session of short receipts. */
  public static SampleSession plain(String id, Random random) {
    return new SampleSession(id, random, SampleReceipts.plain(random), ChainHead.EMPTY, 1);
  }

  private SampleSession(
      String id, Random random, SampleReceipts receipts, ChainHead head, long era) {
    this.id = id;
    this.random = random;
    this.receipts = receipts;
    this.head = head;
    this.era = era;
  }

  /** Returns the session's chain so far. */
  public ChainHead head() {
    return head;
  }

  /** Returns the next receipt, not signed yet and not part of the chain yet. */
  public Draft draft() {
    ObjectNode receipt = receipts.task(id);
    head.link(receipt, era);
    return new Draft(receipt, random);
  }

  /** Issues the next receipt. */
  public byte[] issue() {
    return issue(draft());
  }

  /** Issues a draft as the next receipt. */
  public byte[] issue(Draft draft) {
    SignedReceipt signed = new ReceiptSigner(SampleKeys.CURRENT).sign(draft.receipt());
    head = head.append(signed.hash());
    return signed.bytes();
  }

  /** Issues the next receipt as one of a key, changed before it is signed. */
  public byte[] issue(SigningKey key, Consumer<ObjectNode> change) {
    Draft draft = draft();
    change.accept(draft.receipt());
    byte[] receipt = draft.signed(key).getBytes(StandardCharsets.UTF_8);
    head = head.append(statedHash(receipt).orElseThrow());
    return receipt;
  }

  /** Issues the next receipt without a signature, as anybody can. */
  public byte[] issueUnsigned() {
    byte[] receipt = draft().unsigned().getBytes(StandardCharsets.UTF_8);
    head = head.append(statedHash(receipt).orElseThrow());
    return receipt;
  }

  /** Issues so many receipts. */
  public List<byte[]> issue(int count) {
    List<byte[]> issued = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      issued.add(issue());
    }
    return issued;
  }

  /** Issues the next receipt broken; the chain goes on with it if it is whole by itself. */
  public byte[] issue(Breakage breakage) {
    byte[] broken = breakage.bytes().apply(draft());
    if (breakage.isInChain()) {
      statedHash(broken).ifPresent(hash -> head = head.append(hash));
    }
    return broken;
  }

  /** Returns a session that goes on from here by itself, in an era. */
  public SampleSession fork(long era) {
    return new SampleSession(id, random, receipts, head, era);
  }

  private static Optional<Sha256> statedHash(byte[] receipt) {
    return Sha256.parse(StrictJson.parse(receipt).at("/chain/receipt_hash").asText());
  }
}
