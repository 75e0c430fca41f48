package dev.bridle.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
public final class Version implements IVersionProvider {

  /** Made by picocli. */
  public Version() {}

  /** Returns the version, such as `0.1.0`; `development` where it runs from classes. */
  public static String current() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"bridle " + current() + " on Java " + Runtime.version().feature()};
  }
}
