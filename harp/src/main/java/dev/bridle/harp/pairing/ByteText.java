package dev.bridle.harp.pairing;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;

/** Bytes as messages and QR codes spell them: base64url without padding, in its one spelling. */
final class ByteText {
  private ByteText() {}

  /** Returns the bytes of a text, which must have exactly a number of them. */
  static byte[] decode(String member, String text, int length) throws HarpException {
    return decode(member, text, length, length);
  }

  /**
   * Returns the bytes of a text.
   *
   * @param member the member that has the text, for the message; the text may be secret
   * @throws HarpException {@code TRANSPORT} if it is another spelling or another number of bytes
   */
  static byte[] decode(String member, String text, int least, int most) throws HarpException {
    return Base64Url.decode(text)
        .filter(bytes -> bytes.length >= least && bytes.length <= most)
        .orElseThrow(
            () ->
                new HarpException(
                    HarpErrorCode.TRANSPORT,
                    "schema",
                    "The member "
                        + member
                        + " must be "
                        + (least == most ? least : least + " to " + most)
                        + " bytes in base64url without padding."));
  }
}
