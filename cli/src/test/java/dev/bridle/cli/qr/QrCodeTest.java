package dev.bridle.cli.qr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

final class QrCodeTest {
  private static final String TEXT = "harp-pair:1?g=https%3A%2F%2Frelay.example&n=AAEC&s=äß✓";
  private static final int SCALE = 8;

  private static String read(int[] pixels, int width, int height) throws Exception {
    RGBLuminanceSource source = new RGBLuminanceSource(width, height, pixels);
    return new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source))).getText();
  }

  @Test
  void anImageIsReadAsItsText() throws Exception {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(QrCode.of(TEXT).png()));
    int width = image.getWidth();

    int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);

    assertThat(read(pixels, width, image.getHeight())).isEqualTo(TEXT);
  }

  @Test
  void whatATerminalShowsIsReadAsItsText() throws Exception {
    List<String> lines =
        QrCode.of(TEXT).lines().stream()
            .map(line -> line.replaceAll("\u001b\\[[0-9;]*m", ""))
            .toList();
    int width = lines.get(0).length() * SCALE;
    int height = lines.size() * 2 * SCALE;
    int[] pixels = new int[width * height];
    Arrays.setAll(
        pixels,
        at -> {
          int x = at % width / SCALE;
          int y = at / width / SCALE;
          char shown = lines.get(y / 2).charAt(x);
          boolean dark = shown == '█' || shown == (y % 2 == 0 ? '▀' : '▄');
          return dark ? 0 : 0xFFFFFF;
        });

    assertThat(read(pixels, width, height)).isEqualTo(TEXT);
  }

  @Test
  void aTextThatIsTooLongHasNoCode() {
    assertThatThrownBy(() -> QrCode.of("x".repeat(3000)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
