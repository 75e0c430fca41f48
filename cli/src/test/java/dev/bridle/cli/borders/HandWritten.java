package dev.bridle.cli.borders;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.regex.Pattern;

/**
 * Imports the classes of the project without tests and without those generated from the contract,
 * which are most of all; that they know nobody follows from their module, which has no other of the
 * project among its dependencies.
 */
final class HandWritten implements ImportOption {
  private static final Pattern GENERATED = Pattern.compile(".*dev/bridle/[a-z]+/v1/.*");

  private final ImportOption noTests = new DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return noTests.includes(location) && !location.matches(GENERATED);
  }
}
