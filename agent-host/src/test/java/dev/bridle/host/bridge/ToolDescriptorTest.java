package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ToolDescriptorTest {
  private static final String TOOL = "{'name':'Read','description':'Reads','schema':{'a':1}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'tools':[" + TOOL + "]}",
        "[" + TOOL + "]",
        "{'result':{'tools':[" + TOOL + "]}}",
        "{'result':[" + TOOL + "]}",
        "[{'name':'Read','short_description':'Reads','parameters':{'a':1}}]",
        "[{'name':'Read','description':'Reads','input_schema':{'a':1},'more':true}]",
        "[{'name':'Read','description':'Reads','short_description':'R','schema':{'a':1},"
            + "'deprecated':false}]"
      })
  void listsAreReadInEachAcceptedShape(String list) {
    assertThat(ToolDescriptor.read(json(list)))
        .singleElement()
        .satisfies(
            tool ->
                assertThat(tool.json())
                    .isEqualTo(
                        json(
                            "{'name':'Read','description':'Reads','schema':{'a':1},"
                                + "'deprecated':false}")));
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    assertThat(ToolDescriptor.read(json("[{'name':'x','schema':null}]")).get(0).json())
        .isEqualTo(json("{'name':'x','description':'','schema':null,'deprecated':false}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "7", "{'result':{}}", "[{'description':'no name'}]", "[7]"})
  void whatIsNoListIsRefused(String list) {
    assertThatThrownBy(() -> ToolDescriptor.read(json(list)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
