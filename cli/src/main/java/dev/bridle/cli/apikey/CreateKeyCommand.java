package dev.bridle.cli.apikey;

import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.cli.console.SecretFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates an API key and prints its secret, which is shown only once. */
@Command(
    name = "create",
    description = "Create an API key. Its secret is shown only once, or written to a file.",
    footer = {
      "%nExamples:",
      "  bridle apikey create --actor ci --scope tasks:read --scope tasks:write",
      "  bridle apikey create --tenant acme --api-key-file acme.key"
    })
final class CreateKeyCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DirectoryChoice directory;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The tenant, created with its first key (default: ${DEFAULT-VALUE}).",
      defaultValue = "default")
  private String tenant = "default";

  @Option(
      names = "--actor",
      paramLabel = "NAME",
      description = "The actor of the key (default: ${DEFAULT-VALUE}).",
      defaultValue = "owner")
  private String actor = "owner";

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description = "A scope of the key, such as tasks:write; can be repeated (default: all).")
  private List<String> scopes = List.of();

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "A workspace that the key can access; can be repeated (default: all).")
  private List<String> workspaces = List.of();

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description =
          "Write the secret to this file, readable by its owner only, instead of printing it.")
  private Optional<Path> file = Optional.empty();

  @Override
  public void run() {
    SecretFile.requireAbsent(file);
    CreateApiKeyRequest request =
        CreateApiKeyRequest.newBuilder()
            .setTenantId(tenant)
            .setActor(actor)
            .addAllScopes(scopes)
            .addAllWorkspaceIds(workspaces)
            .build();
    CreateApiKeyResponse made = directory.access().with(admin -> admin.createApiKey(request));
    file.ifPresent(
        path -> SecretFile.write(path, made.getSecret(), "The key", "bridle apikey list"));
    PrintWriter out = spec.commandLine().getOut();
    if (directory.json()) {
      var json = KeyOutput.json(made.getKey());
      out.println(file.isPresent() ? json : json.put("secret", made.getSecret()));
    } else {
      out.println(file.isPresent() ? made.getKey().getId() : made.getSecret());
    }
  }
}
