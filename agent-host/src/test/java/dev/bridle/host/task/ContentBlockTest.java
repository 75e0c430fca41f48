package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** What is kept of links, resources and images, and how they read within a message. */
final class ContentBlockTest {
  private static ContentBlock block(String json) throws Exception {
    return new ContentBlock(new ObjectMapper().readTree(json.replace('\'', '"')));
  }

  @Test
  void aLinkIsKeptWithWhatItSaysOfItself() throws Exception {
    ContentBlock link =
        block(
            "{'type':'resource_link','uri':'file:///w/a.md','name':'a.md','title':'Notes',"
                + "'mimeType':'text/markdown','description':'of today','size':12,'_meta':{}}");

    assertThat(link.kept(100))
        .hasToString(
            "{\"type\":\"resource_link\",\"uri\":\"file:///w/a.md\",\"name\":\"a.md\","
                + "\"title\":\"Notes\",\"mime_type\":\"text/markdown\","
                + "\"description\":\"of today\",\"size\":12}");
    assertThat(link.readable()).isEqualTo("[Notes](file:///w/a.md)");
    assertThat(block("{'type':'resource_link','uri':'x:y','name':'n'}").readable())
        .isEqualTo("[n](x:y)");
  }

  @Test
  void aResourceIsKeptWithItsTextAndCutWithSizeAndHash() throws Exception {
    JsonNode whole =
        block(
                "{'type':'resource','resource':{'uri':'file:///w/a','mimeType':'text/plain',"
                    + "'text':'hello'}}")
            .kept(100);
    assertThat(whole.get("text").textValue()).isEqualTo("hello");
    assertThat(whole.get("mime_type").textValue()).isEqualTo("text/plain");
    assertThat(whole.has("sha256")).isFalse();

    JsonNode cut = block("{'type':'resource','resource':{'uri':'u','text':'hello world'}}").kept(4);
    assertThat(cut.get("text").textValue()).isEqualTo("he");
    assertThat(cut.get("tail").textValue()).isEqualTo("ld");
    assertThat(cut.get("bytes").intValue()).isEqualTo(11);
    assertThat(cut.get("sha256").textValue()).isEqualTo("sha256:" + Sha256.hex("hello world"));
  }

  @Test
  void ofAnImageTypeSizeAndHashAreKept() throws Exception {
    ContentBlock image = block("{'type':'image','mimeType':'image/png','data':'AAEC'}");

    assertThat(image.kept(100))
        .hasToString(
            "{\"type\":\"image\",\"mime_type\":\"image/png\",\"bytes\":3,\"sha256\":\"sha256:"
                + Sha256.hex(new byte[] {0, 1, 2})
                + "\"}");
    assertThat(image.readable()).isEqualTo("[image image/png, 3 bytes]");
    assertThat(image.bytes().orElseThrow().content()).containsExactly(0, 1, 2);
  }

  @Test
  void whatIsOddlyShapedIsKeptAsFarAsItCanBeRead() throws Exception {
    assertThat(block("{'type':'image','data':7}").kept(9))
        .hasToString("{\"type\":\"image\",\"unreadable\":true}");
    assertThat(block("{'type':'hologram','x':1}").kept(9).get("bytes").intValue()).isPositive();
    assertThat(block("[]").readable()).isEqualTo("[content]");
    assertThat(block("{'type':'resource','resource':[]}").kept(9).get("uri").textValue()).isEmpty();
  }
}
