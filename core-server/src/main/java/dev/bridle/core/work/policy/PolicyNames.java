package dev.bridle.core.work.policy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import java.util.List;

/** The names of approval rules and roles, which are unique in their tenant. */
final class PolicyNames {
  private PolicyNames() {}

  /**
   * Checks that another one may be created; {@code conflict} if the name is taken, or if there are
   * as many as there may be.
   */
  static void needNew(RecordDef<?> kind, List<String> taken, String name, int most) {
    String what = kind.name().replace('_', ' ');
    if (taken.contains(name)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT, "There is an " + what + " of this name; change it.")
          .with("name", name)
          .blaming("name");
    }
    if (taken.size() >= most) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The tenant has as many " + what + "s as it may; change one of them.")
          .with("max_" + kind.name() + "s", most);
    }
  }
}
