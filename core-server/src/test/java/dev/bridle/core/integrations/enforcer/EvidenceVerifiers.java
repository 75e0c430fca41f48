package dev.bridle.core.integrations.enforcer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.evidence.ApprovalResult;
import dev.bridle.harp.evidence.EvidenceBundle;
import dev.bridle.harp.evidence.EvidenceException;
import dev.bridle.harp.evidence.EvidenceVerifier;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Three verifiers of bundles: Bridle's own, and those of other languages that share no code with
 * it, where their runtimes are installed.
 */
final class EvidenceVerifiers {
  private static final Path SCRIPTS = Path.of("..", "fixtures", "evidence");
  private static final Pattern LINE =
      Pattern.compile("(\\S+?)(?: approval (\\S+))?: (?:invalid: (\\w+) \\(.*\\)|(.*))");
  private static final int NO_LIBRARY = 3;

  private final Path directory;

  EvidenceVerifiers(Path directory) {
    this.directory = directory;
  }

  /** Returns what each verifier says of each bundle: its lines, without names of files. */
  Map<String, List<List<String>>> verify(List<Bundle> bundles, KeySet keys) {
    Map<String, List<List<String>>> said = new LinkedHashMap<>();
    said.put("java", bundles.stream().map(bundle -> own(bundle, keys)).toList());
    others(bundles, keys, "python3", "evidence.py").ifPresent(lines -> said.put("python3", lines));
    others(bundles, keys, "node", "evidence.mjs").ifPresent(lines -> said.put("node", lines));
    return said;
  }

  private static List<String> own(Bundle bundle, KeySet keys) {
    List<String> said = new ArrayList<>();
    Optional<EvidenceBundle> evidence = Optional.empty();
    try (BundleReader reader =
        new BundleReader(
            new ByteArrayInputStream(bundle.text().getBytes(UTF_8)),
            EvidenceBundle.MAX_LINE_BYTES)) {
      for (Optional<BundleLine> line = reader.next(); line.isPresent(); line = reader.next()) {
        if (line.get().kind() == BundleLine.Kind.RECEIPT) {
          Verification verification =
              new ReceiptVerifier(Trust.of(keys)).verify(line.get().content());
          said.add(verification.failure().map(one -> one.check().spelling()).orElse("valid"));
          if (verification.verdict() != Verdict.VALID) {
            return said;
          }
          evidence =
              Optional.of(
                  new EvidenceBundle((ObjectNode) StrictJson.parse(line.get().content()), keys));
        } else if (evidence.isPresent()) {
          evidence.get().add(line.get());
        }
      }
    } catch (EvidenceException e) {
      bundle.receipt().get("approvals").forEach(one -> said.add(e.check().spelling()));
      return said;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    EvidenceVerifier.verify(evidence.orElseThrow()).forEach(result -> said.add(spell(result)));
    return said;
  }

  private static String spell(ApprovalResult result) {
    return result.failure().map(failure -> failure.check().spelling()).orElseGet(result::summary);
  }

  private Optional<List<List<String>>> others(
      List<Bundle> bundles, KeySet keys, String program, String script) {
    List<String> command = new ArrayList<>(List.of(program, SCRIPTS.resolve(script).toString()));
    Map<String, List<String>> said = new LinkedHashMap<>();
    try {
      Path trusted = Files.write(directory.resolve("keys.json"), keys.toJson());
      command.addAll(List.of("--keys", trusted.toString()));
      for (int number = 0; number < bundles.size(); number++) {
        Path file = directory.resolve("bundle-" + number + ".jsonl");
        command.add(Files.writeString(file, bundles.get(number).text()).toString());
        said.put(file.toString(), new ArrayList<>());
      }
      Path out = directory.resolve(script + ".out");
      int code =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start()
              .waitFor();
      if (code == NO_LIBRARY) {
        System.out.println("Skipped: " + program + " has neither PyNaCl nor cryptography.");
        return Optional.empty();
      }
      Files.readAllLines(out).forEach(line -> add(said, line));
      return Optional.of(List.copyOf(said.values()));
    } catch (IOException e) {
      System.out.println("Skipped: " + program + " can't be run: " + e.getMessage());
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void add(Map<String, List<String>> said, String line) {
    Matcher parts = LINE.matcher(line);
    assertThat(parts.matches()).as(line).isTrue();
    String result = parts.group(3) == null ? parts.group(4) : parts.group(3);
    said.get(parts.group(1))
        .add(parts.group(2) == null ? result.replaceFirst("; not checked: .*", "") : result);
  }
}
