package dev.bridle.storage.kit;

import dev.bridle.storage.Transaction;
import java.util.List;

/** Runs a script in a transaction, on the keys of a test. */
record StoreTarget(StoreSuite suite, Transaction tr) implements ScriptTarget {
  @Override
  public String get(String name) {
    return suite.get(tr, name).orElse("none");
  }

  @Override
  public List<String> list(String from, String to, int limit, boolean reverse) {
    return suite.list(tr, suite.range(from, to), limit, reverse);
  }

  @Override
  public void put(String name, String value) {
    suite.put(tr, name, value);
  }

  @Override
  public void clear(String name) {
    tr.clear(suite.key(name));
  }

  @Override
  public void clear(String from, String to) {
    tr.clear(suite.range(from, to));
  }
}
