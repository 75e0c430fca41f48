package dev.bridle.host.acp;

import java.util.List;

/** The logins that an agent offers, in a sentence for people. */
final class OfferedLogins {
  private OfferedLogins() {}

  static String sentence(List<Initialized.AuthMethod> methods) {
    return methods.isEmpty()
        ? "It offers no login over its protocol"
        : "Its logins: " + Listed.of(methods.stream().map(OfferedLogins::described));
  }

  private static String described(Initialized.AuthMethod method) {
    String about =
        method.description().isBlank()
            ? method.name()
            : method.name() + ": " + method.description();
    return about.isBlank() ? "'" + method.id() + "'" : "'" + method.id() + "' (" + about + ")";
  }
}
