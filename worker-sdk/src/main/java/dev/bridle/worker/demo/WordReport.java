package dev.bridle.worker.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * The report of a word count: deterministic JSON bytes, and a summary sentence. The JSON has
 * `total_words`, `distinct_words`, `listed_words` and `words`; the rarest words are omitted if the
 * JSON would exceed the limit.
 */
final class WordReport {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int AROUND_WORDS = 200;
  private static final int AROUND_WORD = 50;

  private final WordCount count;
  private final List<WordCount.Entry> listed;

  WordReport(WordCount count, int maxBytes) {
    this.count = count;
    this.listed = fitting(count.ranked(), maxBytes - AROUND_WORDS);
  }

  private static List<WordCount.Entry> fitting(List<WordCount.Entry> ranked, int maxBytes) {
    long size = 0;
    int fits = 0;
    for (WordCount.Entry entry : ranked) {
      size += JsonStringEncoder.getInstance().quoteAsUTF8(entry.word()).length + AROUND_WORD;
      if (size > maxBytes) {
        break;
      }
      fits++;
    }
    return ranked.subList(0, fits);
  }

  byte[] json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeNumberField("total_words", count.total());
      out.writeNumberField("distinct_words", count.distinct());
      out.writeNumberField("listed_words", listed.size());
      out.writeArrayFieldStart("words");
      for (WordCount.Entry entry : listed) {
        out.writeStartObject();
        out.writeStringField("word", entry.word());
        out.writeNumberField("count", entry.count());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the result as a sentence, such as `Counted 3 words, 2 distinct; the most frequent is
   * "a" (2 times).`
   */
  String sentence() {
    String counted =
        String.format(
            Locale.ROOT,
            "Counted %s, %d distinct",
            number(count.total(), "word"),
            count.distinct());
    if (listed.isEmpty()) {
      return counted + ".";
    }
    WordCount.Entry first = listed.get(0);
    return String.format(
        Locale.ROOT,
        "%s; the most frequent is \"%s\" (%s).",
        counted,
        shortened(first.word()),
        number(first.count(), "time"));
  }

  private static String number(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static String shortened(String word) {
    return word.codePointCount(0, word.length()) <= 100
        ? word
        : word.substring(0, word.offsetByCodePoints(0, 100)) + "…";
  }
}
