package dev.bridle.cli.harp;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select a HARP relay and the enforcer that this command is at it. */
final class EnforcerChoice {
  @Mixin private RelayChoice relay = new RelayChoice();

  @Option(
      names = "--enforcer",
      paramLabel = "ID",
      required = true,
      description = "The enforcer's id at the relay; its first use claims it for this key.")
  private String enforcer = "";

  /** Returns the relay. */
  RelayChoice relay() {
    return relay;
  }

  /** Returns the enforcer's id. */
  String id() {
    return enforcer;
  }
}
