package dev.bridle.host.task;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of members of an input that say where something is done, however they are spelled. */
final class PlaceNames {
  private static final Pattern FILES = Pattern.compile(".*(path|file|filename|uri)s?");
  private static final Pattern FOLDERS =
      Pattern.compile("cwd|.*(dir|directory|directories|folder)s?");

  private PlaceNames() {}

  /** Returns whether a member names files. */
  static boolean isFile(String member) {
    return FILES.matcher(plain(member)).matches();
  }

  /** Returns whether a member names folders, from which paths may be meant. */
  static boolean isFolder(String member) {
    return FOLDERS.matcher(plain(member)).matches();
  }

  /** Returns a name as names are compared: in lower case, without what separates its words. */
  static String plain(String member) {
    return member.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
  }
}
