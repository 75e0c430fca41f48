package dev.bridle.cli;

import dev.bridle.cli.console.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as the parser of commands asks for it. */
public final class Version implements IVersionProvider {

  /** Made by picocli. */
  public Version() {}

  /** Returns the version, such as `0.1.0`; `development` where it runs from classes. */
  public static String current() {
    return BuildVersion.current();
  }

  @Override
  public String[] getVersion() {
    return new String[] {BuildVersion.line()};
  }
}
