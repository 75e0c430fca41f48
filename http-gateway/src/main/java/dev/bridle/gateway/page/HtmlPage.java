package dev.bridle.gateway.page;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.Map;

/**
 * Renders a message of strings as a small HTML page: the first member as the heading, the others
 * with their names, and URLs as links. Escapes all content.
 */
final class HtmlPage {
  private HtmlPage() {}

  static String of(Message message) {
    StringBuilder members = new StringBuilder();
    append(message, members);
    String title =
        message.getAllFields().values().stream().findFirst().map(HtmlPage::escape).orElse("");
    return "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>"
        + title
        + "</title></head>\n<body>\n<h1>"
        + title
        + "</h1>\n<dl>\n"
        + members
        + "</dl>\n</body>\n</html>\n";
  }

  private static void append(Message message, StringBuilder to) {
    for (Map.Entry<FieldDescriptor, Object> member : message.getAllFields().entrySet()) {
      if (member.getKey().getJavaType() == JavaType.MESSAGE && !member.getKey().isRepeated()) {
        append((Message) member.getValue(), to);
        continue;
      }
      String value = escape(member.getValue());
      boolean link = value.startsWith("http://") || value.startsWith("https://");
      to.append("<dt>")
          .append(escape(member.getKey().getName().replace('_', ' ')))
          .append("</dt><dd>")
          .append(link ? "<a href=\"" + value + "\">" + value + "</a>" : value)
          .append("</dd>\n");
    }
  }

  private static String escape(Object value) {
    return value
        .toString()
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
