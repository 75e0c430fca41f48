package dev.bridle.cli.resource;

import java.util.Locale;

/** Derives the words of commands from names of the contract. */
final class Words {
  private Words() {}

  /** Returns the singular of a plural such as {@code memories}. */
  static String singular(String plural) {
    if (plural.endsWith("ies")) {
      return plural.substring(0, plural.length() - 3) + "y";
    }
    return plural.replaceFirst("(?<=ch|sh|ss|us|x)es$|s$", "");
  }

  /** Returns a name with hyphens. */
  static String hyphenated(String name) {
    return name.replace('_', '-');
  }

  /** Returns a noun with its indefinite article. */
  static String one(String noun) {
    return ("aeiou".indexOf(noun.charAt(0)) < 0 ? "a " : "an ") + noun;
  }

  /** Returns the label of a value, such as {@code ID} or {@code STATUS}. */
  static String label(String field) {
    return field.substring(field.lastIndexOf('_') + 1).toUpperCase(Locale.ROOT);
  }

  static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** Returns a comment as help text. */
  static String plain(String comment) {
    // Picocli formats help texts.
    return comment
        .replaceAll(" ?Not in the published (?:request|resource)\\.", "")
        .replace("; cleared where named and absent", "")
        .replace("`", "")
        .replace("%", "%%");
  }
}
