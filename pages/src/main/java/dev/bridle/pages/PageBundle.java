package dev.bridle.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of one page. Immutable. */
public final class PageBundle {
  /** The files of the page that answers agents' questions on a phone. */
  private static final List<String> APPROVE =
      List.of(
          "index.html",
          "approve.css",
          "manifest.webmanifest",
          "icon.svg",
          "sw.js",
          "app.mjs",
          "bytes.mjs",
          "canonical.mjs",
          "crypto.mjs",
          "decision.mjs",
          "dom.mjs",
          "inbox-view.mjs",
          "inbox.mjs",
          "live.mjs",
          "notices-view.mjs",
          "notices.mjs",
          "pairing.mjs",
          "phone-view.mjs",
          "pins.mjs",
          "question-view.mjs",
          "question.mjs",
          "relay.mjs",
          "seal.mjs",
          "store.mjs",
          "succession.mjs",
          "text.mjs",
          "words.mjs",
          "vendor/noble-ciphers/xchacha20poly1305.js");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "webmanifest", "application/manifest+json");

  private final Map<String, PageFile> files;

  private PageBundle(Map<String, PageFile> files) {
    this.files = files;
  }

  /** Returns the page that answers agents' questions on a phone. */
  public static PageBundle approve() {
    return read("approve", APPROVE);
  }

  private static PageBundle read(String page, List<String> names) {
    Map<String, PageFile> files = new LinkedHashMap<>();
    for (String name : names) {
      files.put(name, new PageFile(name, type(name), content(page + "/" + name)));
    }
    return new PageBundle(files);
  }

  private static byte[] content(String path) {
    try (InputStream in = PageBundle.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the page lacks " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String name) {
    return Optional.ofNullable(TYPES.get(name.substring(name.lastIndexOf('.') + 1)))
        .orElseThrow(() -> new IllegalStateException("no type is known for " + name));
  }

  /** Returns a file by its path below the page's own; {@code index.html} for an empty one. */
  public Optional<PageFile> file(String name) {
    return Optional.ofNullable(files.get(name.isEmpty() ? "index.html" : name));
  }

  /** Returns all files. */
  public Collection<PageFile> files() {
    return files.values();
  }
}
