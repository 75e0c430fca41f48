package dev.bridle.gateway.json;

import com.fasterxml.jackson.core.io.SerializedString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.FieldRule;
import dev.bridle.api.v1.FreeForm;
import dev.bridle.api.v1.Options;
import java.util.Optional;

/** How one field is read and written. Made once, then only looked at. */
public final class FieldPlan {

  /** What a field holds, as far as JSON tells it apart. */
  public enum Shape {
    STRING,
    BOOLEAN,
    INTEGER,
    DECIMAL,
    ENUM,
    TIMESTAMP,
    FREE_FORM,
    BASE64,
    MESSAGE
  }

  private final FieldDescriptor descriptor;
  private final FieldRule rule;
  private final Shape shape;
  private final String jsonName;
  private final SerializedString quotedName;
  private final EnumSpelling spelling;
  private final boolean required;
  private MessagePlan message;

  FieldPlan(FieldDescriptor descriptor, boolean camelCase) {
    this.descriptor = descriptor;
    this.rule = descriptor.getOptions().getExtension(Options.field);
    this.shape = shape(descriptor, rule);
    this.jsonName = camelCase ? descriptor.getJsonName() : descriptor.getName();
    this.quotedName = new SerializedString(jsonName);
    this.spelling = shape == Shape.ENUM ? new EnumSpelling(descriptor.getEnumType()) : null;
    this.required = rule.getRequired() || Limits.of(descriptor).getRequired();
  }

  void link(MessagePlan plan) {
    this.message = plan;
  }

  /** The field itself. */
  public FieldDescriptor descriptor() {
    return descriptor;
  }

  /** The field's options. */
  public FieldRule rule() {
    return rule;
  }

  /** What the field (an entry of it, where it is repeated) holds. */
  public Shape shape() {
    return shape;
  }

  /** The member's name. */
  public String jsonName() {
    return jsonName;
  }

  /** Whether the member must be there, by our own rule or by the validation rules. */
  public boolean required() {
    return required;
  }

  /** The spelling of an ENUM. */
  public EnumSpelling spelling() {
    return Optional.ofNullable(spelling).orElseThrow();
  }

  /** The plan of a MESSAGE. */
  public MessagePlan message() {
    return Optional.ofNullable(message).orElseThrow();
  }

  boolean repeated() {
    return descriptor.isRepeated() && !descriptor.isMapField();
  }

  boolean anyJson() {
    return rule.getFreeForm() == FreeForm.FREE_FORM_ANY;
  }

  SerializedString quotedName() {
    return quotedName;
  }

  private static Shape shape(FieldDescriptor field, FieldRule rule) {
    return switch (field.getJavaType()) {
      case STRING -> Shape.STRING;
      case BOOLEAN -> Shape.BOOLEAN;
      case INT, LONG -> Shape.INTEGER;
      case FLOAT, DOUBLE -> Shape.DECIMAL;
      case ENUM -> Shape.ENUM;
      case BYTE_STRING ->
          rule.getFreeForm() == FreeForm.FREE_FORM_UNSPECIFIED ? Shape.BASE64 : Shape.FREE_FORM;
      case MESSAGE ->
          field.getMessageType().getFullName().equals(Timestamp.getDescriptor().getFullName())
              ? Shape.TIMESTAMP
              : Shape.MESSAGE;
    };
  }
}
