package dev.bridle.core.operations.check;

/** Checks one invariant for a tenant or for the installation. */
interface Check {
  /** Runs the check, and adds faults to the scope's findings. */
  void run(CheckScope scope);
}
