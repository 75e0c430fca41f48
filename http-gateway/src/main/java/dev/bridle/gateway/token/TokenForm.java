package dev.bridle.gateway.token;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of a token request: its form, and the client's credentials from either the form or
 * HTTP Basic. Ignores the query, since queries appear in logs.
 */
final class TokenForm {
  private static final String BASIC = "basic ";
  private static final String CLIENT_ID = "client_id";
  private static final String CLIENT_SECRET = "client_secret";

  private final Map<String, String> members;

  private TokenForm(Map<String, String> members) {
    this.members = members;
  }

  /** Reads a request; fails with {@link RefusedTokenException}. */
  static TokenForm of(RequestHeaders headers, byte[] body) {
    Map<String, String> members = form(body);
    List<String> given = headers.getAll(HttpHeaderNames.AUTHORIZATION);
    if (!given.isEmpty()) {
      boolean twice = given.size() > 1 || members.containsKey(CLIENT_SECRET);
      if (twice || !isBasic(given.get(0))) {
        throw invalid(
            "The client's credentials must be sent once: with HTTP Basic or in the form.");
      }
      basic(given.get(0), members);
    }
    return new TokenForm(members);
  }

  static boolean isBasic(String authorization) {
    return authorization.regionMatches(true, 0, BASIC, 0, BASIC.length());
  }

  /** Requires a form content type. */
  static void requireForm(RequestHeaders headers) {
    MediaType type = headers.contentType();
    if (type == null || !type.is(MediaType.FORM_DATA)) {
      throw invalid("The body must be application/x-www-form-urlencoded.");
    }
  }

  /** Returns a parameter, or an empty string if it is missing. */
  String get(String name) {
    return members.getOrDefault(name, "");
  }

  private static Map<String, String> form(byte[] body) {
    Map<String, String> members = new HashMap<>();
    for (String pair : text(body).split("&", -1)) {
      int at = pair.indexOf('=');
      String name = decoded(at < 0 ? pair : pair.substring(0, at));
      String value = at < 0 ? "" : decoded(pair.substring(at + 1));
      // A parameter without a value is treated as omitted (RFC 6749, section 3.2).
      if (!value.isEmpty() && members.put(name, value) != null) {
        throw invalid("A parameter of the form is present more than once.");
      }
    }
    return members;
  }

  private static void basic(String authorization, Map<String, String> members) {
    String pair;
    try {
      pair = text(Base64.getDecoder().decode(authorization.substring(BASIC.length()).strip()));
    } catch (IllegalArgumentException e) {
      throw invalid("The header Authorization is malformed.");
    }
    int colon = pair.indexOf(':');
    if (colon < 0) {
      throw invalid("The header Authorization is malformed.");
    }
    String id = decoded(pair.substring(0, colon));
    if (!members.getOrDefault(CLIENT_ID, id).equals(id)) {
      throw invalid("The form and the header Authorization name different clients.");
    }
    members.put(CLIENT_ID, id);
    members.put(CLIENT_SECRET, decoded(pair.substring(colon + 1)));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw invalid("A percent sign is not followed by two hexadecimal digits.");
    }
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw invalid("The request is not valid UTF-8.");
    }
  }

  private static RefusedTokenException invalid(String message) {
    return new RefusedTokenException(TokenError.invalid(400, message));
  }
}
