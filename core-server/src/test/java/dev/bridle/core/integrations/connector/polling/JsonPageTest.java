package dev.bridle.core.integrations.connector.polling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.CursorFrom;
import dev.bridle.connector.v1.PollingCursor;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPageTest {
  private static final String ANSWER =
      "{'data':[{'id':1,'n':{'a':1,'b':2}},{'id':'two'},null,{'id':{}}],'next':'p2','more':true}";

  @Test
  void itemsAreKnownByWhatTheirPointerNames() {
    PolledPage page = read(items("/data").setItemId("/id"), Optional.empty(), ANSWER);

    assertThat(page.items()).extracting(PolledItem::key).startsWith("id:1", "id:two").hasSize(3);
    assertThat(page.items().get(2).key()).as("an object is no id").startsWith("sha256:");
    assertThat(page.items().get(0).json()).isEqualTo("{\"id\":1,\"n\":{\"a\":1,\"b\":2}}");
  }

  @Test
  void itemsWithoutANameAreKnownByWhatTheySayInWhateverOrder() {
    String one = key("[{'a':1,'b':[1.50,90071992547409930]}]");

    assertThat(key("[{'b':[1.50,90071992547409930],'a':1}]")).isEqualTo(one);
    assertThat(key("[{'b':[1.50,90071992547409931],'a':1}]")).isNotEqualTo(one);
    assertThat(one).startsWith("sha256:");
  }

  @Test
  void anAnswerWithoutAListIsOneItem() {
    assertThat(read(ConnectorPolling.newBuilder(), Optional.empty(), ANSWER).items()).hasSize(1);
    assertThat(read(items(""), Optional.empty(), "[1,'a',{}]").items()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "ANSWER, /next, '', '', p2, true",
    "ANSWER, /next, '', p2, p2, false",
    "ANSWER, /none, '', '', '', false",
    "FIRST_ITEM, /id, '', '', 1, true",
    "FIRST_ITEM, /id, '', 1, 1, false",
    "ANSWER, /next, /more, '', p2, true",
    "ANSWER, /next, /next, '', p2, false",
    "ANSWER, /next, /none, '', p2, false"
  })
  void aCursorSaysHowFarAnAnswerGoes(
      String from, String pointer, String moreAt, String sent, String cursor, boolean more) {
    PollingCursor.Builder asked =
        PollingCursor.newBuilder()
            .setFrom(CursorFrom.valueOf("CURSOR_FROM_" + from))
            .setPointer(pointer)
            .setParameter("after");
    if (!moreAt.isEmpty()) {
      asked.setMore(moreAt);
    }

    PolledPage page = read(items("/data").setCursor(asked), given(sent), ANSWER);

    assertThat(page.cursor()).isEqualTo(given(cursor));
    assertThat(page.more()).isEqualTo(more);
  }

  @Test
  void aCursorOfTheLastItemIsNoneWhereThereIsNoItem() {
    var asked =
        PollingCursor.newBuilder().setFrom(CursorFrom.CURSOR_FROM_LAST_ITEM).setPointer("/id");

    PolledPage page = read(items("").setCursor(asked), Optional.of("7"), "[]");

    assertThat(page).isEqualTo(new PolledPage(List.of(), Optional.empty(), false));
    assertThat(read(items("").setCursor(asked), Optional.of("7"), "[{'id':8},{'id':9}]").cursor())
        .contains("9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|not_json",
        "{|not_json",
        "{} {}|not_json",
        "{'a':1,'a':2}|not_json",
        "{}|no_items",
        "{'data':{}}|no_items",
        "{'data':[],'next':{}}|bad_cursor"
      })
  void whatIsNotAsItShouldBeIsRefused(String answer, String code) {
    var asked = PollingCursor.newBuilder().setPointer("/next").setParameter("after");

    assertThatThrownBy(() -> read(items("/data").setCursor(asked), Optional.empty(), answer))
        .isInstanceOf(PageException.class)
        .extracting(failure -> ((PageException) failure).code())
        .isEqualTo(code);
  }

  @Test
  void anAnswerOfTooManyItemsOrTooDeepOnesIsRefused() {
    String many = "[" + "1,".repeat(PolledPage.MOST_ITEMS) + "1]";
    assertThatThrownBy(() -> read(items(""), Optional.empty(), many))
        .hasMessageContaining("more than 1000 items");
    assertThatThrownBy(() -> read(items(""), Optional.empty(), "[".repeat(65) + "]".repeat(65)))
        .hasMessageContaining("nested deeper");
  }

  @Test
  void aParameterTakesThePlaceOfOneOfItsName() {
    assertThat(PollRequest.with("https://a.example/x", "after", "1 2"))
        .isEqualTo("https://a.example/x?after=1+2");
    assertThat(PollRequest.with("https://a.example/x?after=0&b=1&after", "after", "&"))
        .isEqualTo("https://a.example/x?b=1&after=%26");
  }

  private static ConnectorPolling.Builder items(String pointer) {
    return ConnectorPolling.newBuilder().setItems(pointer);
  }

  private static String key(String list) {
    return read(items(""), Optional.empty(), list).items().get(0).key();
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  private static PolledPage read(
      ConnectorPolling.Builder polling, Optional<String> sent, String answer) {
    return PolledPage.read(polling.build(), sent, answer.replace('\'', '"').getBytes(UTF_8));
  }
}
