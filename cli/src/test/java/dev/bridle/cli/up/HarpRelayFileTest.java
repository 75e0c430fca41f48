package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.integrations.enforcer.remote.RelayTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file in which an operator names relays elsewhere. */
final class HarpRelayFileTest {
  @TempDir private Path folder;

  @BeforeEach
  void writeToken() throws IOException {
    Files.writeString(folder.resolve("t"), "the-secret\n");
  }

  private List<RelayTarget> read(String text) throws IOException {
    Path file = folder.resolve("relays.json");
    Files.writeString(file, text.replace('\'', '"'));
    return HarpRelayFile.read(file).all();
  }

  @Test
  void aRelayHasAllThatItsObjectSays() throws IOException {
    List<RelayTarget> read =
        read(
            "// Ours.\n{'relays':{'home':{'url':'https://relay.example/harp','token_file':'t',"
                + "'key_pin':'sha256:"
                + "ab".repeat(32)
                + "','enforcer':'gate','tenants':['default','acme']},"
                + "'here':{'url':'http://localhost:8085','token_file':'t'}}}");

    assertThat(read).extracting(RelayTarget::name).containsExactly("home", "here");
    RelayTarget home = read.get(0);
    assertThat(home.url()).hasToString("https://relay.example:443");
    assertThat(home.enforcerId()).isEqualTo("gate");
    assertThat(home.tenants()).isEqualTo(Set.of("default", "acme"));
    assertThat(home.trust()).isPresent();
    RelayTarget here = read.get(1);
    assertThat(here.enforcerId()).isEqualTo("bridle-server");
    assertThat(here.tenants()).isEqualTo(Set.of("default"));
    assertThat(here.trust()).isEmpty();
    assertThat(read.toString()).doesNotContain("the-secret");
  }

  @Test
  void theTokenIsReadAgain() throws IOException {
    RelayTarget read =
        read("{'relays':{'home':{'url':'https://relay.example','token_file':'t'}}}").get(0);
    assertThat(read.credential().read()).isEqualTo("the-secret");

    Files.writeString(folder.resolve("t"), "another");

    assertThat(read.credential().read()).isEqualTo("another");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|expected an object with one member",
        "{'relays':{},'more':1}|expected an object with one member",
        "{'relays':{'home':7}}|the relay 'home' must be an object",
        "{'relays':{'Big':{'url':'https://r.example','token_file':'t'}}}|has a name that does not",
        "{'relays':{'home':{'token_file':'t'}}}|needs a text as url",
        "{'relays':{'home':{'url':'https://r.example'}}}|needs a text as token_file",
        "{'relays':{'home':{'url':'https://r.example','token_file':'none'}}}|can't be read",
        "{'relays':{'home':{'url':'http://r.example','token_file':'t'}}}|needs an https URL",
        "{'relays':{'home':{'url':'r.example','token_file':'t'}}}|has a URL that begins with",
        "{'relays':{'home':{'url':'https://r.example','token_file':'t','pin':'x'}}}|unknown member",
        "{'relays':{'home':{'url':'https://r.example','token_file':'t','key_pin':'x'}}}|sha256: and",
        "{'relays':{'home':{'url':'https://r.example','token_file':'t','ca_file':'none'}}}|no file",
        "{'relays':{'home':{'url':'https://r.example','token_file':'t','ca_file':'t'}}}|certificate",
        "{'relays':{'home':{'url':'https://r.example','token_file':'t','tenants':[]}}}|as tenants",
        "{'relays':{'home':{'url':'https://r.example','token_file':'t','tenants':'a'}}}|as tenants",
        "{'relays':{'home':{'token':'the-secret',,}}}|no JSON at line 1"
      })
  void whatCantBeIsNamed(String text, String why) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why)
        .message()
        .doesNotContain("the-secret");
  }
}
