package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.json.JsonWriter;
import dev.bridle.json.MemberPolicy;
import dev.bridle.json.MessagePlans;
import java.util.List;

/** Serializes resources as JSON for event payloads, hashes, cards and webhook bodies. */
public final class ResourceJson {
  private static final MessagePlans PLANS = new MessagePlans();
  private static final JsonWriter WHOLE = new JsonWriter(PLANS, MemberPolicy.WHOLE);
  private static final JsonWriter SPARSE = new JsonWriter(PLANS, MemberPolicy.SPARSE);
  private static final JsonWriter NON_DEFAULT = new JsonWriter(PLANS, MemberPolicy.NON_DEFAULT);

  private ResourceJson() {}

  /**
   * Returns whether a field always has a value: a number or boolean that can't be absent, whose
   * zero and {@code false} are values like any other.
   */
  public static boolean alwaysSet(FieldDescriptor field) {
    return SPARSE.plan(field).alwaysSet();
  }

  /** Returns a member of a resource; {@code null} if it may be absent and is. */
  public static ByteString member(Message resource, FieldDescriptor field) {
    return UnsafeByteOperations.unsafeWrap(SPARSE.writeMember(resource, field));
  }

  /** Returns an object of all members that REST responses have, empty ones among them. */
  public static ByteString whole(Message resource) {
    return UnsafeByteOperations.unsafeWrap(WHOLE.write(resource));
  }

  /**
   * Returns an object of the members that are set and not empty; numbers and booleans that can't be
   * absent are always included.
   */
  public static ByteString of(Message message) {
    return UnsafeByteOperations.unsafeWrap(SPARSE.write(message));
  }

  /**
   * Returns an object of the members that differ from their type's default, zeros and {@code false}
   * left out: the stable form that stored hashes are of.
   */
  public static ByteString nonDefault(Message message) {
    return UnsafeByteOperations.unsafeWrap(NON_DEFAULT.write(message));
  }

  /** Returns an array of messages. */
  public static ByteString list(List<? extends Message> messages) {
    return UnsafeByteOperations.unsafeWrap(SPARSE.writeList(messages));
  }
}
