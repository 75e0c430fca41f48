package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ActionPatternTest {
  @ParameterizedTest(name = "''{0}'' matches the path ''{1}'': {2}")
  @CsvSource({
    "deploy.yml, /srv/app/deploy.yml, true",
    "deploy.yml, deploy.yml, true",
    "deploy.yml, /srv/app/deploy.yml.bak, false",
    "*.tf, /srv/net/main.tf, true",
    "*.tf, /srv/net/main.tf/readme, false",
    "/srv/*.tf, /srv/main.tf, true",
    "/srv/*.tf, /srv/net/main.tf, false",
    "/srv/**/*.tf, /srv/net/eu/main.tf, true",
    "/srv/**/*.tf, /srv/main.tf, true",
    "/srv/**, /srv/a/b, true",
    "/srv/**, /home/srv/a, false",
    "migrations/**, /work/shop/migrations/7.sql, true",
    "ma?n.tf, /MAIN.TF, true",
    "/etc/passwd, /srv/../etc/./passwd, true",
    "/etc/passwd, /../../etc/passwd, true",
    "/etc/passwd, \\etc\\passwd, true",
    "secret.txt, secret.txt., true",
  })
  void pathsMatchAsTheMostLenientOfFileSystemsCompareThem(
      String pattern, String path, boolean matches) {
    assertThat(matchesPath(pattern, path, plenty())).isEqualTo(matches);
  }

  @ParameterizedTest(name = "''{0}'' matches the command ''{1}'': {2}")
  @CsvSource({
    "kubectl delete, kubectl delete pod x, true",
    "kubectl delete, cd /tmp && kubectl   DELETE pod x, true",
    "kubectl delete, kubectl get pods, false",
    "git push*--force, git push origin main --force, true",
    "git push*--force, git push origin main, false",
    "git push*--force, git --force push, false",
    "*, anything, true",
  })
  void aCommandMatchesInAnyPartOfTheText(String pattern, String command, boolean matches) {
    assertThat(ActionPattern.matchesCommand(pattern, ActionPattern.command(command), plenty()))
        .isEqualTo(matches);
  }

  @Test
  void aCommandMatchesOverSeveralLines() {
    String script = ActionPattern.command("cd /srv\n\tterraform\\\n   apply\n");

    assertThat(ActionPattern.matchesCommand("terraform* apply", script, plenty())).isTrue();
  }

  @Test
  void theLongestTextsMatchInAFewSteps() {
    String long1 = "a/".repeat(2000) + "b";
    String long2 = ActionPattern.command("a".repeat(250_000));

    assertThat(matchesPath("**/a/**/a/**/a/**/a/**/c", long1, plenty())).isFalse();
    assertThat(ActionPattern.matchesCommand("a*a*a*a*a*a*a*b", long2, plenty())).isFalse();
  }

  @Test
  void whatIsBeyondTheStepsOfAnActionMatches() {
    String path = "a/".repeat(2040) + "c0";
    String pattern = "**/" + "a/".repeat(120) + "b0";
    MatchSteps steps = new MatchSteps(1_000_000);

    assertThat(matchesPath(pattern, path, steps)).isFalse();
    assertThat(IntStream.range(0, 10).anyMatch(unused -> matchesPath(pattern, path, steps)))
        .isTrue();
    assertThat(matchesPath("nothing", "of this", steps)).isTrue();
    assertThat(ActionPattern.matchesCommand("nothing", "of this", steps)).isTrue();
  }

  @Test
  void namesOfWildcardsTakeStepsToo() {
    MatchSteps steps = new MatchSteps(10_000);

    assertThat(matchesPath("*" + "a".repeat(200) + "b", "a".repeat(4000), steps)).isTrue();
  }

  @ParameterizedTest(name = "''{0}'' matches the name ''{1}'': {2}")
  @CsvSource({
    "?, 😀, true",
    "??, 😀, false",
    "*😀*, a😀b, true",
    "a*c, abc, true",
    "a*c, abcd, false",
    "a?c*, abcdc, true",
  })
  void aQuestionMarkIsOneCharacter(String pattern, String name, boolean matches) {
    assertThat(matchesPath(pattern, name, plenty())).isEqualTo(matches);
  }

  private static boolean matchesPath(String pattern, String path, MatchSteps steps) {
    return ActionPattern.matchesPath(ActionPattern.path(pattern), ActionPattern.names(path), steps);
  }

  private static MatchSteps plenty() {
    return new MatchSteps(Long.MAX_VALUE);
  }
}
