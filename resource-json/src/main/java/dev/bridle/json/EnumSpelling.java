package dev.bridle.json;

import com.fasterxml.jackson.core.io.SerializedString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import dev.bridle.api.v1.Options;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Maps the values of an enum to their JSON names: without the enum's prefix, in upper case unless
 * its option sets lower case.
 */
public final class EnumSpelling {

  private final boolean lower;
  private final String prefix;
  private final List<String> spellings = new ArrayList<>();
  private final Map<String, EnumValueDescriptor> bySpelling = new HashMap<>();
  private final Map<Integer, SerializedString> byNumber = new HashMap<>();

  /** Creates the mapping from an enum's options. */
  public EnumSpelling(EnumDescriptor type) {
    lower = type.getOptions().getExtension(Options.lowerCase);
    prefix = upperSnake(type.getName()) + "_";
    for (EnumValueDescriptor value : type.getValues()) {
      if (value.getNumber() == 0) {
        continue;
      }
      String spelling = spell(value);
      spellings.add(spelling);
      bySpelling.put(spelling, value);
      byNumber.put(value.getNumber(), new SerializedString(spelling));
    }
  }

  /** Returns all names in the order of declaration, without the unspecified value. */
  public List<String> spellings() {
    return List.copyOf(spellings);
  }

  /** Returns the value of a name. */
  public Optional<EnumValueDescriptor> value(String spelling) {
    return Optional.ofNullable(bySpelling.get(spelling));
  }

  Optional<SerializedString> spelling(int number) {
    return Optional.ofNullable(byNumber.get(number));
  }

  /**
   * Returns the name of any value: also of the unspecified one, and of numbers that this version
   * does not know, which keep the spelling that they have in stored payloads.
   */
  SerializedString any(EnumValueDescriptor value) {
    SerializedString known = byNumber.get(value.getNumber());
    return known != null ? known : new SerializedString(spell(value));
  }

  private String spell(EnumValueDescriptor value) {
    String bare = value.getName().substring(prefix.length());
    return lower ? bare.toLowerCase(Locale.ROOT) : bare;
  }

  private static String upperSnake(String camel) {
    return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
  }
}
