package dev.bridle.cli.qr;

import com.google.zxing.BarcodeFormat;
import com.google.zxing.EncodeHintType;
import com.google.zxing.WriterException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.qrcode.QRCodeWriter;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** A QR code with its quiet zone. Immutable. */
public final class QrCode {
  private static final int QUIET_ZONE = 4;
  private static final int PIXELS_PER_MODULE = 8;
  private static final int WHITE = 0xFFFFFF;

  /** Black on white, whatever the colours of the terminal are. */
  private static final String COLOURS = "\u001b[30;107m";

  private static final String RESET = "\u001b[0m";

  private final BitMatrix modules;

  private QrCode(BitMatrix modules) {
    this.modules = modules;
  }

  /**
   * Encodes a text.
   *
   * @throws IllegalArgumentException if the text is too long for a QR code
   */
  public static QrCode of(String text) {
    Map<EncodeHintType, Object> hints =
        Map.of(
            EncodeHintType.MARGIN,
            QUIET_ZONE,
            EncodeHintType.ERROR_CORRECTION,
            ErrorCorrectionLevel.L,
            EncodeHintType.CHARACTER_SET,
            "UTF-8");
    try {
      return new QrCode(new QRCodeWriter().encode(text, BarcodeFormat.QR_CODE, 0, 0, hints));
    } catch (WriterException e) {
      throw new IllegalArgumentException("the text is too long for a QR code", e);
    }
  }

  /** Returns the lines that show the code in a terminal, two rows of modules in each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int y = 0; y < modules.getHeight(); y += 2) {
      StringBuilder line = new StringBuilder(COLOURS);
      for (int x = 0; x < modules.getWidth(); x++) {
        boolean lower = y + 1 < modules.getHeight() && modules.get(x, y + 1);
        line.append(character(modules.get(x, y), lower));
      }
      lines.add(line.append(RESET).toString());
    }
    return lines;
  }

  private static char character(boolean upper, boolean lower) {
    if (upper) {
      return lower ? '█' : '▀';
    }
    return lower ? '▄' : ' ';
  }

  /** Returns the code as a PNG file. */
  public byte[] png() {
    int width = modules.getWidth() * PIXELS_PER_MODULE;
    int height = modules.getHeight() * PIXELS_PER_MODULE;
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_BINARY);
    for (int x = 0; x < width; x++) {
      for (int y = 0; y < height; y++) {
        boolean dark = modules.get(x / PIXELS_PER_MODULE, y / PIXELS_PER_MODULE);
        image.setRGB(x, y, dark ? 0 : WHITE);
      }
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try {
      ImageIO.setUseCache(false);
      ImageIO.write(image, "png", file);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory can't fail", e);
    }
    return file.toByteArray();
  }
}
