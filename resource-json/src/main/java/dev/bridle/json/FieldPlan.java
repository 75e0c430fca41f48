package dev.bridle.json;

import com.fasterxml.jackson.core.io.SerializedString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.FieldRule;
import dev.bridle.api.v1.FreeForm;
import dev.bridle.api.v1.Options;
import java.util.Optional;

/** Describes how one field is read and written. Immutable after its creation. */
public final class FieldPlan {

  /** The kind of a field's value in JSON. */
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
  private final boolean alwaysSet;
  private MessagePlan message;

  FieldPlan(FieldDescriptor descriptor, boolean camelCase) {
    this.descriptor = descriptor;
    this.rule = descriptor.getOptions().getExtension(Options.field);
    this.shape = shape(descriptor, rule);
    this.jsonName = camelCase ? descriptor.getJsonName() : descriptor.getName();
    this.quotedName = new SerializedString(jsonName);
    this.spelling = shape == Shape.ENUM ? new EnumSpelling(descriptor.getEnumType()) : null;
    this.required = rule.getRequired() || Limits.of(descriptor).getRequired();
    this.alwaysSet = isAlwaysSet(descriptor, rule);
  }

  void link(MessagePlan plan) {
    this.message = plan;
  }

  /** Returns the field's descriptor. */
  public FieldDescriptor descriptor() {
    return descriptor;
  }

  /** Returns the field's options. */
  public FieldRule rule() {
    return rule;
  }

  /** Returns the kind of the field's value, or of its elements if it is repeated. */
  public Shape shape() {
    return shape;
  }

  /** Returns the JSON member's name. */
  public String jsonName() {
    return jsonName;
  }

  /** Returns whether the member is required, by its field rule or by its validation rules. */
  public boolean required() {
    return required;
  }

  /** Returns the value names of an ENUM. */
  public EnumSpelling spelling() {
    return Optional.ofNullable(spelling).orElseThrow();
  }

  /** Returns the plan of a MESSAGE. */
  public MessagePlan message() {
    return Optional.ofNullable(message).orElseThrow();
  }

  /** Returns whether the field is a list. Maps are not. */
  public boolean repeated() {
    return descriptor.isRepeated() && !descriptor.isMapField();
  }

  /** Returns whether the field is free-form JSON of any type, not only an object. */
  public boolean anyJson() {
    return rule.getFreeForm() == FreeForm.FREE_FORM_ANY;
  }

  /**
   * Returns whether the field always has a value: a number or boolean that can't be absent, whose
   * zero and {@code false} say as much as any other value.
   */
  public boolean alwaysSet() {
    return alwaysSet;
  }

  SerializedString quotedName() {
    return quotedName;
  }

  private static boolean isAlwaysSet(FieldDescriptor field, FieldRule rule) {
    if (field.isRepeated() || field.hasPresence() || rule.getHidden()) {
      return false;
    }
    return switch (field.getJavaType()) {
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> true;
      case STRING, BYTE_STRING, ENUM, MESSAGE -> false;
    };
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
