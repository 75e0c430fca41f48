package dev.bridle.core.integrations.connector.polling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Parses feeds: RSS 2.0 and Atom 1.0. Feeds are untrusted: document types, and with them entities,
 * are rejected, and external resources are never loaded.
 */
final class FeedReader {
  private static final int MAX_DEPTH = 64;
  private static final String ATOM = "http://www.w3.org/2005/Atom";
  private static final String CONTENT = "http://purl.org/rss/1.0/modules/content/";
  private static final String DUBLIN_CORE = "http://purl.org/dc/elements/1.1/";
  private static final XMLInputFactory XML = hardened();

  private final XMLStreamReader reader;
  private final List<PolledItem> items = new ArrayList<>();
  private int depth;

  private FeedReader(XMLStreamReader reader) {
    this.reader = reader;
  }

  private static XMLInputFactory hardened() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("external resources are not loaded");
        });
    return factory;
  }

  /** Parses the items of a feed. */
  static List<PolledItem> read(byte[] body) {
    try {
      XMLStreamReader reader = XML.createXMLStreamReader(new ByteArrayInputStream(body));
      try {
        return new FeedReader(reader).feed();
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | IllegalArgumentException e) {
      throw notAFeed("The answer is not well-formed XML.");
    }
  }

  private static PageException notAFeed(String message) {
    return new PageException("not_a_feed", message);
  }

  private List<PolledItem> feed() throws XMLStreamException {
    int event = next();
    while (event != XMLStreamConstants.START_ELEMENT) {
      event = next();
    }
    boolean atom = is(ATOM, "feed");
    if (!atom && !reader.getLocalName().equals("rss")) {
      throw notAFeed("The answer is neither RSS 2.0 nor Atom 1.0.");
    }
    String own = namespace();
    // Entries are children of an Atom feed; items are children of an RSS channel.
    int level = atom ? 2 : 3;
    while (event != XMLStreamConstants.END_DOCUMENT) {
      if (event == XMLStreamConstants.START_ELEMENT
          && depth == level
          && is(own, atom ? "entry" : "item")) {
        if (items.size() == PolledPage.MOST_ITEMS) {
          throw PolledPage.tooMany();
        }
        items.add(atom ? entry() : item(own));
      }
      event = next();
    }
    return items;
  }

  /** Advances to the next event. All steps of the reader go through here. */
  private int next() throws XMLStreamException {
    int event = reader.next();
    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
      throw notAFeed("The answer declares a document type or entities, which feeds need not.");
    }
    if (event == XMLStreamConstants.START_ELEMENT && ++depth > MAX_DEPTH) {
      throw notAFeed("The answer is nested deeper than " + MAX_DEPTH + " levels.");
    }
    if (event == XMLStreamConstants.END_ELEMENT) {
      depth--;
    }
    return event;
  }

  private boolean is(String namespace, String name) {
    return namespace().equals(namespace) && reader.getLocalName().equals(name);
  }

  private String namespace() {
    return Optional.ofNullable(reader.getNamespaceURI()).orElse("");
  }

  /** Advances to the next child of the element at a depth; returns false at the element's end. */
  private boolean child(int parent) throws XMLStreamException {
    int event = next();
    while (depth >= parent) {
      if (event == XMLStreamConstants.START_ELEMENT && depth == parent + 1) {
        return true;
      }
      event = next();
    }
    return false;
  }

  /** Returns all text of the current element, and advances to its end. */
  private String text() throws XMLStreamException {
    int own = depth;
    StringBuilder text = new StringBuilder();
    while (depth >= own) {
      int event = next();
      if (event == XMLStreamConstants.CHARACTERS
          || event == XMLStreamConstants.CDATA
          || event == XMLStreamConstants.SPACE) {
        text.append(reader.getText());
      }
    }
    return text.toString().strip();
  }

  private PolledItem item(String own) throws XMLStreamException {
    Fields fields = new Fields();
    int level = depth;
    while (child(level)) {
      String namespace = namespace();
      String name = reader.getLocalName();
      if (namespace.equals(own)) {
        switch (name) {
          case "guid" -> fields.put("id", text());
          case "title", "link", "author" -> fields.put(name, text());
          case "description" -> fields.put("summary", text());
          case "pubDate" -> fields.put("published", time(text()));
          default -> {}
        }
      } else if (namespace.equals(CONTENT) && name.equals("encoded")) {
        fields.put("content", text());
      } else if (namespace.equals(DUBLIN_CORE) && name.equals("creator")) {
        fields.put("author", text());
      } else if (namespace.equals(DUBLIN_CORE) && name.equals("date")) {
        fields.put("published", time(text()));
      }
    }
    return fields.item();
  }

  private PolledItem entry() throws XMLStreamException {
    Fields fields = new Fields();
    int level = depth;
    while (child(level)) {
      if (namespace().equals(ATOM)) {
        String name = reader.getLocalName();
        switch (name) {
          case "id", "title", "summary" -> fields.put(name, text());
          case "content" -> fields.put(name, text());
          case "published", "updated" -> fields.put(name, time(text()));
          case "link" -> link(fields);
          case "author" -> author(fields);
          default -> {}
        }
      }
    }
    if (!fields.has("published")) {
      fields.put("published", fields.get("updated"));
    }
    return fields.item();
  }

  private void link(Fields fields) {
    String kind = Optional.ofNullable(reader.getAttributeValue(null, "rel")).orElse("alternate");
    if (kind.equals("alternate")) {
      fields.put(
          "link", Optional.ofNullable(reader.getAttributeValue(null, "href")).orElse("").strip());
    }
  }

  private void author(Fields fields) throws XMLStreamException {
    int level = depth;
    while (child(level)) {
      if (is(ATOM, "name")) {
        fields.put("author", text());
      }
    }
  }

  /** Returns a time as RFC 3339; unchanged if it can't be parsed. */
  private static String time(String given) {
    Optional<Instant> read = rfc822(given).or(() -> rfc3339(given));
    return read.map(Instant::toString).orElse(given);
  }

  private static Optional<Instant> rfc822(String given) {
    try {
      return Optional.of(
          ZonedDateTime.parse(given, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> rfc3339(String given) {
    try {
      return Optional.of(OffsetDateTime.parse(given).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The members of an item. The first of several elements with the same name counts. */
  private static final class Fields {
    private static final List<String> ORDER =
        List.of("id", "title", "link", "summary", "content", "author", "published", "updated");

    private final ObjectNode found = JsonNodeFactory.instance.objectNode();

    void put(String name, String value) {
      if (!value.isEmpty() && !found.has(name)) {
        found.put(name, value);
      }
    }

    boolean has(String name) {
      return found.has(name);
    }

    String get(String name) {
      return found.path(name).asText();
    }

    PolledItem item() {
      ObjectNode ordered = JsonNodeFactory.instance.objectNode();
      ORDER.stream().filter(this::has).forEach(name -> ordered.set(name, found.get(name)));
      Optional<String> id =
          Optional.of(has("id") ? get("id") : get("link")).filter(text -> !text.isEmpty());
      return PolledItem.of(id, ordered.toString());
    }
  }
}
