package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.fixtures.client.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a terminal shows of what a tool call gave back. */
final class BriefOutputTest {
  private static List<String> lines(String kind, String part) {
    return BriefOutput.lines(
        Json.parse("{\"kind\":\"" + kind + "\",\"output\":[" + part.replace('\'', '"') + "]}"));
  }

  @Test
  void ofAnEditItIsCountedWhatIsAddedAndRemoved() {
    assertThat(lines("edit", "{'type':'diff','path':'/w/a','text':'@@ -1 +1,2 @@\\n-a\\n+b\\n+c'}"))
        .containsExactly("/w/a  +2 -1");
  }

  @Test
  void ofAnEditWhoseDifferenceIsCutItIsSaidHowManyThereAreAtLeast() {
    assertThat(
            lines(
                "edit",
                "{'type':'diff','path':'/w/a','text':'@@ -1,9 +1,9 @@\\n-a\\n-b\\n+lo',"
                    + "'tail':'+ is within a line\\n+c\\n-d','bytes':99000,'sha256':'sha256:aa'}"))
        .containsExactly("/w/a  at least +2 -3");
  }

  @Test
  void theLastLinesOfATextAreShownAndNothingOfWhatIsOnlyRead() {
    String text = "{'type':'text','text':'1\\n2\\n3\\n4\\n5\\n6\\n7'}";

    assertThat(lines("execute", text))
        .containsExactly("⟨… 1 lines before⟩", "2", "3", "4", "5", "6", "7");
    assertThat(lines("read", text)).isEmpty();
  }
}
