package dev.bridle.core.operations.check.rule;

/** Checks one invariant for a tenant or for the installation. */
public interface Check {
  /** Runs the check, and adds faults to the scope's findings. */
  void run(CheckScope scope);
}
