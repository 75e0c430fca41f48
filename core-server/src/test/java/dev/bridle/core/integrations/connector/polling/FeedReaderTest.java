package dev.bridle.core.integrations.connector.polling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedReaderTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RSS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
           xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
        <channel>
          <title>Fish</title>
          <link>https://fish.example/</link>
          <item>
            <media:title>not this one</media:title>
            <title>One &amp; two</title>
            <link> https://fish.example/1 </link>
            <guid isPermaLink="false">fish-1</guid>
            <description><![CDATA[<p>A fish.</p>]]></description>
            <content:encoded><![CDATA[<p>A whole fish.</p>]]></content:encoded>
            <dc:creator>Ada</dc:creator>
            <pubDate>Mon, 01 Jun 2026 10:00:00 +0200</pubDate>
          </item>
          <item><title>By its link</title><link>https://fish.example/2</link></item>
          <item><title>By what it says</title></item>
        </channel>
      </rss>
      """;
  private static final String ATOM =
      """
      <feed xmlns="http://www.w3.org/2005/Atom">
        <title>Fish</title>
        <author><name>not this one</name></author>
        <entry>
          <id>urn:fish:1</id>
          <title type="text">One</title>
          <link rel="self" href="https://fish.example/self"/>
          <link href="https://fish.example/1"/>
          <summary>A fish.</summary>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>whole</b> fish.</div></content>
          <author><email>ada@fish.example</email><name>Ada</name></author>
          <updated>2026-06-01T10:00:00+02:00</updated>
        </entry>
      </feed>
      """;

  @Test
  void anItemOfRssSaysWhatItIs() throws IOException {
    List<PolledItem> items = read(RSS);

    assertThat(items)
        .extracting(PolledItem::key)
        .startsWith("id:fish-1", "id:https://fish.example/2")
        .hasSize(3);
    assertThat(items.get(2).key()).startsWith("sha256:");
    assertThat(JSON.readTree(items.get(0).json()))
        .isEqualTo(
            json(
                "{'id':'fish-1','title':'One & two','link':'https://fish.example/1',"
                    + "'summary':'<p>A fish.</p>','content':'<p>A whole fish.</p>',"
                    + "'author':'Ada','published':'2026-06-01T08:00:00Z'}"));
  }

  @Test
  void anEntryOfAtomSaysWhatItIs() throws IOException {
    List<PolledItem> items = read(ATOM);

    assertThat(items).extracting(PolledItem::key).containsExactly("id:urn:fish:1");
    assertThat(JSON.readTree(items.get(0).json()))
        .isEqualTo(
            json(
                "{'id':'urn:fish:1','title':'One','link':'https://fish.example/1',"
                    + "'summary':'A fish.','content':'A whole fish.','author':'Ada',"
                    + "'published':'2026-06-01T08:00:00Z','updated':'2026-06-01T08:00:00Z'}"));
  }

  @Test
  void aFeedMayBeInAnotherEncoding() throws IOException {
    String feed =
        "<?xml version='1.0' encoding='ISO-8859-1'?><rss><channel><item><guid>1</guid>"
            + "<title>Fürchterlich</title></item></channel></rss>";

    List<PolledItem> items = FeedReader.read(feed.getBytes(StandardCharsets.ISO_8859_1));

    assertThat(JSON.readTree(items.get(0).json()).get("title").textValue())
        .isEqualTo("Fürchterlich");
  }

  @Test
  void aFeedWithoutItemsHasNone() {
    assertThat(read("<rss><channel><title>Fish</title></channel></rss>")).isEmpty();
    assertThat(read("<feed xmlns='http://www.w3.org/2005/Atom'/>")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no XML",
        "<rss><channel>",
        "<html><body/></html>",
        "<feed><entry/></feed>",
        "{\"items\":[]}",
        "<rss>&undeclared;</rss>",
        "<?xml version='1.0' encoding='no-such-encoding'?><rss/>"
      })
  void whatIsNoFeedIsRefused(String body) {
    assertNoFeed(body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE rss><rss><channel/></rss>",
        "<!DOCTYPE rss SYSTEM 'http://127.0.0.1:1/x.dtd'><rss><channel/></rss>",
        "<!DOCTYPE rss [<!ENTITY a 'x'>]><rss><channel><item><guid>&a;</guid></item></channel></rss>",
        "<!DOCTYPE rss [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>"
            + "<rss><channel><item><title>&a;</title></item></channel></rss>",
        "<!DOCTYPE rss [<!ENTITY % a SYSTEM 'http://127.0.0.1:1/'> %a;]><rss/>",
        "<!DOCTYPE rss [<!ENTITY a 'xxxxxxxxxx'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
            + "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]>"
            + "<rss><channel><item><title>&d;&d;&d;&d;</title></item></channel></rss>"
      })
  void aDocumentTypeIsRefusedBeforeItDoesAnything(String body) {
    assertNoFeed(body);
  }

  @Test
  void aFeedThatIsNestedDeepOrHasTooManyItemsIsRefused() {
    assertNoFeed("<rss><channel><item><title>" + "<b>".repeat(70));
    String items = "<item><guid>1</guid></item>".repeat(PolledPage.MOST_ITEMS + 1);
    assertThatThrownBy(() -> read("<rss><channel>" + items + "</channel></rss>"))
        .isInstanceOf(PageException.class)
        .extracting(failure -> ((PageException) failure).code())
        .isEqualTo("too_many_items");
  }

  private static void assertNoFeed(String body) {
    assertThatThrownBy(() -> read(body))
        .isInstanceOf(PageException.class)
        .extracting(failure -> ((PageException) failure).code())
        .isEqualTo("not_a_feed");
  }

  private static List<PolledItem> read(String body) {
    return FeedReader.read(body.getBytes(UTF_8));
  }

  private static JsonNode json(String text) throws IOException {
    return JSON.readTree(text.replace('\'', '"'));
  }
}
