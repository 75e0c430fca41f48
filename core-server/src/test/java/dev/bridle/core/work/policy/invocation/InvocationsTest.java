package dev.bridle.core.work.policy.invocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InvocationsTest {
  private static boolean invokes(String pattern, String text) {
    return find(pattern, text).isPresent();
  }

  private static Optional<String> find(String pattern, String text) {
    return new Invocations(List.of(text), List.of()).find(InvocationPattern.of(pattern));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git push",
        "git push origin main --force",
        "  git   push",
        "GIT PUSH",
        "git -C . push",
        "git -C.. push",
        "git --no-pager push",
        "git -c a.b=c push",
        "git -c a.b=c -C /srv --git-dir=/srv/.git push",
        "git --git-dir /srv/.git --work-tree /srv push",
        "git -p push",
        "git --new-option push",
        "git --new-option value push",
        "git --new-option=value push",
        "git -- push",
        "git \"push\"",
        "g'i't pu\"sh\"",
        "\\git push",
        "git \\\n  push",
        "git $OPTIONS push",
        "git \"${OPTIONS[@]}\" push",
        "git -C \"$(git rev-parse --show-toplevel)\" push",
        "git -C `pwd` push",
        "git $(echo -C .) push",
        "git 2>/dev/null push",
        "git >log push",
        ">log 2>&1 git push",
        "git push>log",
        "git push;",
        "git push&",
        "/usr/bin/git push",
        "./git push",
        "git.exe push",
        "Git.EXE push",
        "C:\\tools\\git.exe push",
        "\"C:\\Program Files\\Git\\bin\\git.exe\" push",
        "A=b git push",
        "A=b C='d e' git push",
        "A= git push",
        "A+=b git push",
        "$SUDO git push",
        "cd x; git push",
        "cd x && git push origin",
        "false || git push",
        "true & git push",
        "cd x\ngit push",
        "cd x\r\ngit push",
        "echo y | git push",
        "echo y |& git push",
        "git status;git push",
        "(git push)",
        "(cd x && git push)",
        "{ git push; }",
        "! git push",
        "if true; then git push; fi",
        "if git push; then echo; fi",
        "for r in a b; do git push $r; done",
        "while true; do git push; done",
        "until git push; do sleep 1; done",
        "case $x in a) git push;; esac",
        "f() { git push; }; f",
        "function f { git push; }",
        "$(git push)",
        "echo $(git push)",
        "echo \"done: $(cd x && git push)\"",
        "echo \"${x:-$(git push)}\"",
        "`git push`",
        "echo \"`git push`\"",
        "diff <(git push) x",
        "tee >(git push) <x",
        "echo \"$(echo \"$(git push)\")\"",
        "# first\ngit push",
        "echo it's # don't\ngit push",
        "cat <<EOF\ndon't\nEOF\ngit push\necho 'x'",
        "cat <<'EOF' > x\nsay \"\nEOF\ngit push",
        "cat <<-EOF\n\tdon't\n\tEOF\ngit push",
        "bash <<EOF\ngit push\nEOF",
        "bash <<< 'git push'",
        "sh -c 'cd x && git -C y push'",
        "sh -ec 'git push'",
        "sh -e -c 'git push'",
        "bash -lc \"git push\"",
        "bash -o pipefail -c 'git push'",
        "bash -c -l 'git push'",
        "bash -c $'cd x\\ngit push'",
        "/bin/zsh --login -c 'git push'",
        "bash -c \"bash -c 'git push'\"",
        "bash -c \"sh -c \\\"git push\\\"\"",
        "fish --command='git push'",
        "cmd /c git push",
        "cmd.exe /s /c \"git push\"",
        "powershell -NoProfile -Command \"git push\"",
        "pwsh -c git push",
        "eval git push",
        "eval \"git push\"",
        "sudo git push",
        "sudo -u x git push",
        "sudo -ux git push",
        "sudo --user=x -n git push",
        "sudo -E A=b git push",
        "sudo --new-option x git push",
        "sudo -u x sh -c 'git push'",
        "sudo -- git push",
        "doas -u x git push",
        "su -c 'git push' x",
        "su - x -c 'git push'",
        "env git push",
        "env A=b git push",
        "env -i -u B A=b git push",
        "env -S 'git push'",
        "xargs git push",
        "echo x | xargs -I{} -n 1 git push {}",
        "xargs sh -c 'git push'",
        "nohup git push",
        "time git push",
        "time -p git push",
        "timeout 5 git push",
        "timeout -k 5 --signal=KILL 10s git push",
        "nice git push",
        "nice -n 5 git push",
        "nice -5 git push",
        "ionice -c 3 git push",
        "stdbuf -oL git push",
        "setsid -w git push",
        "command git push",
        "command -p git push",
        "builtin command git push",
        "exec git push",
        "exec -a x git push",
        "find . -name x -exec git push \\;",
        "watch -n 5 git push",
        "watch 'git push'",
        "ssh -p 22 host git push",
        "ssh host 'cd x && git push'",
        "flock /tmp/lock git push",
        "flock /tmp/lock -c 'git push'",
        "sudo nice -n 5 env A=b timeout 5 bash -c 'cd x && exec git -C y push'",
        "direnv exec . git push",
        "busybox sh -c 'git push'",
        "don't; git push",
        "say \"hello; git push",
        "echo $(oops; git push",
        "echo ${oops; git push",
        "echo `oops; git push",
      })
  void allSpellingsOfAnInvocationMatch(String text) {
    assertThat(invokes("git push", text)).isTrue();
    assertThat(invokes("git", text)).isTrue();
    assertThat(invokes("hg", text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "git",
        "git status",
        "git pull",
        "git stash push-it",
        "git -C push status",
        "git -c push status",
        "git --git-dir push status",
        "git --no-pager log push",
        "git --git-dir=x log push",
        "git log push",
        "git stash push",
        "git commit -m push",
        "git commit -m 'git push'",
        "echo git push",
        "echo 'cd x; git push'",
        "echo \"cd x; git push\"",
        "# git push",
        "ls # git push",
        "push git",
        "legit push",
        "git.txt push",
        "gitpush",
        "git; push",
        "git | push",
        "git\npush",
        "git && push",
        "git pushing",
        "mygit push",
        "sudo echo git push",
        "sudo -u git push",
        "timeout git push",
        "env GIT=git push",
        "echo > git push",
        "ssh git push",
        "cat <<'EOF'\nIn short: git push\nEOF",
      })
  void whatInvokesAnotherDoesNot(String text) {
    assertThat(invokes("git push", text)).isFalse();
  }

  @ParameterizedTest(name = "''{0}'' in ''{1}'': {2}")
  @CsvSource({
    "kubectl delete, kubectl -n prod delete pod x, true",
    "kubectl delete, kubectl --context=prod --namespace x delete pod x, true",
    "kubectl delete, kubectl -nprod delete pod x, true",
    "kubectl delete, kubectl get -n delete pods, false",
    "kubectl delete, kubectl -n delete get pods, false",
    "kubectl delete, oc delete pod x, true",
    "kubectl, kubectl get pods, true",
    "docker compose up, docker compose -f x.yml up -d, true",
    "docker compose up, docker --context prod compose --profile x -f x.yml up, true",
    "docker compose up, docker-compose -f x.yml up, true",
    "docker compose up, docker compose down, false",
    "docker push, podman push x, true",
    "npm publish, npm --registry https://x publish, true",
    "npm publish, npm -w a publish --access public, true",
    "npm publish, npm --silent run publish, false",
    "npm run deploy, npm run -s deploy, true",
    "wrangler deploy, npx -y wrangler deploy, true",
    "wrangler deploy, npm exec -- wrangler deploy, true",
    "cargo publish, cargo +nightly publish, true",
    "cargo publish, cargo --manifest-path x/Cargo.toml publish, true",
    "helm upgrade, helm --kube-context prod -n x upgrade a b, true",
    "terraform apply, terraform -chdir=prod apply, true",
    "terraform apply, terraform -chdir=apply plan, false",
    "terraform apply, tofu apply, true",
    "aws s3 rm, aws --profile prod --region x s3 rm s3://x, true",
    "aws s3 rm, aws s3 --endpoint-url x rm s3://x, true",
    "aws s3 rm, aws s3 ls rm, false",
    "gcloud compute instances delete, gcloud --project x compute -q instances delete y, true",
    "gh pr merge, gh -R a/b pr merge 1, true",
    "gh pr merge, gh pr -R a/b merge 1, true",
    "gh pr merge, gh pr view merge, false",
    "systemctl stop, systemctl --user --now stop x, true",
    "systemctl stop, systemctl -H host stop x, true",
    "pip install, pip3 --proxy x install y, true",
    "pip install, python3.12 -m pip -q install y, true",
    "pip install, uv pip install y, false",
    "uv pip install, uv --directory x pip install y, true",
    "go generate, go -C x generate ./..., true",
    "mvn deploy, mvn -f x/pom.xml -q clean deploy, true",
    "mvn deploy, ./mvnw -B clean deploy, true",
    "mvn deploy, mvn -pl deploy verify, false",
    "gradle publish, ./gradlew -p x clean :app:publish, true",
    "make deploy, make -C x ENV=prod build deploy, true",
    "make deploy, make -C deploy build, false",
    "pytest, poetry run -q pytest, true",
    "rspec, bundle exec rspec, true",
    "curl, sudo /usr/bin/curl https://x, true",
  })
  void theOptionsOfKnownProgramsAreKnown(String pattern, String text, boolean matches) {
    assertThat(invokes(pattern, text)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"git-push origin", "sudo /usr/lib/git-core/git-push"})
  void aSubcommandMayBeAProgramOfItsOwn(String text) {
    assertThat(invokes("git push", text)).isTrue();
    assertThat(invokes("git pull", text)).isFalse();
  }

  static Stream<List<String>> lists() {
    return Stream.of(
        List.of("git", "push"),
        List.of("git", "-C", "a b", "push"),
        List.of("bash", "-lc", "cd x && git -C y push"),
        List.of("/usr/bin/env", "A=b", "git", "push"));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void theWordsOfACommandAreTakenAsTheyAre(List<String> words) {
    Invocations all = new Invocations(List.of(), List.of(words));

    assertThat(all.find(InvocationPattern.of("git push"))).isPresent();
    assertThat(all.find(InvocationPattern.of("git pull"))).isEmpty();
  }

  @Test
  void whatIsFoundIsTheCommandItself() {
    assertThat(find("git push", "cd x; sh -c 'cd y && git -C \"a b\" push --force; ls'"))
        .contains("git -C a b push --force");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "git --force",
        "git push --force",
        "-x",
        "/usr/bin/git push",
        "git *",
        "git 'push'",
        "git $x",
        "git push; ls",
        "a b c d e f g h i",
      })
  void optionsFoldersAndWildcardsAreNoPartOfAPattern(String text) {
    assertThat(InvocationPattern.problem(text)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"git", "git push", "npm run build:prod", "k9s", "docker  compose up"})
  void programsWithSubcommandsAreAPattern(String text) {
    assertThat(InvocationPattern.problem(text)).isEmpty();
  }

  static Stream<String> hardTexts() {
    int length = 250_000;
    return Stream.of(
            "sudo ",
            "sudo -x ",
            "sudo -x git ",
            "git -x ",
            "env -x sudo -y nice -z ",
            "timeout -x ",
            "timeout -x 5 sudo -y timeout ",
            "find -exec ",
            "eval ",
            "sh -c ",
            "bash -c 'sh -c ",
            "$(",
            "\"$(",
            "`",
            "(",
            "${",
            "'",
            "\"",
            "\\",
            "$'",
            "a; ",
            "git -x;",
            "<<a ",
            "<<a\n",
            "<(",
            "A=b ",
            "$x ",
            "xargs -I{} ",
            "ssh -x host ",
            "then do ",
            "find -x -exec sh -c eval ssh ")
        .map(part -> part.repeat(length / part.length()));
  }

  @ParameterizedTest
  @MethodSource("hardTexts")
  void theLongestTextsAreReadInAFewSteps(String text) {
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          Invocations all = new Invocations(List.of(text, text + "git push"), List.of());
          for (int i = 0; i < 20; i++) {
            Optional<String> unused = all.find(InvocationPattern.of("git push"));
          }
        });
  }

  @Test
  void whatIsNotReadMatchesByItsWords() {
    String deep = "$(".repeat(5_000) + "git -C . push" + ")".repeat(5_000);
    String nested = "git push";
    for (int i = 0; i < 12; i++) {
      nested = "sh -c '" + nested.replace("'", "'\\''") + "'";
    }

    assertThat(invokes("git push", deep)).isTrue();
    assertThat(invokes("git push", nested)).isTrue();
  }

  @Test
  void noTextFails() {
    Random random = new Random(54);
    String parts = "git push\\\"'`$(){}<>|&;#=- \n\tsh -c";
    for (int run = 0; run < 20_000; run++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(30); i >= 0; i--) {
        text.append(parts.charAt(random.nextInt(parts.length())));
      }
      assertThat(invokes("git push", text + "\n)}`\"'\ngit push\n")).as("%s", text).isNotNull();
    }
  }
}
