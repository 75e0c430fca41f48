package dev.bridle.cli;

import dev.bridle.cli.console.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** Provides the version of this build to picocli. */
public final class Version implements IVersionProvider {

  /** Creates the command; called by picocli. */
  public Version() {}

  /** Returns the version, such as `0.1.0`, or `development` if it does not run from a jar. */
  public static String current() {
    return BuildVersion.current();
  }

  @Override
  public String[] getVersion() {
    return new String[] {BuildVersion.line()};
  }
}
