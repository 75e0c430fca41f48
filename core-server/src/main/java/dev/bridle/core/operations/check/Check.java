package dev.bridle.core.operations.check;

/** Looks at one thing that must hold, throughout a tenant or for the installation. */
interface Check {
  /** Looks, and tells the scope's findings what is wrong. */
  void run(CheckScope scope);
}
