package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;
import org.junit.jupiter.api.Nested;

/**
 * All suites of the contract. An engine's test extends this and gives the hooks; a deviation would
 * be an override with its reason.
 */
public abstract class KeyValueStoreContract implements StoreHooks {

  @Override
  public abstract KeyValueStore store();

  @Override
  public abstract KeyValueStore reopen();

  @Nested
  class Atomicity extends AtomicityContract {
    Atomicity() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class ReadYourWrites extends ReadYourWritesContract {
    ReadYourWrites() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Isolation extends IsolationContract {
    Isolation() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Contention extends ContentionContract {
    Contention() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Versionstamps extends VersionstampContract {
    Versionstamps() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Watches extends WatchContract {
    Watches() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Limits extends LimitsContract {
    Limits() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class AtomicAdd extends AtomicAddContract {
    AtomicAdd() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Durability extends DurabilityContract {
    Durability() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Retry extends RetryContract {
    Retry() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Cycle extends CycleContract {
    Cycle() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Serializability extends SerializabilityContract {
    Serializability() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class UnknownOutcome extends UnknownOutcomeContract {
    UnknownOutcome() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class Linearizability extends LinearizabilityContract {
    Linearizability() {
      super(KeyValueStoreContract.this);
    }
  }

  @Nested
  class LargeRange extends LargeRangeContract {
    LargeRange() {
      super(KeyValueStoreContract.this);
    }
  }
}
