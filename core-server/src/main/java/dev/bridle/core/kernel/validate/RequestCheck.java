package dev.bridle.core.kernel.validate;

import build.buf.protovalidate.ValidationResult;
import build.buf.protovalidate.Validator;
import build.buf.protovalidate.ValidatorFactory;
import build.buf.protovalidate.Violation;
import build.buf.protovalidate.exceptions.ValidationException;
import build.buf.validate.FieldPathElement;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.bridle.api.v1.FreeForm;
import dev.bridle.api.v1.Options;
import dev.bridle.core.kernel.error.ProtocolException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;

/**
 * Checks a request against what the .proto declares: field rules (protovalidate) and free-form
 * JSON.
 */
public final class RequestCheck {
  /** Takes half a second to build, so it is built in parallel with start-up. */
  private final CompletableFuture<Validator> validator =
      CompletableFuture.supplyAsync(
          () -> ValidatorFactory.newBuilder().build(), ForkJoinPool.commonPool());

  private final Map<Descriptor, Boolean> holdsJson = new ConcurrentHashMap<>();

  /**
   * Rejects a request that violates a rule, with {@code invalid_request} and the invalid member.
   */
  public void check(Message request) {
    if (!WellFormedText.isWellFormedMessage(request)) {
      throw ProtocolException.invalid(broken(request), "holds half of a surrogate pair");
    }
    json(request, "");
    try {
      ValidationResult result = validator.join().validate(request);
      if (!result.isSuccess()) {
        Violation first = result.getViolations().get(0);
        throw ProtocolException.invalid(
            path(request.getDescriptorForType(), first), first.toProto().getMessage());
      }
    } catch (ValidationException e) {
      throw new IllegalStateException("the rules of a message can't be evaluated", e);
    }
  }

  /** Returns the path of a violation in JSON terms, where a union has no member of its own. */
  private static String path(Descriptor type, Violation violation) {
    StringBuilder path = new StringBuilder();
    Descriptor at = type;
    for (FieldPathElement element : violation.toProto().getField().getElementsList()) {
      FieldDescriptor field = at == null ? null : at.findFieldByName(element.getFieldName());
      boolean union = at != null && at.getOptions().getExtension(Options.message).getUnion();
      if (!union) {
        path.append(path.length() == 0 ? "" : ".").append(element.getFieldName());
        if (element.hasIndex()) {
          path.append('[').append(element.getIndex()).append(']');
        }
      }
      boolean message = field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      at = message ? field.getMessageType() : null;
    }
    return path.toString();
  }

  /** Returns the member of a request that contains text that is not well-formed. */
  private static String broken(Message request) {
    return request.getAllFields().entrySet().stream()
        .filter(
            entry ->
                !WellFormedText.isWellFormedMessage(
                    request.toBuilder()
                        .clear()
                        .setField(entry.getKey(), entry.getValue())
                        .buildPartial()))
        .map(entry -> entry.getKey().getName())
        .findFirst()
        .orElse("");
  }

  private void json(Message message, String prefix) {
    if (!holdsJson.computeIfAbsent(
        message.getDescriptorForType(), type -> mayHoldJson(type, new HashSet<>()))) {
      return;
    }
    boolean union =
        message.getDescriptorForType().getOptions().getExtension(Options.message).getUnion();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      String path = union ? prefix : prefix + (prefix.isEmpty() ? "" : ".") + field.getName();
      if (entry.getValue() instanceof Collection<?> values) {
        int index = 0;
        for (Object value : values) {
          value(field, value, path + "[" + index++ + "]");
        }
      } else {
        value(field, entry.getValue(), path);
      }
    }
  }

  private void value(FieldDescriptor field, Object value, String path) {
    if (value instanceof Message inner) {
      json(inner, path);
    } else if (value instanceof ByteString bytes && freeForm(field)) {
      boolean object =
          field.getOptions().getExtension(Options.field).getFreeForm() == FreeForm.FREE_FORM_OBJECT;
      FreeFormJson.check(bytes.toByteArray(), object, path);
    }
  }

  private static boolean mayHoldJson(Descriptor type, Set<Descriptor> seen) {
    if (!seen.add(type)) {
      return false;
    }
    return type.getFields().stream()
        .anyMatch(
            field ->
                freeForm(field)
                    || (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                        && mayHoldJson(field.getMessageType(), seen)));
  }

  private static boolean freeForm(FieldDescriptor field) {
    return field.getOptions().getExtension(Options.field).getFreeForm()
        != FreeForm.FREE_FORM_UNSPECIFIED;
  }
}
