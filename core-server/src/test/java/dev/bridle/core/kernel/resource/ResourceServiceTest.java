package dev.bridle.core.kernel.resource;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.SkillServiceGrpc;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ResourceServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  @Test
  void aServiceWithAMethodThatItsRulesLackIsRejectedWhenItIsBound() {
    ResourceDef<Skill, Skill> def =
        ResourceDef.of(
            Skills.SKILL,
            SkillServiceGrpc.getServiceDescriptor(),
            Skill.getDefaultInstance(),
            new ReadOnly());
    ResourceService<Skill, Skill> service = new ResourceService<>(core.context(), def);

    assertThatThrownBy(service::bindService)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("skill")
        .hasMessageContaining("UpdateSkill");
  }

  private static final class ReadOnly implements ResourceRules<Skill, Skill> {
    @Override
    public void admit(Caller caller) {}

    @Override
    public String workspaceOfNew(ReadTransaction tr, Caller caller, Message request) {
      return "";
    }

    @Override
    public String workspaceOf(Skill record) {
      return "";
    }

    @Override
    public Predicate<Skill> visible(ReadTransaction tr, Caller caller) {
      return skill -> true;
    }

    @Override
    public Optional<Pages.Ask> list(ReadTransaction tr, Caller caller, Message request) {
      return Optional.empty();
    }

    @Override
    public Skill create(Write write, Caller caller, Message request, Skill resource) {
      return resource;
    }
  }
}
