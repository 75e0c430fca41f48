package dev.bridle.json;

import com.fasterxml.jackson.core.io.SerializedString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.bridle.api.v1.MessageRule;
import dev.bridle.api.v1.Options;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes how one message type is read and written. */
public final class MessagePlan {

  /** A member with a constant value. */
  public record Constant(String name, String value) {}

  private final Descriptor descriptor;
  private final boolean union;
  private final Constant constant;
  private final SerializedString constantName;
  private final SerializedString constantValue;
  private final List<FieldPlan> fields = new ArrayList<>();
  private final List<FieldPlan> members = new ArrayList<>();
  private final List<FieldPlan> requiredLists = new ArrayList<>();
  private final Map<String, FieldPlan> byName = new HashMap<>();

  MessagePlan(Descriptor descriptor) {
    MessageRule rule = descriptor.getOptions().getExtension(Options.message);
    this.descriptor = descriptor;
    this.union = rule.getUnion();
    this.constant = rule.getConstant().isEmpty() ? null : constant(rule.getConstant());
    this.constantName = constant == null ? null : new SerializedString(constant.name());
    this.constantValue = constant == null ? null : new SerializedString(constant.value());
    for (FieldDescriptor field : descriptor.getFields()) {
      FieldPlan plan = new FieldPlan(field, rule.getCamelCase());
      fields.add(plan);
      if (!plan.rule().getHidden()) {
        byName.put(plan.jsonName(), plan);
        members.add(plan);
      }
      if (plan.repeated() && plan.required()) {
        requiredLists.add(plan);
      }
    }
  }

  /** Returns the message type. */
  public Descriptor descriptor() {
    return descriptor;
  }

  /** Returns whether the message is a union, which is written as its one set branch. */
  public boolean union() {
    return union;
  }

  /** Returns the member with a constant value, if any. */
  public Optional<Constant> constant() {
    return Optional.ofNullable(constant);
  }

  /** Returns all fields in the order of declaration. */
  public List<FieldPlan> fields() {
    return fields;
  }

  /**
   * Returns the fields that are members of the JSON, or branches of a union: all but hidden ones.
   */
  public List<FieldPlan> members() {
    return members;
  }

  /** Returns the repeated fields that are required. */
  public List<FieldPlan> requiredLists() {
    return requiredLists;
  }

  /** Returns the field of a member's name; empty for unknown and hidden fields. */
  public Optional<FieldPlan> field(String jsonName) {
    return Optional.ofNullable(byName.get(jsonName));
  }

  /** Returns whether a member is the one with the constant value. */
  public boolean isConstant(String member) {
    return constant != null && constant.name().equals(member);
  }

  Optional<SerializedString> constantName() {
    return Optional.ofNullable(constantName);
  }

  SerializedString constantValue() {
    return Optional.ofNullable(constantValue).orElseThrow();
  }

  private static Constant constant(String option) {
    int equals = option.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("constant is \"" + option + "\"; expected \"name=value\"");
    }
    return new Constant(option.substring(0, equals), option.substring(equals + 1));
  }
}
