package dev.bridle.storage.kit;

import java.util.List;

/** What a script of reads and writes runs on: a transaction, or the map that says what is right. */
interface ScriptTarget {
  String get(String name);

  List<String> list(String from, String to, int limit, boolean reverse);

  void put(String name, String value);

  void clear(String name);

  void clear(String from, String to);
}
